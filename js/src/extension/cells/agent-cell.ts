/** What a cell of the agent's carries: see docs/protocol.md. */
import type { Cell, CellModel, CodeCell, CodeCellModel, Metadata } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';

import { type AgentCell, PROTOCOL, type RunCell } from '../../shared/wire';
import { isRecord } from '../link/messages';

export const KEY = 'qdash_copilot';

/** What the agent noted in the metadata of its cell. */
export interface AgentNote {
  readonly turnId: string;
  /** The cell with the question. */
  readonly askedIn: string | null;
  /** Null for the text above the cells of a turn. */
  readonly step: number | null;
  readonly purpose: string;
  /** By the user: then the cell is theirs. */
  readonly isEdited: boolean;
  /** The names that only the copilot's session has. Null for a cell that the user runs, or has run. */
  readonly sessionOnly: readonly string[] | null;
  /** The cells that have to run in the kernel before this one could. */
  readonly needs: readonly string[];
  readonly requestId: string | null;
}

/** The part of a request that the cell carries. */
export type Noted = Pick<RunCell, 'turn_id' | 'asked_in'> & Partial<Pick<RunCell, 'req_id' | 'step' | 'purpose'>>;

export function metadataOf({ turn_id, asked_in, req_id, step, purpose }: Noted): Metadata {
  const note = {
    v: PROTOCOL,
    turn_id,
    asked_in,
    ...(step !== undefined && { step, purpose }),
    ...(req_id && { req_id, session_only: [], needs: [] }),
  };
  return { tags: ['copilot'], trusted: true, [KEY]: note };
}

/** Null for a cell that is not the agent's. */
export function noteOf(cell: CellModel): AgentNote | null {
  const note = cell.getMetadata(KEY);
  if (!isRecord(note) || typeof note.turn_id !== 'string') {
    return null;
  }
  const { turn_id, step, purpose, asked_in, edited, session_only, needs, req_id } = note;
  return {
    turnId: turn_id,
    askedIn: typeof asked_in === 'string' ? asked_in : null,
    step: typeof step === 'number' ? step : null,
    purpose: typeof purpose === 'string' ? purpose : '',
    isEdited: edited === true,
    sessionOnly: Array.isArray(session_only) ? texts(session_only) : null,
    needs: Array.isArray(needs) ? texts(needs) : [],
    requestId: typeof req_id === 'string' ? req_id : null,
  };
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter(value => typeof value === 'string');
}

/** Whether it is the agent's, and as the agent has written it. */
export function isUntouched(cell: CellModel): boolean {
  return noteOf(cell)?.isEdited === false;
}

/** The code cells that are the agent's: after a restart, only the notebook knows. */
export function untouchedCells({ widgets }: Notebook): AgentCell[] {
  return widgets
    .filter(cell => isCode(cell) && isUntouched(cell.model))
    .map(({ model }) => ({ cell_id: model.id, code: model.sharedModel.getSource() }));
}

let writing = false;

/** Changes a cell in the agent's name: it stays the agent's. */
export function write(change: () => void): void {
  writing = true;
  try {
    change();
  } finally {
    writing = false;
  }
}

/** Somebody has changed the text: unless it was the agent, the cell is the user's from then on. */
export function takeOver(cell: CellModel): void {
  if (writing) {
    return;
  }
  leaveSession(cell);
  const note = cell.getMetadata(KEY);
  if (isRecord(note) && note.edited !== true) {
    cell.setMetadata(KEY, { ...note, edited: true });
  }
}

/** The user has changed the cell or runs it in the kernel: what the session says of it no longer counts. */
export function leaveSession(cell: CellModel): void {
  const note = cell.getMetadata(KEY);
  if (isRecord(note) && 'session_only' in note) {
    const left = Object.entries(note).filter(([name]) => name !== 'session_only' && name !== 'needs');
    cell.setMetadata(KEY, Object.fromEntries(left));
    showEnd(cell);
  }
}

/** Takes the star out of the prompt. */
export function showEnd(cell: CellModel): void {
  if (isCodeModel(cell)) {
    cell.executionState = 'idle';
  }
}

/** How many cells of the user's run or wait for the kernel. */
export function runningCells({ widgets }: Notebook): number {
  const isInSession = (cell: CodeCell): boolean => (noteOf(cell.model)?.sessionOnly ?? null) !== null;
  return widgets.filter(cell => isCode(cell) && cell.model.executionState === 'running' && !isInSession(cell)).length;
}

export function cellOf(notebook: Notebook, id: string | null): Cell | undefined {
  return notebook.widgets.find(cell => cell.model.id === id);
}

function isCodeModel(cell: CellModel): cell is CodeCellModel {
  return cell.type === 'code';
}

export function isCode(cell: Cell | undefined): cell is CodeCell {
  return cell?.model.type === 'code';
}
