/** Commands for the keyboard, which work wherever the focus is: schema/shortcuts.json has their keys. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';

import { selection } from '../cells/selection';
import type { Copilot } from '../link/copilot';
import { ICopilots, type Copilots } from '../link/copilots';
import { words } from '../words';
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
    const add = (name: 'ask' | 'stop' | 'approve', execute: () => void): void => {
      const command = `qdash-jupyter:${name}`;
      const label = (): string => words.commands[name];
      const caption = (): string => words.commands[`${name}Caption`];
      app.commands.addCommand(command, { label, caption, execute });
      palette?.addItem({ command, category: 'QDash' });
    };
    add('ask', () => {
      const copilot = current();
      const lines = selection(app.shell.currentWidget);
      if (copilot && lines) {
        choose(app, copilot, lines);
      } else {
        void app.commands.execute(OPEN);
      }
    });
    add('stop', () => current()?.pressed.emit('stop'));
    add('approve', () => current()?.pressed.emit('approve'));
  },
};
