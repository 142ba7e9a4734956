/** What the panel reads and says, as docs/protocol.md has it. Times are milliseconds since 1970, durations seconds. */

export const PROTOCOL = 1;

export interface State {
  readonly v: number;
  readonly instance: string;
  readonly about: About;
  readonly starters: readonly Starter[];
  readonly conversation: string | null;
  readonly frames: readonly Frame[];
  /** What was found to choose from; null until something was looked for. */
  readonly results: Results | null;
  readonly turns: readonly Turn[];
}

/** A question to begin with, and the words of its button. */
export interface Starter {
  readonly label: string;
  readonly prompt: string;
}

export interface Results {
  /** What they were looked for by. */
  readonly words: string;
  readonly state: 'reading' | 'ready' | 'failed';
  /** Newest first. */
  readonly rows: readonly Result[];
  /** There are more than these. */
  readonly more: boolean;
  readonly message: string;
}

/** One run of a task on a qubit or coupling. */
export interface Result {
  readonly task: string;
  readonly qid: string;
  /** The qubit as people write it. */
  readonly label: string;
  readonly status: string;
  readonly excluded: boolean;
  readonly started: string;
  readonly execution_id: string;
  readonly task_id: string;
  /** Its first outputs, with units. */
  readonly values: readonly string[];
}

export interface ModelChoice {
  readonly name: string;
  readonly label: string;
  readonly endpoint: string;
  /** The one that is asked. */
  readonly asked: boolean;
}

export interface About {
  readonly state: 'connecting' | 'ready' | 'failed';
  readonly database: string;
  readonly chip: string;
  readonly model: string;
  readonly endpoint: string;
  readonly is_language_model: boolean;
  /** Values of the database that could not be read. */
  readonly problems: number;
  /** What the settings say before the first question. */
  readonly greeting: string;
  readonly models: readonly ModelChoice[];
  readonly message: string;
  readonly hint: string;
}

export interface Frame {
  readonly key: string;
  readonly name: string;
  readonly rows: number;
  readonly columns: number | readonly string[];
  readonly units: Readonly<Record<string, string>>;
  readonly source: string;
  readonly fetched_at: number;
  readonly gone: boolean;
}

export type Assessment = 'good' | 'warning' | 'bad';

export interface Turn {
  readonly turn_id: string;
  readonly question: string;
  readonly state: 'thinking' | 'waiting' | 'done' | 'stopped' | 'error';
  readonly status: string;
  readonly status_since: number | null;
  readonly asked_at: number;
  readonly elapsed_s: number | null;
  readonly assessment: Assessment | null;
  readonly blocks: readonly Block[];
  readonly meta: Meta;
  readonly broken_off: boolean;
}

export interface Meta {
  readonly model?: string | null;
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cells?: number | null;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export interface StepBlock {
  readonly id: string;
  readonly kind: 'step';
  readonly call_id: string;
  readonly label: string;
  readonly about: string | null;
  readonly name: string;
  readonly arguments: Json;
  readonly state: 'running' | 'done' | 'failed';
  readonly started_at: number | null;
  readonly elapsed_s: number | null;
  readonly rows: number | null;
  readonly frame_key: string | null;
  readonly frame_gone: boolean;
  /** Exactly what the model got. */
  readonly sent: string | null;
  readonly error: string | null;
  readonly hint: string | null;
  readonly cell_id: string | null;
  readonly cell_state: 'inserted' | 'waiting' | 'running' | 'finished' | null;
  /** `kernel`: it ran without a cell. */
  readonly cell_place: 'notebook' | 'kernel' | null;
  readonly code: string | null;
}

export interface TextBlock {
  readonly id: string;
  readonly kind: 'text';
  readonly text: string;
}

export interface ChartBlock {
  readonly id: string;
  readonly kind: 'chart';
  readonly figure: Figure;
  readonly title: string | null;
}

export interface Figure {
  readonly data: readonly JsonObject[];
  readonly layout: JsonObject;
}

export interface ImageBlock {
  readonly id: string;
  readonly kind: 'image';
  readonly mime: string;
  readonly data: string;
}

export interface TableBlock {
  readonly id: string;
  readonly kind: 'table';
  readonly frame_key: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Json[])[];
  readonly total_rows: number;
}

export interface ErrorBlock {
  readonly id: string;
  readonly kind: 'error';
  readonly title: string;
  readonly hint: string | null;
  readonly error_kind: string | null;
}

/** The result that the question is about. */
export interface SubjectBlock {
  readonly id: string;
  readonly kind: 'subject';
  readonly title: string;
  readonly details: string;
  readonly figures: readonly {
    readonly title: string;
    readonly mime: string;
    readonly data: string;
    readonly left_out: string;
  }[];
}

export type Block = SubjectBlock | StepBlock | TextBlock | ChartBlock | ImageBlock | TableBlock | ErrorBlock;

export type Op =
  | { readonly op: 'set'; readonly key: string; readonly value: unknown }
  | { readonly op: 'turn'; readonly turn_id: string; readonly set: Partial<Turn> }
  | { readonly op: 'block'; readonly turn_id: string; readonly block: Block }
  | { readonly op: 'text'; readonly turn_id: string; readonly block_id: string; readonly append: string }
  | { readonly op: 'drop'; readonly turn_id: string; readonly block_id: string };

export interface Patch {
  readonly type: 'patch';
  readonly seq: number;
  readonly ops: readonly Op[];
}

export interface Snapshot {
  readonly type: 'snapshot';
  readonly seq: number;
  readonly state: State;
}

/** The number of the last message, sent a few times when nothing more has come for a while. */
export interface Beat {
  readonly type: 'beat';
  readonly seq: number;
}

export interface Ack {
  readonly type: 'ack';
  /** The `ask_id`, or the `n` of another command. */
  readonly of: string | number;
  readonly ok: boolean;
  readonly turn_id?: string | null;
  readonly message?: string | null;
}

export type Command =
  | {
      readonly type: 'ask';
      readonly ask_id: string;
      readonly text: string;
      readonly analysis: Analysis | null;
      readonly cell: ChosenCell | null;
    }
  | { readonly type: 'stop'; readonly turn_id: string | null }
  | { readonly type: 'new' }
  | { readonly type: 'fetch'; readonly turn_id: string; readonly call_id: string }
  | { readonly type: 'retry'; readonly turn_id: string }
  | { readonly type: 'find'; readonly words: string }
  | { readonly type: 'use_model'; readonly name: string };

/** A cell that a question is about: its code, the text that it shows, and its pictures as PNG in base64. */
export interface ChosenCell {
  /** Its place: `[7]`. */
  readonly label: string;
  readonly code: string;
  readonly output: string;
  readonly pictures: readonly string[];
  readonly left_out: readonly string[];
}

/** Which result a question is about. */
export type Analysis = Pick<Result, 'task' | 'qid' | 'execution_id' | 'task_id'>;

/** What the labextension knows of the notebook that the panel belongs to. */
export interface Link {
  readonly notebook: string | null;
  readonly kernel: string | null;
  readonly state: 'live' | 'busy' | 'silent' | 'lost' | 'connecting';
  readonly message: string | null;
  readonly missing: readonly string[];
  /** Commands arrive when the cell that runs has ended. */
  readonly waits_for_cell?: boolean;
}

export interface Bundle {
  readonly [mime: string]: unknown;
}

/** The part of anywidget's model that the panel uses. */
export interface Model {
  on(name: 'msg:custom', callback: (message: unknown) => void): void;
  off(name: 'msg:custom', callback: (message: unknown) => void): void;
  send(message: unknown): void;
}
