/** Asks the copilot's HTTP service, whose answers are streams of server-sent events. */
import { CopilotError, refusal } from './copilot-error';
import { readSSE } from './sse';
import type { AnalyzeRequest, ChatRequest, CopilotEvent, Delta, ReplyRequest, Result, Session, SessionSummary, Status } from './wire';

export interface Connection {
  /** `{server}/qdash/copilot` */
  readonly endpoint: string;
  /** Without one the page's own cookie says who asks, as on pages of the same Jupyter server. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

export interface AskOptions {
  /** Aborting closes the connection, and with it the server ends the turn. */
  readonly signal?: AbortSignal;
}

export interface Watching extends AskOptions {
  readonly onStatus?: (status: Status) => void;
  readonly onDelta?: (delta: Delta) => void;
}

export class CopilotClient {
  readonly #endpoint: string;
  readonly #token: string;
  readonly #fetch: typeof globalThis.fetch;

  constructor(connection: Connection) {
    this.#endpoint = connection.endpoint.replace(/\/+$/, '');
    this.#token = connection.token ?? '';
    // Called as a method of another object than the page, a browser's own `fetch` refuses.
    this.#fetch = connection.fetch ?? ((input, init) => fetch(input, init));
  }

  /** What happens while a question is answered; the last event is the result. Nothing is sent before it is read. */
  chat(request: ChatRequest, options: AskOptions = {}): AsyncGenerator<CopilotEvent, void, undefined> {
    return this.#stream('/chat/stream', request, options);
  }

  /** The same for a question about one result of a calibration task. */
  analyze(request: AnalyzeRequest, options: AskOptions = {}): AsyncGenerator<CopilotEvent, void, undefined> {
    return this.#stream('/analyze/stream', request, options);
  }

  /** The same for a reply in the thread of an issue. */
  aiReply(issue: string, request: ReplyRequest = {}, options: AskOptions = {}): AsyncGenerator<CopilotEvent, void, undefined> {
    return this.#stream(`/issues/${encodeURIComponent(issue)}/ai-reply/stream`, request, options);
  }

  /** A chat in one call: the result alone, or a CopilotError. */
  async ask(request: ChatRequest, { onStatus, onDelta, signal }: Watching = {}): Promise<Result> {
    const asked = onDelta ? { stream_deltas: true, ...request } : request;
    for await (const { type, data } of this.chat(asked, signal ? { signal } : {})) {
      if (type === 'result') {
        return data;
      }
      if (type === 'status') {
        onStatus?.(data);
      } else {
        onDelta?.(data);
      }
    }
    throw cutShort();
  }

  /** Ends the turn whose first status had this `request_id`. */
  async cancel(requestId: string): Promise<void> {
    await this.#send('POST', '/cancel', { request_id: requestId });
  }

  config(): Promise<unknown> {
    return this.#json('GET', '/config');
  }

  configSchema(): Promise<unknown> {
    return this.#json('GET', '/config/schema');
  }

  validateConfig(config: unknown): Promise<unknown> {
    return this.#json('POST', '/config/validate', config);
  }

  async sessions(): Promise<readonly SessionSummary[]> {
    const { sessions } = (await this.#json('GET', '/chat/sessions')) as { readonly sessions: readonly SessionSummary[] };
    return sessions;
  }

  async session(id: string): Promise<Session> {
    return (await this.#json('GET', `/chat/sessions/${encodeURIComponent(id)}`)) as Session;
  }

  async saveSession(session: Session): Promise<void> {
    await this.#send('POST', '/chat/sessions', session);
  }

  async deleteSession(id: string): Promise<void> {
    await this.#send('DELETE', `/chat/sessions/${encodeURIComponent(id)}`);
  }

  async *#stream(path: string, request: unknown, { signal }: AskOptions): AsyncGenerator<CopilotEvent, void, undefined> {
    const response = await this.#send('POST', path, request, signal);
    const type = response.headers.get('Content-Type') ?? '';
    if (!response.body || !type.startsWith('text/event-stream')) {
      await response.body?.cancel();
      throw new CopilotError('request', `This is no answer of the copilot: ${type || 'nothing'} came.`, { status: response.status });
    }
    const events = readSSE(response.body);
    try {
      for await (const { event, data } of events) {
        signal?.throwIfAborted(); // what had come before is not heard any more either
        if (event === 'status' || event === 'delta' || event === 'result') {
          yield { type: event, data: parsed(data) } as CopilotEvent;
        } else if (event === 'error') {
          const { step, detail } = parsed(data) as { readonly step: string; readonly detail: string };
          throw new CopilotError(step, detail);
        }
        if (event === 'result') {
          return;
        }
      }
    } catch (error) {
      throw this.#named(error, 'The connection was lost before the answer was complete.', signal);
    }
    throw cutShort();
  }

  async #json(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    const response = await this.#send(method, path, body);
    try {
      return await response.json();
    } catch (cause) {
      throw new CopilotError('request', 'This is no answer of the copilot: it is not JSON.', { status: response.status, cause });
    }
  }

  /** A response whose status is that of a success. */
  async #send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = {
      ...(this.#token ? { Authorization: `token ${this.#token}` } : method === 'GET' ? {} : xsrf()),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const content = body === undefined ? null : JSON.stringify(body);
    let response: Response;
    try {
      response = await this.#fetch(this.#endpoint + path, { method, headers, body: content, signal: signal ?? null });
    } catch (error) {
      throw this.#named(error, `The server at ${this.#endpoint} cannot be reached.`, signal);
    }
    if (!response.ok) {
      throw await refusal(response);
    }
    return response;
  }

  /** An abort and our own errors stay what they are; what a browser says of the network says nothing to a person. */
  #named(error: unknown, detail: string, signal: AbortSignal | undefined): unknown {
    return signal?.aborted || error instanceof CopilotError ? error : new CopilotError('connection', detail, { cause: error });
  }
}

function cutShort(): CopilotError {
  return new CopilotError('connection', 'The stream ended before the answer was complete.');
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new CopilotError('connection', 'The server sent an event that cannot be read.', { cause });
  }
}

/** The cookie that a page of a Jupyter server must repeat in a header. */
function xsrf(): Readonly<Record<string, string>> {
  const cookies = typeof document === 'undefined' ? '' : document.cookie;
  const value = /(?:^|;\s*)_xsrf=([^;]*)/.exec(cookies)?.[1];
  return value ? { 'X-XSRFToken': value } : {};
}
