/** Loading the copilot into the kernel of a notebook. */
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { ExecuteReply, IKernelConnection } from '@jupyterlab/services';

import { words } from '../words';

export const PACKAGE = 'qdash_jupyter';

/** Why the copilot did not start, and the line that helps, if there is one. */
export class StartError extends Error {
  constructor(
    message: string,
    /** To be run in a cell. */
    readonly remedy: string | null = null,
  ) {
    super(message);
  }
}

/** Fulfils when the kernel has loaded the copilot; rejects with a StartError. */
export async function loadCopilot(panel: NotebookPanel): Promise<void> {
  await panel.sessionContext.ready;
  const kernel = panel.sessionContext.session?.kernel;
  if (!kernel) {
    throw new StartError(words.start.noKernel);
  }
  const { language_info: language } = await kernel.info;
  if (language.name !== 'python') {
    throw new StartError(words.start.needsPython({ language: language.name }));
  }
  let reply: ExecuteReply;
  do {
    // A cell that fails takes with it what is queued behind it; this is to come after it all the same.
    reply = await execute(kernel, `%load_ext ${PACKAGE}`);
  } while (reply.status === 'aborted');
  if (reply.status !== 'ok') {
    throw explained(reply);
  }
}

/** Runs code without a trace in the notebook: no cell, no output, no execution count. */
async function execute(kernel: IKernelConnection, code: string): Promise<ExecuteReply> {
  // A failure here must not cancel the cells that the user has queued meanwhile.
  const request = { code, silent: true, store_history: false, stop_on_error: false };
  try {
    return (await kernel.requestExecute(request).done).content;
  } catch {
    // The connection drops what it was asked when the kernel is restarted, exchanged or lost.
    throw new StartError(words.start.kernelWent);
  }
}

function explained(reply: Extract<ExecuteReply, { status: 'error' }>): StartError {
  if (reply.ename === 'ModuleNotFoundError' && reply.evalue.includes(`'${PACKAGE}'`)) {
    return new StartError(words.start.packageMissing, `%pip install ${PACKAGE}`);
  }
  return new StartError(`${reply.ename}: ${reply.evalue}`);
}
