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
      copilots.each(copilot => startOnce(app, copilot));
    }
  },
};

/** As soon as it is known that the kernel has none; never again in this notebook, whatever the user does then. */
function startOnce(app: JupyterFrontEnd, copilot: Copilot): void {
  const look = (): void => {
    if (copilot.stage === 'there' || copilot.stage === 'absent') {
      copilot.changed.disconnect(look);
      void app.commands.execute(OPEN);
      if (copilot.stage === 'absent') {
        copilot.start().catch(() => undefined); // the sidebar says why
      }
    }
  };
  copilot.changed.connect(look);
  look();
}
