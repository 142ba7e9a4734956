/** The command that loads the copilot into the kernel of the current notebook. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, Notification } from '@jupyterlab/apputils';
import { INotebookTracker, type NotebookPanel } from '@jupyterlab/notebook';
import type { ExecuteReply, IKernelConnection } from '@jupyterlab/services';

export const START = 'qdash-jupyter:start';

const PACKAGE = 'qdash_jupyter';

/** Most starts are over before a word on them could be read. */
const SLOW_MS = 400;
const SHOWN_MS = 1000;

export const start: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:start',
  description: 'Loads the QDash copilot into the kernel of the current notebook.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ICommandPalette],
  activate(app: JupyterFrontEnd, notebooks: INotebookTracker, palette: ICommandPalette | null) {
    app.commands.addCommand(START, {
      label: 'QDash Copilot: Start in this notebook',
      caption: `Run "%load_ext ${PACKAGE}" in the kernel of the current notebook`,
      isEnabled: () => notebooks.currentWidget !== null,
      execute: () => {
        if (notebooks.currentWidget) {
          void announce(loadCopilot(notebooks.currentWidget));
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
    pending: { message: 'Starting the QDash copilot…', options: { autoClose: slow ? false : 0 } },
    success: {
      message: () => 'The QDash copilot is running in this notebook. Type %copilot help in a cell to begin.',
      options: { autoClose: 8000 },
    },
    error: {
      message: reason => `The QDash copilot did not start. ${reason instanceof Error ? reason.message : reason}`,
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

async function loadCopilot(panel: NotebookPanel): Promise<void> {
  await panel.sessionContext.ready;
  const kernel = panel.sessionContext.session?.kernel;
  if (!kernel) {
    throw new Error('This notebook has no kernel: choose one first.');
  }
  const { language_info: language } = await kernel.info;
  if (language.name !== 'python') {
    throw new Error(`It needs a Python kernel; this one runs ${language.name}.`);
  }
  const reply = await execute(kernel, `%load_ext ${PACKAGE}`);
  if (reply.status !== 'ok') {
    throw new Error(explain(reply));
  }
}

/** Runs code without a trace in the notebook: no cell, no output, no execution count. */
async function execute(kernel: IKernelConnection, code: string): Promise<ExecuteReply> {
  // A failure here must not cancel the cells that the person has queued meanwhile.
  const request = { code, silent: true, store_history: false, stop_on_error: false };
  try {
    return (await kernel.requestExecute(request).done).content;
  } catch {
    // The connection drops what it was asked when the kernel is restarted, exchanged or lost.
    throw new Error('The kernel went away before it answered.');
  }
}

function explain(reply: Exclude<ExecuteReply, { status: 'ok' }>): string {
  if (reply.status === 'aborted') {
    return 'An earlier cell failed or was interrupted, and the kernel dropped the request: try again.';
  }
  if (reply.ename === 'ModuleNotFoundError' && reply.evalue.includes(`'${PACKAGE}'`)) {
    return `The package is missing in the kernel's environment: run "pip install ${PACKAGE}" there, then try again.`;
  }
  return `${reply.ename}: ${reply.evalue}`;
}
