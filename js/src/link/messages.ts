/** What crosses the control comm, as docs/protocol.md has it. */

export const PROTOCOL = 1;

export interface Hello {
  readonly type: 'hello';
  readonly instance: string;
  readonly version: string;
  /** Null where the panel cannot be shown; then `problem` says why. */
  readonly model_id: string | null;
  readonly problem: string | null;
  readonly conversation: string | null;
  /** Who interrupts the agent's cell on Stop: `page` where commands cannot reach a busy kernel. */
  readonly interrupts?: 'kernel' | 'page';
}

export interface Ping {
  readonly type: 'ping' | 'pong';
  readonly n: number;
}

export interface Ack {
  readonly type: 'ack';
  /** The `ask_id` of a question, the `n` of any other command. */
  readonly of: string | number;
  readonly ok: boolean;
  readonly turn_id: string | null;
  readonly message: string | null;
}

export interface RunCell {
  readonly type: 'run_cell';
  readonly req_id: string;
  readonly turn_id: string;
  readonly cell_id: string;
  readonly code: string;
  readonly after: string | null;
  readonly step?: number;
  readonly purpose: string;
}

export interface RemoveCell {
  readonly type: 'remove_cell';
  readonly cell_id: string;
}

export interface SetOutputs {
  readonly type: 'set_outputs';
  readonly cell_id: string;
  readonly turn_id: string;
  readonly outputs: readonly object[];
}

/** What the kernel wants done in the notebook. */
export type CellMessage = RunCell | RemoveCell | SetOutputs;

export type KernelMessage = Hello | Ping | Ack | CellMessage;

/** What a panel asks for. The link adds `v`, `n` and the active cell. */
export type Command =
  | { readonly type: 'ask'; readonly ask_id: string; readonly text: string; readonly analysis?: object | null }
  | { readonly type: 'stop'; readonly turn_id?: string | null }
  | { readonly type: 'new' }
  | { readonly type: 'fetch'; readonly turn_id: string; readonly call_id: string }
  | { readonly type: 'retry'; readonly turn_id: string }
  | { readonly type: 'find'; readonly words: string }
  | { readonly type: 'use_model'; readonly name: string };

export type PageMessage =
  | { readonly type: 'cell_inserted'; readonly req_id: string; readonly cell_id: string; readonly index: number }
  | {
      readonly type: 'cell_done';
      readonly req_id: string;
      readonly cell_id: string;
      readonly status: CellStatus;
      readonly execution_count: number | null;
      readonly retried: boolean;
    };

export type CellStatus = 'ok' | 'error' | 'aborted' | 'deleted' | 'no_kernel';

/** The first words of a page. */
export interface Opening {
  readonly path: string;
  readonly frontend: 'lab' | 'notebook';
  readonly conversation: string | null;
  readonly missing: readonly string[];
}

/** The fields without which a message is none. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  hello: ['instance', 'version', 'model_id'],
  ping: ['n'],
  pong: ['n'],
  ack: ['of', 'ok'],
  run_cell: ['req_id', 'turn_id', 'cell_id', 'code'],
  remove_cell: ['cell_id'],
  set_outputs: ['cell_id', 'turn_id', 'outputs'],
};

/** A message of the kernel; null for what this version does not know. */
export function fromKernel(raw: unknown): KernelMessage | null {
  const isKnown = isRecord(raw) && NEEDED[String(raw.type)]?.every(name => name in raw);
  return isKnown ? (raw as unknown as KernelMessage) : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
