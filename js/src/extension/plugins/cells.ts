/** Inserts and runs the agent's cells, and marks them as such. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';

import { CellRunner } from '../cells/runner';
import { CellWatch } from '../cells/watch';
import { ICopilots, type Copilots } from '../link/copilots';
import { addStyle } from '../style-sheet';
import css from '../cells/cells.css';

export const cells: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:cells',
  description: "Runs the copilot's cells in notebooks.",
  autoStart: true,
  requires: [INotebookTracker, ICopilots],
  activate(_app: JupyterFrontEnd, notebooks: INotebookTracker, copilots: Copilots) {
    addStyle(css);
    notebooks.forEach(({ content }) => new CellWatch(content));
    notebooks.widgetAdded.connect((_, { content }) => new CellWatch(content));
    copilots.each(copilot => new CellRunner(copilot));
  },
};
