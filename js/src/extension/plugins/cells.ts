/** Inserts and runs the agent's cells, and marks them as such. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { INotebookTracker, NotebookActions } from '@jupyterlab/notebook';

import { leaveSession } from '../cells/agent-cell';
import { CellRunner } from '../cells/runner';
import { CellWatch } from '../cells/watch';
import { ICopilots, type Copilots } from '../link/copilots';
import { addStyle } from '../style-sheet';
import css from '../cells/cells.css';

/** Of JupyterLab and of Notebook 7: the toolbar's ■, the menu Kernel and the keys I I. */
const INTERRUPT = 'notebook:interrupt-kernel';

export const cells: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:cells',
  description: "Runs the copilot's cells in notebooks.",
  autoStart: true,
  requires: [INotebookTracker, ICopilots],
  optional: [IEditorLanguageRegistry],
  activate(
    app: JupyterFrontEnd,
    notebooks: INotebookTracker,
    copilots: Copilots,
    languages: IEditorLanguageRegistry | null,
  ) {
    addStyle(css);
    NotebookActions.executionScheduled.connect((_, { cell }) => leaveSession(cell.model));
    copilots.each(copilot => {
      new CellWatch(copilot.panel, languages);
      const runner = new CellRunner(copilot);
      NotebookActions.executed.connect((_, { cell, notebook, success }) => {
        if (success && notebook === copilot.panel.content) {
          runner.loadAbove(cell);
        }
      }, copilot);
      app.commands.commandExecuted.connect((_, { id }) => {
        if (id === INTERRUPT && copilot.panel === notebooks.currentWidget) {
          runner.onInterrupt();
        }
      }, copilot); // until it is disposed
    });
  },
};
