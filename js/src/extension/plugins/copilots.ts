/** Connects every open notebook with the copilot in its kernel. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';

import { Copilots, ICopilots } from '../link/copilots';
import { FrontEnd } from '../link/front-end';

export const copilots: JupyterFrontEndPlugin<Copilots> = {
  id: 'qdash-jupyter:copilots',
  description: 'Connects notebooks with the QDash copilot in their kernels.',
  autoStart: true,
  requires: [INotebookTracker],
  provides: ICopilots,
  activate: (app: JupyterFrontEnd, notebooks: INotebookTracker) => new Copilots(notebooks, new FrontEnd(app)),
};
