/** Inserts and runs the agent's cells, and marks them as such. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';

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
  activate(_app: JupyterFrontEnd, copilots: Copilots) {
    addStyle(css);
    copilots.each(copilot => {
      new CellWatch(copilot.panel.content);
      new CellRunner(copilot);
    });
  },
};
