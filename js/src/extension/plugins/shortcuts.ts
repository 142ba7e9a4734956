/** Commands for the keyboard, which work wherever the focus is: schema/shortcuts.json has their keys. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';

import { selection } from '../cells/selection';
import type { Copilot } from '../link/copilot';
import { ICopilots, type Copilots } from '../link/copilots';
import { choose } from './ask-about-cell';
import { OPEN } from './sidebar';

export const shortcuts: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:shortcuts',
  description: 'Asks and stops the QDash copilot, and approves what it asks, by the keyboard.',
  autoStart: true,
  requires: [INotebookTracker, ICopilots],
  optional: [ICommandPalette],
  activate(app: JupyterFrontEnd, notebooks: INotebookTracker, copilots: Copilots, palette: ICommandPalette | null) {
    const current = (): Copilot | null => copilots.of(notebooks.currentWidget);
    const add = (name: string, label: string, caption: string, execute: () => void): void => {
      const command = `qdash-jupyter:${name}`;
      app.commands.addCommand(command, { label: `QDash Copilot: ${label}`, caption, execute });
      palette?.addItem({ command, category: 'QDash' });
    };
    add('ask', 'Ask', 'Go to the question box; what is selected in a cell or a file goes along', () => {
      const copilot = current();
      const lines = selection(app.shell.currentWidget);
      if (copilot && lines) {
        choose(app, copilot, lines);
      } else {
        void app.commands.execute(OPEN);
      }
    });
    add('stop', 'Stop', 'Stop the question that is being answered', () => current()?.pressed.emit('stop'));
    add('approve', 'Approve', 'Approve the code that waits for it, once it is in sight', () => current()?.pressed.emit('approve'));
  },
};
