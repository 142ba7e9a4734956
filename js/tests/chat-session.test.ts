import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AnalysisChat } from '../src/client/analysis-chat';
import { ChatSessions, historyOf, type Question } from '../src/client/chat-session';
import { CopilotClient } from '../src/client/copilot-client';
import type { KeyValues } from '../src/client/local-sessions';
import type { ChatRequest, Session } from '../src/client/wire';
import { all } from './recorded';

const QUESTION: Question = { message: 'Which qubits lost T1?' };

/** A server of sessions that can be switched off, as a function in place of `fetch`. */
class Server {
  readonly sessions = new Map<string, Session>();
  readonly asked: unknown[] = [];
  isOn = true;
  hasSessions = true;

  readonly client = new CopilotClient({ endpoint: 'http://qdash.example', fetch: (url, init) => this.#fetch(url as string, init) });

  #fetch(url: string, { method = 'GET', body, signal }: RequestInit = {}): Promise<Response> {
    const [, , path = '', id = ''] = new URL(url).pathname.split('/');
    const json: unknown = typeof body === 'string' ? JSON.parse(body) : null;
    if (path !== 'sessions') {
      this.asked.push(json);
      return signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve(this.#stream());
    }
    if (!this.isOn) {
      return Promise.reject(new TypeError('Failed to fetch'));
    }
    return Promise.resolve(this.hasSessions ? this.#sessions(method, id, json) : new Response('', { status: 404 }));
  }

  #stream(): Response {
    const text = `Answer ${this.asked.length}`;
    const result = { blocks: [{ type: 'text', content: text, chart: null }], assessment: null };
    return new Response(`event: result\ndata: ${JSON.stringify(result)}\n\n`, { headers: { 'Content-Type': 'text/event-stream' } });
  }

  #sessions(method: string, id: string, json: unknown): Response {
    if (method === 'POST') {
      const session = json as Session;
      this.sessions.set(session.session_id, session);
      return Response.json(session);
    }
    if (!id) {
      return Response.json({ sessions: [...this.sessions.values()].map(({ messages, ...about }) => ({ ...about, message_count: messages.length })) });
    }
    const found = this.sessions.get(id);
    if (method === 'DELETE') {
      this.sessions.delete(id);
    }
    return found ? Response.json(found) : new Response('', { status: 404 });
  }
}

class Memory implements KeyValues {
  readonly #values = new Map<string, string>();
  room = Infinity;

  get length(): number {
    return this.#values.size;
  }

  key(index: number): string | null {
    return [...this.#values.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    const others = [...this.#values].filter(([name]) => name !== key);
    if (others.reduce((sum, [, { length }]) => sum + length, value.length) > this.room) {
      throw new DOMException('Full', 'QuotaExceededError');
    }
    this.#values.set(key, value);
  }

  removeItem(key: string): void {
    this.#values.delete(key);
  }
}

function page(server: Server, storage: Memory): ChatSessions {
  return new ChatSessions({ client: server.client, storage });
}

function texts({ messages }: Session): readonly string[] {
  return messages.map(({ role, content }) => (role === 'user' ? content : /Answer \d+/.exec(content)?.[0] ?? ''));
}

test('A conversation is kept by the server, and goes on after a reload', async () => {
  const [server, storage] = [new Server(), new Memory()];
  const first = page(server, storage);
  assert.deepEqual((await first.resume()).messages, []);
  await all(first.ask(QUESTION));
  const again = page(server, storage);
  const resumed = await again.resume();
  assert.equal(resumed.session_id, first.current.session_id);
  assert.equal(resumed.title, 'Which qubits lost T1?');
  assert.deepEqual(texts(resumed), ['Which qubits lost T1?', 'Answer 1']);
  assert.deepEqual([...server.sessions.values()], [resumed]);
  await all(again.ask({ message: 'And T2?' }));
  assert.deepEqual(server.asked.at(-1), {
    message: 'And T2?',
    conversation_history: [{ role: 'user', content: 'Which qubits lost T1?' }, { role: 'assistant', content: 'Answer 1' }],
  });
});

test('Sessions are listed, opened, begun and deleted', async () => {
  const [server, storage] = [new Server(), new Memory()];
  const sessions = page(server, storage);
  await all(sessions.ask(QUESTION));
  const { session_id: one } = sessions.current;
  sessions.start({ chip_id: '64Qv2' });
  await all(sessions.ask({ message: 'x'.repeat(100) }));
  const two = sessions.current;
  assert.deepEqual([two.title.length, two.title.at(-1), two.context], [60, '…', { chip_id: '64Qv2' }]);
  assert.deepEqual((await sessions.list()).map(({ message_count }) => message_count), [2, 2]);
  assert.equal((await sessions.open(one))?.session_id, one);
  assert.equal(await sessions.open('nothing'), null);
  assert.equal(sessions.current.session_id, one);
  await sessions.remove(one);
  assert.deepEqual(sessions.current.messages, []);
  assert.deepEqual((await page(server, storage).list()).map(({ session_id }) => session_id), [two.session_id]);
});

test('Without a server this browser keeps the conversation, and hands it over later', async () => {
  const [server, storage] = [new Server(), new Memory()];
  server.isOn = false;
  const sessions = page(server, storage);
  await all(sessions.ask(QUESTION));
  assert(sessions.isAlone);
  const again = page(server, storage);
  assert.deepEqual(texts(await again.resume()), ['Which qubits lost T1?', 'Answer 1']);
  assert.equal((await again.list()).length, 1);
  server.isOn = true;
  assert.equal((await again.list()).length, 1);
  await all(again.ask({ message: 'And T2?' }));
  assert(!again.isAlone);
  assert.equal([...server.sessions.values()][0]?.messages.length, 4);
});

test('A service that keeps no sessions leaves them to the browser', async () => {
  const [server, storage] = [new Server(), new Memory()];
  server.hasSessions = false;
  const sessions = page(server, storage);
  await all(sessions.ask(QUESTION));
  assert(sessions.isAlone);
  assert.equal(texts(await page(server, storage).resume()).length, 2);
});

test('What was deleted elsewhere is gone; what another page added is there', async () => {
  const [server, storage] = [new Server(), new Memory()];
  const sessions = page(server, storage);
  await all(sessions.ask(QUESTION));
  const other = page(server, new Memory());
  await other.open(sessions.current.session_id);
  await all(other.ask({ message: 'And T2?' }));
  assert.equal((await page(server, storage).resume()).messages.length, 4);
  await other.remove(other.current.session_id);
  assert.deepEqual((await page(server, storage).resume()).messages, []);
  assert.deepEqual(await page(server, storage).list(), []);
});

test('An answer belongs to the session in which it was asked for', async () => {
  const server = new Server();
  const sessions = page(server, new Memory());
  const events = sessions.ask(QUESTION);
  const asking = events.next();
  const asked = sessions.current.session_id;
  sessions.start();
  await asking;
  assert.deepEqual(sessions.current.messages, []);
  assert.deepEqual(server.sessions.get(asked)?.messages.length, 2);
});

test('A full storage forgets what the server has, and a broken entry is none', async () => {
  const [server, storage] = [new Server(), new Memory()];
  const sessions = page(server, storage);
  await all(sessions.ask(QUESTION));
  const one = sessions.current.session_id;
  sessions.start();
  await all(sessions.ask(QUESTION));
  assert(storage.getItem(`qdash-copilot.session.${one}`));
  storage.room = 1_000;
  await all(sessions.ask(QUESTION));
  assert.equal(storage.getItem(`qdash-copilot.session.${one}`), null);
  assert.equal(texts(await page(server, storage).resume()).length, 4);
  storage.setItem(`qdash-copilot.session.${one}`, '{');
  assert.equal((await sessions.list()).length, 2);
  storage.room = 0;
  await all(sessions.ask(QUESTION));
  assert.equal(sessions.current.messages.length, 6);
});

test('A question that failed and is asked again stands there once', async () => {
  const sessions = page(new Server(), new Memory());
  await sessions.ask(QUESTION, { signal: AbortSignal.abort() }).next().catch(() => undefined);
  assert.deepEqual(texts(sessions.current), ['Which qubits lost T1?']);
  await all(sessions.ask(QUESTION));
  assert.deepEqual(texts(sessions.current), ['Which qubits lost T1?', 'Answer 2']);
});

test('A question without an answer is not told again', () => {
  const messages = (['user', 'user', 'assistant', 'user'] as const).map((role, index) => ({ role, content: `${index}`, attached_image: null, created_at: '' }));
  assert.deepEqual(historyOf(messages).map(({ content }) => content), ['1', '2']);
});

test('Questions about one result begin anew with another', async () => {
  const server = new Server();
  const context = { task_name: 'CheckT1', chip_id: '64Qv2', qid: '12', execution_id: 'e', task_id: 't' };
  const chat = new AnalysisChat(server.client, context);
  await all(chat.ask('Why?', { image: 'AAAA' }));
  await all(chat.ask('And now?'));
  assert.deepEqual(server.asked[0], { ...context, message: 'Why?', image_base64: 'AAAA', conversation_history: [] });
  assert.equal((server.asked[1] as ChatRequest).conversation_history?.length, 2);
  chat.context = { ...context };
  assert.equal(chat.messages.length, 4);
  const late = chat.ask('Still?');
  const asking = late.next();
  chat.context = { ...context, task_id: 'u' };
  await asking;
  assert.deepEqual(chat.messages, []);
});
