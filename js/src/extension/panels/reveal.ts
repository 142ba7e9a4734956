/** Showing a cell to the reader. */
import type { Cell } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';

const FLASH: readonly Keyframe[] = [{ boxShadow: 'inset 0 0 0 2px var(--jp-brand-color1)' }, { boxShadow: 'none' }];
const FLASH_MS = 1200;

/** Scrolls to the cell, selects it, and lets it flash once, for eyes that are still in the panel. */
export async function reveal(notebook: Notebook, cell: Cell): Promise<void> {
  const index = notebook.widgets.indexOf(cell);
  notebook.deselectAll();
  notebook.activeCellIndex = index;
  try {
    await notebook.scrollToItem(index, 'smart');
  } catch {
    // Another request to scroll took its place.
  }
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
    cell.node.animate([...FLASH], FLASH_MS);
  }
}
