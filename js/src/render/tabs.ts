/** Tabs of the main area. */
import type { IShell } from '@jupyterlab/application';
import type { Widget } from '@lumino/widgets';

export class Tabs {
  private opened = 0;

  constructor(private readonly shell: IShell) {}

  show(widget: Widget): void {
    this.shell.activateById(widget.id);
  }

  open(widget: Widget, title: string): void {
    widget.id = `qdash-tab-${++this.opened}`;
    widget.title.label = title || 'QDash Copilot';
    widget.title.closable = true;
    widget.addClass('qdash-tab');
    this.shell.add(widget, 'main');
    if (!widget.parent) {
      // Notebook 7 has room for one widget there.
      this.shell.add(widget, 'down');
    }
    this.shell.activateById(widget.id);
  }
}
