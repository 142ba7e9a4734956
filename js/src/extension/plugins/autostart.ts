/**
 * Opens the copilot with each notebook, where the user's settings say so, or the server's page configuration does:
 * `"qdashCopilot": "start"`.
 */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { PageConfig } from '@jupyterlab/coreutils';
import { ISettingRegistry } from '@jupyterlab/settingregistry';

import type { Copilot } from '../link/copilot';
import { ICopilots, type Copilots } from '../link/copilots';
import { SETTINGS } from '../link/front-end';
import { OPEN } from './sidebar';

export const autostart: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:autostart',
  description: 'Starts the QDash copilot with each notebook, where the user or the server is set up so (`make demo` is).',
  autoStart: true,
  requires: [ICopilots],
  optional: [ISettingRegistry],
  async activate(app: JupyterFrontEnd, copilots: Copilots, registry: ISettingRegistry | null) {
    const isServers = PageConfig.getOption('qdashCopilot') === 'start';
    // A server without our schema has no such settings.
    const settings = await registry?.load(SETTINGS).catch(() => null);
    const chosen = settings?.user.start ?? 'server';
    if (chosen === 'server' ? isServers : chosen === 'yes') {
      copilots.each(copilot => keepStarted(app, copilot));
    }
  },
};

/**
 * As soon as it is known that the kernel has none, and again when it was restarted or exchanged; once it is idle, for it has
 * other things to do first. Not after `%unload_ext`, nor after a crash, which might come back.
 */
function keepStarted(app: JupyterFrontEnd, copilot: Copilot): void {
  const { sessionContext } = copilot.panel;
  let isOpened = false;
  let isWanted = true;
  const look = (): void => {
    const { stage, loss } = copilot;
    if (stage !== 'there' && stage !== 'absent') {
      return;
    }
    if (!isOpened) {
      isOpened = true;
      void app.commands.execute(OPEN, { byItself: true });
    }
    if (stage === 'there') {
      isWanted = true;
    } else if (loss === 'unloaded' || loss === 'crashed') {
      isWanted = false;
    } else if (isWanted && sessionContext.session?.kernel?.status === 'idle') {
      isWanted = false;
      copilot.start().catch(() => undefined); // the sidebar says why
    }
  };
  copilot.changed.connect(look);
  sessionContext.statusChanged.connect(look);
  sessionContext.kernelChanged.connect(() => {
    isWanted = true;
  });
  look();
}
