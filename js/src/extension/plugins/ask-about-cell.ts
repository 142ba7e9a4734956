/** The command that puts a cell before the copilot. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';

import type { ChosenCell } from '../../shared/wire';
import { isCode } from '../cells/agent-cell';
import { chosen } from '../cells/chosen-cell';
import type { Copilot } from '../link/copilot';
import { ICopilots, type Copilots } from '../link/copilots';
import { words } from '../words';
import { OPEN } from './sidebar';

const ASK_ABOUT = 'qdash-jupyter:ask-about-cell';

/** Puts a cell before the copilot, which is opened and started where it is not there yet. */
export function choose(app: JupyterFrontEnd, copilot: Copilot, cell: ChosenCell): void {
  void app.commands.execute(OPEN);
  copilot.cellChosen.emit(cell);
  if (copilot.stage === 'absent') {
    copilot.start().catch(() => undefined); // the sidebar shows why a start failed
  }
}

export const about: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:ask-about-cell',
  description: 'Asks the QDash copilot about a cell and its output.',
  autoStart: true,
  requires: [INotebookTracker, ICopilots],
  optional: [ICommandPalette],
  activate(app: JupyterFrontEnd, notebooks: INotebookTracker, copilots: Copilots, palette: ICommandPalette | null) {
    app.commands.addCommand(ASK_ABOUT, {
      label: () => words.commands.about,
      caption: () => words.commands.aboutCaption,
      execute: () => {
        const panel = notebooks.currentWidget;
        const copilot = copilots.of(panel);
        // JupyterLab makes the cell the active one on which its menu opens.
        const cell = panel?.content.activeCell ?? undefined;
        if (!copilot || !isCode(cell)) {
          return;
        }
        choose(app, copilot, chosen(cell));
      },
    });
    palette?.addItem({ command: ASK_ABOUT, category: 'QDash' });
    app.contextMenu.addItem({ command: ASK_ABOUT, selector: '.jp-Notebook .jp-CodeCell', rank: 11.5 });
  },
};
