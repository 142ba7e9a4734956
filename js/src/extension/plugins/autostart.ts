/** Opens the copilot with each notebook, where the server's page configuration says so: `"qdashCopilot": "start"`. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { PageConfig } from '@jupyterlab/coreutils';

import type { Copilot } from '../link/copilot';
import { ICopilots, type Copilots } from '../link/copilots';
import { OPEN } from './sidebar';

export const autostart: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:autostart',
  description: 'Starts the QDash copilot with each notebook, where the server is set up so (`make demo` is).',
  autoStart: true,
  requires: [ICopilots],
  activate(app: JupyterFrontEnd, copilots: Copilots) {
    if (PageConfig.getOption('qdashCopilot') === 'start') {
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
      void app.commands.execute(OPEN);
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
