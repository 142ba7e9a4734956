/** What the agent's cells show, which no page executes: `cell_outputs` of docs/protocol.md. */
import type { CodeCell } from '@jupyterlab/cells';

import type { CellOutputs, RunCell } from '../../shared/wire';
import type { Copilot } from '../link/copilot';
import { isRecord } from '../link/messages';
import { cellOf, isCode, KEY, noteOf, showEnd, write } from './agent-cell';
import { replaceFrom } from './outputs';

/** The status of a kernel whose sessions have ended with it. */
const GONE: ReadonlySet<string> = new Set(['restarting', 'autorestarting', 'terminating', 'dead']);

export class SessionCells {
  /** The requests whose cells have not ended, by the id of the cell. */
  private readonly running = new Map<string, string>();
  /** The ids of those that run in the kernel itself: an interrupt of it ends them. */
  private readonly inKernel = new Set<string>();
  /** The number of the last message that was shown, by the id of the cell. */
  private readonly heard = new Map<string, number>();

  constructor(private readonly copilot: Copilot) {
    const { content, sessionContext } = copilot.panel;
    content.modelChanged.connect(() => this.follow(), this);
    sessionContext.statusChanged.connect((_, status) => GONE.has(status) && this.giveUp(), this);
    sessionContext.kernelChanged.connect(() => this.giveUp(), this);
    this.follow();
  }

  /** The cell is in the notebook and will run. */
  expect({ cell_id, req_id }: Pick<RunCell, 'cell_id' | 'req_id'>): void {
    this.running.set(cell_id, req_id);
  }

  /** The question whose cell runs in the session, as the notebook shows it. */
  get turnId(): string | null {
    const inSession = [...this.running.keys()].filter(id => !this.inKernel.has(id));
    const notes = inSession.map(id => {
      const cell = cellOf(this.copilot.panel.content, id);
      return cell ? noteOf(cell.model) : null;
    });
    return notes.find(note => note?.sessionOnly)?.turnId ?? null;
  }

  show(message: CellOutputs): void {
    const { cell_id, state, runs_in } = message;
    const cell = cellOf(this.copilot.panel.content, cell_id);
    const note = cell && noteOf(cell.model);
    if (runs_in === 'kernel') {
      this.inKernel.add(cell_id);
    }
    if (state === 'ended') {
      this.running.delete(cell_id);
      this.inKernel.delete(cell_id);
    } else if (note?.requestId) {
      this.expect({ cell_id, req_id: note.requestId }); // also in a page that was loaded meanwhile
    }
    if (isCode(cell) && note?.sessionOnly) {
      this.draw(cell, message);
    }
  }

  private draw({ model }: CodeCell, message: CellOutputs): void {
    const { cell_id, n, state, first, unchanged, outputs, execution_count, stays, needs } = message;
    const isNext = n === (this.heard.get(cell_id) ?? 0) + 1 && unchanged <= model.outputs.length;
    if (isNext) {
      replaceFrom(model, unchanged, outputs.slice(unchanged - first));
    } else if (first === 0) {
      model.outputs.fromJSON(outputs);
    }
    if (isNext || first === 0) {
      this.heard.set(cell_id, n);
    }
    if (state === 'ended') {
      model.executionCount = execution_count;
      showEnd(model);
      rewrite(model, message.rewritten);
      const note = model.getMetadata(KEY);
      model.setMetadata(KEY, { ...(isRecord(note) && note), session_only: stays, needs });
    } else {
      model.executionState = 'running';
    }
  }

  private follow(): void {
    // A cell that is moved is gone for a moment.
    this.copilot.panel.content.model?.cells.changed.connect(() => queueMicrotask(() => this.reportDeleted()), this);
  }

  private reportDeleted(): void {
    const { panel } = this.copilot;
    if (panel.isDisposed || !panel.content.model) {
      return; // the notebook was closed
    }
    for (const [id, request] of [...this.running]) {
      if (!cellOf(panel.content, id)) {
        this.running.delete(id);
        this.copilot.report({ type: 'cell_deleted', req_id: request, cell_id: id });
      }
    }
  }

  private giveUp(): void {
    for (const id of this.running.keys()) {
      const cell = cellOf(this.copilot.panel.content, id);
      if (cell && noteOf(cell.model)?.sessionOnly) {
        showEnd(cell.model);
      }
    }
    this.running.clear();
    this.inKernel.clear();
    this.heard.clear();
  }
}

function rewrite({ sharedModel }: CodeCell['model'], rewritten: CellOutputs['rewritten']): void {
  const source = sharedModel.getSource();
  const before = rewritten?.before.trimEnd();
  if (rewritten && before && source.trimEnd().endsWith(before)) {
    write(() => sharedModel.setSource(source.trimEnd().slice(0, -before.length) + rewritten.after.trimEnd()));
  }
}
