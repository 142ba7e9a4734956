/** The command that loads the copilot into the kernel of the current notebook. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, Notification } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';

import { ICopilots, type Copilots } from '../link/copilots';
import { PACKAGE, StartError } from '../link/load-copilot';
import { words } from '../words';

export const START = 'qdash-jupyter:start';

/** Most starts are over before a word on them could be read. */
const SLOW_MS = 400;
const SHOWN_MS = 1000;

export const start: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:start',
  description: 'Loads the QDash copilot into the kernel of the current notebook.',
  autoStart: true,
  requires: [INotebookTracker, ICopilots],
  optional: [ICommandPalette],
  activate(app: JupyterFrontEnd, notebooks: INotebookTracker, copilots: Copilots, palette: ICommandPalette | null) {
    app.commands.addCommand(START, {
      label: () => words.commands.start,
      caption: () => words.commands.startCaption({ line: `%load_ext ${PACKAGE}` }),
      isEnabled: () => notebooks.currentWidget !== null,
      execute: () => {
        const copilot = copilots.of(notebooks.currentWidget);
        if (copilot) {
          void announce(copilot.start());
        }
      },
    });
    notebooks.currentChanged.connect(() => app.commands.notifyCommandChanged(START));
    palette?.addItem({ command: START, category: 'QDash' });
  },
};

/**
 * Shows how the start goes: that it goes on if it takes longer, then a success for a moment or a failure until it has
 * been read. Without a word on `autoClose` JupyterLab counts a message in its status bar and shows nothing.
 */
async function announce(loading: Promise<void>): Promise<void> {
  const slow = await Promise.race([loading.then(no, no), pause(SLOW_MS).then(() => true)]);
  // JupyterLab loses a change of a message that is not yet on the screen; so once shown it stays for a moment.
  const shown = slow ? Promise.allSettled([loading, pause(SHOWN_MS)]).then(() => loading) : loading;
  Notification.promise(shown, {
    pending: { message: words.start.pending, options: { autoClose: slow ? false : 0 } },
    success: {
      message: () => words.start.done,
      options: { autoClose: 8000 },
    },
    error: {
      message: reason => words.start.failed({ why: explained(reason) }),
      options: { autoClose: false },
    },
  });
}

function no(): boolean {
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

function explained(reason: unknown): string {
  if (!(reason instanceof StartError)) {
    return String(reason);
  }
  const { message, remedy } = reason;
  // The remedy is a line for a cell; a terminal takes it without the sign.
  return remedy ? words.start.runThere({ why: message, line: remedy.replace('%', '') }) : message;
}
