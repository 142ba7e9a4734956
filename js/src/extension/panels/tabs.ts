/** Tabs of the main area. */
import type { IShell } from '@jupyterlab/application';
import { PanelLayout, Widget } from '@lumino/widgets';

import { NAME } from '../../shared/page';
import { copilotIcon } from '../sidebar/icon';

export class Tabs {
  private opened = 0;

  constructor(private readonly shell: IShell) {}

  show(widget: Widget): void {
    this.shell.activateById(widget.id);
  }

  open(content: Widget, title: string): void {
    // A widget of our own around it: renderers may come with another copy of Lumino, whose titles the tabs refuse.
    const tab = new Widget();
    const layout = new PanelLayout();
    tab.layout = layout;
    layout.addWidget(content);
    tab.id = `qdash-tab-${++this.opened}`;
    tab.title.label = title || NAME;
    tab.title.icon = copilotIcon;
    tab.title.closable = true;
    tab.addClass('qdash-tab');
    this.shell.add(tab, 'main');
    if (!tab.parent) {
      // Notebook 7 has room for one widget there.
      this.shell.add(tab, 'down');
    }
    this.shell.activateById(tab.id);
  }
}
