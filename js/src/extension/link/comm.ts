/** Opening our comm, on a way that leads past the cell that runs. */
import { KernelMessage, type IComm, type IKernelConnection } from '@jupyterlab/services';

export const ANNOUNCE = 'qdash_jupyter.announce';
const CLIENT = 'qdash_jupyter.client';

/** A kernel that does not start a subshell in this time gets the comm without. */
const SUBSHELL_MS = 3000;

/** Whether the copilot is loaded in the kernel. Rejects where the kernel goes away before it has answered. */
export async function isAnnounced(kernel: IKernelConnection): Promise<boolean> {
  return (await openComms(kernel, ANNOUNCE)).length > 0;
}

/** Whether the kernel has this comm of ours; rejects as above. */
export async function isKnown(kernel: IKernelConnection, comm: IComm): Promise<boolean> {
  return (await openComms(kernel, CLIENT)).includes(comm.commId);
}

/** The ids of the kernel's comms of that kind. The server does not take such a question for activity of the kernel. */
async function openComms(kernel: IKernelConnection, targetName: string): Promise<readonly string[]> {
  const target = { target_name: targetName };
  // ipykernel answers on the control channel even while a cell runs; every kernel answers on the shell channel.
  const control = KernelMessage.createMessage({
    channel: 'control',
    msgType: 'comm_info_request',
    content: target,
    session: kernel.clientId,
    username: kernel.username,
  });
  const replies = [kernel.sendControlMessage(control, true).done, kernel.requestCommInfo(target)];
  return Promise.any(replies.map(async reply => idsIn(await reply)));
}

function idsIn(reply: unknown): readonly string[] {
  const { content } = reply as { content: { status?: string; comms?: object } };
  if (content.status !== 'ok' || !content.comms) {
    throw new Error('The kernel does not tell its comms.');
  }
  return Object.keys(content.comms);
}

/**
 * A comm to the copilot, to be opened by the caller. Where the kernel has subshells it gets one of its own, so that
 * Stop arrives while a cell is busy, whatever JupyterLab is set to do with comms.
 */
export async function createComm(kernel: IKernelConnection): Promise<IComm> {
  const comm = kernel.createComm(CLIENT);
  if ('commsOverSubshells' in comm && kernel.supportsSubshells) {
    comm.commsOverSubshells = 'perComm';
    await Promise.race([ownSubshell(kernel, comm), new Promise(resolve => setTimeout(resolve, SUBSHELL_MS))]);
  }
  return comm;
}

async function ownSubshell(kernel: IKernelConnection, comm: IComm): Promise<void> {
  await comm.subshellStarted;
  // Each assignment starts one, and the comm's constructor has made the first: give it back when both are there, which
  // is when the kernel has answered one more request.
  const first = comm.subshellId;
  await kernel.requestListSubshell?.({}).done;
  if (first && comm.subshellId !== first) {
    kernel.requestDeleteSubshell?.({ subshell_id: first });
  }
}
