/** The command that has a failed cell mended. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import type { CodeCell } from '@jupyterlab/cells';
import { INotebookTracker } from '@jupyterlab/notebook';

import { isCode } from '../cells/agent-cell';
import { failed, hasFailed } from '../cells/chosen-cell';
import { ICopilots, type Copilots } from '../link/copilots';
import { words } from '../words';
import { choose } from './ask-about-cell';

const FIX = 'qdash-jupyter:fix-cell';

export const fix: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:fix-cell',
  description: 'Has the QDash copilot propose a change of a cell that failed.',
  autoStart: true,
  requires: [INotebookTracker, ICopilots],
  optional: [ICommandPalette],
  activate(app: JupyterFrontEnd, notebooks: INotebookTracker, copilots: Copilots, palette: ICommandPalette | null) {
    /** JupyterLab makes the cell the active one on which its menu opens. */
    const active = (): CodeCell | undefined => {
      const cell = notebooks.currentWidget?.content.activeCell ?? undefined;
      return isCode(cell) && hasFailed(cell) ? cell : undefined;
    };
    app.commands.addCommand(FIX, {
      label: () => words.commands.fix,
      caption: () => words.commands.fixCaption,
      isVisible: () => active() !== undefined,
      execute: () => {
        const cell = active();
        const copilot = copilots.of(notebooks.currentWidget);
        if (cell && copilot) {
          choose(app, copilot, failed(cell));
        }
      },
    });
    palette?.addItem({ command: FIX, category: 'QDash' });
    app.contextMenu.addItem({ command: FIX, selector: '.jp-Notebook .jp-CodeCell', rank: 11.4 });
  },
};
