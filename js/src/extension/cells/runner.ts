/** Inserts the agent's cells into a notebook and executes them: `run_cell` of docs/protocol.md. */
import { CodeCell } from '@jupyterlab/cells';
import type { Notebook, NotebookPanel } from '@jupyterlab/notebook';
import type { ExecuteReply, IKernelConnection, Message } from '@jupyterlab/services';

import type { CellDone, CellMessage, RemoveCell, RunCell } from '../../shared/wire';
import type { Copilot } from '../link/copilot';
import { cellOf, isCode, isTakenOver, metadataOf, noteOf } from './agent-cell';
import { replaceOutputs } from './outputs';
import { indexFor, insertQuietly } from './insertion';

interface Outcome {
  readonly status: CellDone['status'];
  readonly count: number | null;
}

/** The status of a kernel that forgets what it was asked. */
const GONE: ReadonlySet<string> = new Set(['restarting', 'autorestarting', 'terminating', 'dead']);

export class CellRunner {
  private readonly panel: NotebookPanel;

  constructor(private readonly copilot: Copilot) {
    this.panel = copilot.panel;
    copilot.cellRequested.connect((_, message) => void this.handle(message), this);
  }

  private get notebook(): Notebook {
    return this.panel.content;
  }

  private async handle(message: CellMessage): Promise<void> {
    switch (message.type) {
      case 'run_cell':
        await this.run(message);
        break;
      case 'remove_cell':
        this.remove(message);
        break;
      case 'set_outputs':
        replaceOutputs(this.notebook, message);
        break;
    }
  }

  private async run(request: RunCell): Promise<void> {
    const { req_id, cell_id } = request;
    const isNew = !cellOf(this.notebook, cell_id);
    if (isNew) {
      this.insert(request);
    }
    const cell = cellOf(this.notebook, cell_id);
    if (!isCode(cell)) {
      this.report(request, { status: 'deleted', count: null });
      return;
    }
    this.copilot.report({ type: 'cell_inserted', req_id, cell_id, index: this.notebook.widgets.indexOf(cell) });
    if (!isNew) {
      return; // It was executed when it came.
    }
    let outcome = await this.execute(cell);
    if (outcome.status === 'aborted' && !cell.isDisposed) {
      // The user's own cell failed in front of it, and the kernel dropped what waited.
      outcome = await this.execute(cell);
    }
    this.report(request, outcome);
  }

  private insert(request: RunCell): void {
    const { turn_id, after, cell_id: id, code: source } = request;
    const index = indexFor(this.notebook, turn_id, after, this.copilot.activeCell.id);
    const cell = { cell_type: 'code', id, source, metadata: metadataOf(request) } as const;
    insertQuietly(this.notebook, index, () => this.notebook.model?.sharedModel.insertCell(index, cell));
  }

  private async execute(cell: CodeCell): Promise<Outcome> {
    const { sessionContext } = this.panel;
    const kernel = sessionContext.session?.kernel;
    if (!kernel) {
      return { status: 'no_kernel', count: null };
    }
    const { recordTiming } = this.notebook.notebookConfig;
    const deletedCells = this.notebook.model?.deletedCells ?? [];
    const { id } = cell.model;
    const gone = new Promise<undefined>(resolve => cell.disposed.connect(() => resolve(undefined)));
    const executed = CodeCell.execute(cell, sessionContext, { deletedCells, recordTiming });
    const request = cell.outputArea.future?.msg.header.msg_id;
    if (request) {
      this.copilot.noteRequest(request);
    }
    const reply = await Promise.race([executed, gone]).catch(() => undefined);
    // Told to the kernel, as with any execution.
    deletedCells.splice(0);
    if (reply) {
      return outcomeOf(reply.content);
    }
    if (!cellOf(this.notebook, id)) {
      return { status: 'deleted', count: null };
    }
    if (!request || kernel.isDisposed || GONE.has(kernel.status)) {
      return { status: 'no_kernel', count: null };
    }
    // A cell that was moved, or run again by the user, has dropped its connection to what we asked for.
    return outcomeOf(await replyTo(request, kernel));
  }

  private remove({ cell_id }: RemoveCell): void {
    const cell = cellOf(this.notebook, cell_id);
    if (cell && noteOf(cell.model) && !isTakenOver(cell.model)) {
      this.notebook.model?.sharedModel.deleteCell(this.notebook.widgets.indexOf(cell));
    }
  }

  private report({ req_id, cell_id }: RunCell, { status, count }: Outcome): void {
    this.copilot.report({ type: 'cell_done', req_id, cell_id, status, execution_count: count });
  }
}

function outcomeOf({ status, execution_count: count }: ExecuteReply): Outcome {
  return { status, count: count ?? null };
}

function replyTo(request: string, kernel: IKernelConnection): Promise<ExecuteReply> {
  return new Promise(resolve => {
    const onMessage = (_: unknown, { msg }: { readonly msg: Message }) => {
      if (msg.header.msg_type === 'execute_reply' && msg.parent_header.msg_id === request) {
        kernel.anyMessage.disconnect(onMessage);
        resolve(msg.content as ExecuteReply);
      }
    };
    kernel.anyMessage.connect(onMessage);
  });
}
