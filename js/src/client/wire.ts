/** What the service takes and sends. The names of the fields are those of the wire. */
import type { Assessment, Figure } from '../shared/wire';

export interface ChatRequest {
  readonly message: string;
  readonly chip_id?: string;
  readonly qid?: string;
  readonly image_base64?: string;
  readonly conversation_history?: readonly HistoryItem[];
  /** Asks for `delta` events: the text of the answer while it is written. */
  readonly stream_deltas?: boolean;
}

/** A result of a calibration task, which a question is about. */
export interface AnalysisContext {
  readonly task_name: string;
  readonly chip_id: string;
  readonly qid: string;
  readonly execution_id: string;
  readonly task_id: string;
}

export interface AnalyzeRequest extends AnalysisContext {
  readonly message: string;
  readonly image_base64?: string;
  readonly conversation_history?: readonly HistoryItem[];
  readonly stream_deltas?: boolean;
}

export interface ReplyRequest {
  readonly message?: string;
}

export interface HistoryItem {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface Status {
  readonly step: string;
  readonly message: string;
  /** With the step `tool_call`. */
  readonly tool?: string;
  readonly completed_tools?: readonly string[];
  /** In the first event of a stream: what `cancel` takes. */
  readonly request_id?: string;
}

export interface Delta {
  readonly text: string;
  /** The text stands for all that came before it. */
  readonly replace?: boolean;
}

export type Block =
  | { readonly type: 'text'; readonly content: string; readonly chart: null }
  | { readonly type: 'chart'; readonly content: null; readonly chart: Figure };

export interface Answer {
  readonly blocks: readonly Block[];
  readonly assessment: Assessment | null;
}

export interface Result extends Answer {
  readonly images_sent?: Readonly<Record<string, unknown>>;
}

/** What a stream tells. A server's `error` is thrown as a CopilotError. */
export type CopilotEvent =
  | { readonly type: 'status'; readonly data: Status }
  | { readonly type: 'delta'; readonly data: Delta }
  | { readonly type: 'result'; readonly data: Result };

export interface SessionMessage {
  readonly role: 'user' | 'assistant';
  /** What the user wrote, or an answer as JSON text. */
  readonly content: string;
  readonly attached_image: string | null;
  readonly created_at: string;
}

export interface SessionSummary {
  readonly session_id: string;
  readonly title: string;
  readonly context: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly message_count: number;
}

export interface Session extends Omit<SessionSummary, 'message_count'> {
  readonly messages: readonly SessionMessage[];
}
