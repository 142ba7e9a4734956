/** Inserts and runs the agent's cells, and marks them as such. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { NotebookActions } from '@jupyterlab/notebook';

import { leaveSession } from '../cells/agent-cell';
import { CellRunner } from '../cells/runner';
import { CellWatch } from '../cells/watch';
import { ICopilots, type Copilots } from '../link/copilots';
import { addStyle } from '../style-sheet';
import css from '../cells/cells.css';

export const cells: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:cells',
  description: "Runs the copilot's cells in notebooks.",
  autoStart: true,
  requires: [ICopilots],
  optional: [IEditorLanguageRegistry],
  activate(_app: JupyterFrontEnd, copilots: Copilots, languages: IEditorLanguageRegistry | null) {
    addStyle(css);
    NotebookActions.executionScheduled.connect((_, { cell }) => leaveSession(cell.model));
    copilots.each(copilot => {
      new CellWatch(copilot.panel, languages);
      new CellRunner(copilot);
    });
  },
};
