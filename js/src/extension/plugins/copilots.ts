/** Connects every open notebook with the copilot in its kernel. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator } from '@jupyterlab/translation';

import { followLanguage } from '../language';
import { Copilots, ICopilots } from '../link/copilots';
import { FrontEnd, SETTINGS } from '../link/front-end';

export const copilots: JupyterFrontEndPlugin<Copilots> = {
  id: SETTINGS,
  description: 'Connects notebooks with the QDash copilot in their kernels.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ISettingRegistry, ITranslator],
  provides: ICopilots,
  activate(
    app: JupyterFrontEnd,
    notebooks: INotebookTracker,
    registry: ISettingRegistry | null,
    translator: ITranslator | null,
  ) {
    // A server without our schema has no such settings.
    const settings = registry?.load(SETTINGS).catch(() => null) ?? Promise.resolve(null);
    followLanguage(app, settings, translator);
    return new Copilots(notebooks, new FrontEnd(app, settings));
  },
};
