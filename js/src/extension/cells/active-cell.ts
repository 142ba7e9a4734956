/** The cell in which the user works. */
import type { Notebook } from '@jupyterlab/notebook';

/**
 * After a page has loaded the first cell is active because some cell has to be. It counts once the user has clicked
 * or typed in a cell.
 */
export class ActiveCell {
  private isChosen = false;

  constructor(private readonly notebook: Notebook) {
    notebook.node.addEventListener('pointerdown', this.onTouch, true);
    notebook.node.addEventListener('keydown', this.onTouch, true);
  }

  get id(): string | null {
    return this.isChosen ? (this.notebook.activeCell?.model.id ?? null) : null;
  }

  dispose(): void {
    this.notebook.node.removeEventListener('pointerdown', this.onTouch, true);
    this.notebook.node.removeEventListener('keydown', this.onTouch, true);
  }

  private readonly onTouch = (event: Event): void => {
    const isInCell = event.target instanceof Element && event.target.closest('.jp-Cell') !== null;
    this.isChosen ||= isInCell && !isShortcut(event);
  };
}

/** A command of the application, typed wherever the focus happened to be. */
function isShortcut(event: Event): boolean {
  return event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey || event.altKey) && event.key !== 'Enter';
}
