/** Questions about one result of a calibration task. Nothing is kept, and another result begins anew. */
import { historyOf } from './chat-session';
import type { CopilotClient } from './copilot-client';
import type { AnalysisContext, CopilotEvent, SessionMessage } from './wire';

export class AnalysisChat {
  readonly #client: CopilotClient;
  #context: AnalysisContext;
  #messages: SessionMessage[] = [];

  constructor(client: CopilotClient, context: AnalysisContext) {
    this.#client = client;
    this.#context = context;
  }

  get messages(): readonly SessionMessage[] {
    return this.#messages;
  }

  get context(): AnalysisContext {
    return this.#context;
  }

  /** An answer about the result before that still arrives is not added to the messages about this one. */
  set context(context: AnalysisContext) {
    const names = Object.keys(context) as (keyof AnalysisContext)[];
    if (names.some(name => context[name] !== this.#context[name])) {
      this.#messages = [];
    }
    this.#context = context;
  }

  async *ask(
    message: string,
    { image, signal }: { readonly image?: string; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<CopilotEvent, void, undefined> {
    const messages = this.#messages;
    const request = { ...this.#context, message, conversation_history: historyOf(messages) };
    messages.push(said('user', message, image));
    const events = this.#client.analyze(image === undefined ? request : { ...request, image_base64: image }, signal ? { signal } : {});
    for await (const event of events) {
      if (event.type === 'result') {
        messages.push(said('assistant', JSON.stringify(event.data)));
      }
      yield event;
    }
  }
}

function said(role: SessionMessage['role'], content: string, image?: string): SessionMessage {
  return { role, content, attached_image: image ?? null, created_at: new Date().toISOString() };
}
