/** Connects every open notebook with the copilot in its kernel. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';

import { Copilots, ICopilots } from '../link/copilots';
import { FrontEnd, SETTINGS } from '../link/front-end';

export const copilots: JupyterFrontEndPlugin<Copilots> = {
  id: SETTINGS,
  description: 'Connects notebooks with the QDash copilot in their kernels.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ISettingRegistry],
  provides: ICopilots,
  activate: (app: JupyterFrontEnd, notebooks: INotebookTracker, registry: ISettingRegistry | null) =>
    new Copilots(notebooks, new FrontEnd(app, registry)),
};
