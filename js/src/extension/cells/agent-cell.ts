/** What a cell of the agent's carries: see docs/protocol.md. */
import type { Cell, CellModel, CodeCell, Metadata } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';

import { PROTOCOL, type RunCell } from '../../shared/wire';
import { isRecord } from '../link/messages';

export const KEY = 'qdash_copilot';

/** With this tag a failing cell does not cancel what the user has queued. */
const TOLERANT = 'raises-exception';

/** What the agent noted in the metadata of its cell. */
export interface AgentNote {
  readonly turnId: string;
  readonly step: number | null;
  readonly purpose: string;
}

export function metadataOf({ turn_id, req_id, step, purpose }: RunCell): Metadata {
  return { tags: ['copilot', TOLERANT], trusted: true, [KEY]: { v: PROTOCOL, turn_id, req_id, step, purpose } };
}

/** Null for a cell that is not the agent's. */
export function noteOf(cell: CellModel): AgentNote | null {
  const note = cell.getMetadata(KEY);
  if (!isRecord(note) || typeof note.turn_id !== 'string') {
    return null;
  }
  const { turn_id, step, purpose } = note;
  return {
    turnId: turn_id,
    step: typeof step === 'number' ? step : null,
    purpose: typeof purpose === 'string' ? purpose : '',
  };
}

/** From then on the cell is the user's: a failure in it stops what comes after, as in any other cell. */
export function takeOver(cell: CellModel): void {
  if (!isTakenOver(cell)) {
    cell.setMetadata('tags', tagsOf(cell).filter(tag => tag !== TOLERANT));
  }
}

export function isTakenOver(cell: CellModel): boolean {
  return !tagsOf(cell).includes(TOLERANT);
}

function tagsOf(cell: CellModel): readonly unknown[] {
  const tags = cell.getMetadata('tags');
  return Array.isArray(tags) ? tags : [];
}

export function cellOf(notebook: Notebook, id: string | null): Cell | undefined {
  return notebook.widgets.find(cell => cell.model.id === id);
}

export function isCode(cell: Cell | undefined): cell is CodeCell {
  return cell?.model.type === 'code';
}
