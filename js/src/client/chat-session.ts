/** Conversations that outlive the page: on the server, and in this browser for as long as it cannot be reached. */
import { randomId } from '../shared/random-id';
import { textOf } from './answer';
import type { CopilotClient } from './copilot-client';
import { CopilotError } from './copilot-error';
import { LocalSessions, type KeyValues } from './local-sessions';
import type { ChatRequest, CopilotEvent, HistoryItem, Session, SessionMessage, SessionSummary } from './wire';

const UNNAMED = 'New Chat';
const TITLE_LETTERS = 60;

/** The question and what it is asked with; the history is the session's own. */
export type Question = Omit<ChatRequest, 'conversation_history'>;

export interface SessionOptions {
  readonly client: CopilotClient;
  readonly storage?: KeyValues;
  readonly prefix?: string;
}

export class ChatSessions {
  readonly #client: CopilotClient;
  readonly #local: LocalSessions;
  #current: Session = emptySession();
  #isAlone = false;

  constructor({ client, storage = localStorage, prefix = 'qdash-copilot' }: SessionOptions) {
    this.#client = client;
    this.#local = new LocalSessions(storage, prefix);
  }

  get current(): Session {
    return this.#current;
  }

  /** At the last try the server did not take or give sessions: they are in this browser alone. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** The session that was open when the page was left, or a new one. */
  async resume(): Promise<Session> {
    const id = this.#local.currentId;
    return (id === null ? null : await this.open(id)) ?? this.start();
  }

  /** A new session. It is kept from its first question on. */
  start(context: Session['context'] = null): Session {
    this.#local.currentId = null;
    return (this.#current = { ...emptySession(), context });
  }

  /** Goes on with another session; null if there is none of that name. */
  async open(id: string): Promise<Session | null> {
    const kept = this.#local.get(id);
    const served = kept && !kept.isSaved ? undefined : await this.#served(() => this.#client.session(id).catch(nullIfGone));
    if (served) {
      this.#local.put({ session: served, isSaved: true });
    } else if (served === null) {
      this.#local.remove(id);
    }
    const found = served === undefined ? kept?.session : served;
    if (!found) {
      return null;
    }
    this.#local.currentId = id;
    return (this.#current = found);
  }

  /** All sessions, the newest first. */
  async list(): Promise<readonly SessionSummary[]> {
    const served = await this.#served(() => this.#client.sessions());
    const local = this.#local.all().filter(({ isSaved }) => !served || !isSaved).map(({ session }) => summary(session));
    const all = new Map([...(served ?? []), ...local].map(each => [each.session_id, each]));
    return [...all.values()].sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at));
  }

  /** Deletes a session; in place of the one that is open comes a new one. */
  async remove(id: string): Promise<void> {
    this.#local.remove(id);
    if (id === this.#current.session_id) {
      this.start();
    }
    await this.#served(() => this.#client.deleteSession(id).catch(nullIfGone));
  }

  /**
   * Asks in the session that is open now, and keeps the question at once and its answer when it is there, also if
   * another session has been opened meanwhile. The same question again takes the place of one without an answer.
   */
  async *ask(question: Question, options: { readonly signal?: AbortSignal } = {}): AsyncGenerator<CopilotEvent, void, undefined> {
    const last = this.#current.messages.at(-1);
    const isAgain = last?.role === 'user' && last.content === question.message;
    const messages = isAgain ? this.#current.messages.slice(0, -1) : this.#current.messages;
    const asked = withMessage({ ...this.#current, messages }, 'user', question.message, question.image_base64);
    this.#show(asked);
    this.#local.put({ session: asked, isSaved: false });
    this.#local.currentId = asked.session_id;
    let saving: Promise<void> | null = null;
    for await (const event of this.#client.chat({ ...question, conversation_history: historyOf(messages) }, options)) {
      if (event.type === 'result') {
        saving = this.#save(withMessage(asked, 'assistant', JSON.stringify(event.data)));
      }
      yield event;
    }
    await saving;
  }

  async #save(session: Session): Promise<void> {
    this.#show(session);
    this.#local.put({ session, isSaved: false });
    const isSaved = await this.#served(() => this.#client.saveSession(session).then(() => true));
    if (isSaved) {
      this.#local.put({ session, isSaved });
    }
  }

  #show(session: Session): void {
    if (session.session_id === this.#current.session_id) {
      this.#current = session;
    }
  }

  /** What the server says, or undefined where it says nothing: a conversation does not end for that. */
  async #served<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      const value = await call();
      this.#isAlone = false;
      return value;
    } catch {
      this.#isAlone = true;
      return undefined;
    }
  }
}

function nullIfGone(error: unknown): null {
  if (error instanceof CopilotError && error.status === 404) {
    return null;
  }
  throw error;
}

/** Earlier questions with their answers, as texts; a question without one would be asked again. */
export function historyOf(messages: readonly SessionMessage[]): readonly HistoryItem[] {
  return messages
    .filter(({ role }, index) => role === 'assistant' || messages[index + 1]?.role === 'assistant')
    .map(({ role, content }) => ({ role, content: role === 'assistant' ? textOf(content) : content }));
}

function emptySession(): Session {
  const now = new Date().toISOString();
  return { session_id: randomId(), title: UNNAMED, context: null, messages: [], created_at: now, updated_at: now };
}

function withMessage(session: Session, role: SessionMessage['role'], content: string, image?: string): Session {
  const now = new Date().toISOString();
  const title = session.messages.length > 0 ? session.title : shortened(content);
  const message = { role, content, attached_image: image ?? null, created_at: now };
  return { ...session, title, messages: [...session.messages, message], updated_at: now };
}

function shortened(question: string): string {
  const letters = Array.from(question.trim().replace(/\s+/g, ' '));
  return letters.length > TITLE_LETTERS ? `${letters.slice(0, TITLE_LETTERS - 1).join('')}…` : letters.join('') || UNNAMED;
}

function summary({ messages, ...session }: Session): SessionSummary {
  return { ...session, message_count: messages.length };
}
