/**
 * The client against the real service, where one runs:
 *
 *   QDASH_SSE_ENDPOINT=http://…/qdash/copilot QDASH_SSE_TOKEN=… node test.mjs real-server
 *
 * QDASH_SSE_QUESTION asks something else than the usual question.
 */
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { env } from 'node:process';
import { test } from 'node:test';

import { blocksOf, textOf } from '../src/client/answer';
import { CopilotClient } from '../src/client/copilot-client';
import { CopilotError } from '../src/client/copilot-error';
import type { CopilotEvent, Session } from '../src/client/wire';
import { all, pieces } from './recorded';

const { QDASH_SSE_ENDPOINT: endpoint = '', QDASH_SSE_TOKEN: token = '' } = env;
const QUESTION = { message: env.QDASH_SSE_QUESTION ?? 'Which qubits lost T1 in the last 30 days?' };
const OPTIONS = { skip: endpoint ? false : 'QDASH_SSE_ENDPOINT names no server', timeout: 120_000 };
const client = new CopilotClient({ endpoint, token });

/** Fails unless the events are in order: a request id first, one result last. */
function check(events: readonly CopilotEvent[]): void {
  const [first, last] = [events[0], events.at(-1)];
  assert(first?.type === 'status' && first.data.request_id, 'the first event names the request');
  assert(last?.type === 'result', 'the last event is the result');
  assert.equal(events.filter(({ type }) => type === 'result').length, 1);
  assert(blocksOf(last.data).length > 0, 'it holds blocks');
  assert.equal(blocksOf(last.data).length, last.data.blocks.length, 'all of which can be shown');
}

async function refused(promise: Promise<unknown>): Promise<CopilotError> {
  const error: unknown = await promise.then(() => null, (reason: unknown) => reason);
  assert(error instanceof CopilotError, String(error));
  return error;
}

test('A question is answered', OPTIONS, async () => {
  const events = await all(client.chat(QUESTION));
  check(events);
  assert(!events.some(({ type }) => type === 'delta'), 'nobody asked for deltas');
});

test('The text of an answer grows to that of its result', OPTIONS, async () => {
  let grown = '';
  const result = await client.ask(QUESTION, {
    onDelta: ({ text, replace }) => (grown = replace ? text : grown + text),
  });
  assert(textOf(result), 'an answer says something');
  assert(grown, 'deltas were asked for');
});

test('A question goes on from what was said before', OPTIONS, async () => {
  const before = [
    { role: 'user', content: QUESTION.message },
    { role: 'assistant', content: textOf(await client.ask(QUESTION)) },
  ] as const;
  check(await all(client.chat({ ...QUESTION, conversation_history: before })));
});

test('What is no request is refused with what is wrong with it', OPTIONS, async () => {
  const error = await refused(client.ask({} as typeof QUESTION));
  assert.equal(error.status, 400);
  assert(error.detail && error.violations.length > 0);
});

test('A wrong token is refused', OPTIONS, async () => {
  const stranger = new CopilotClient({ endpoint, token: 'wrong' });
  for (const call of [() => stranger.ask(QUESTION), () => stranger.config(), () => stranger.sessions()]) {
    assert.equal((await refused(call())).status, 403);
  }
});

test('The configuration is read', OPTIONS, async () => {
  assert.equal(typeof (await client.config()), 'object');
  assert.equal(typeof (await client.configSchema()), 'object');
});

test('A session is put, read, listed and deleted', OPTIONS, async () => {
  const now = new Date().toISOString();
  const messages = [
    { role: 'user', content: 'T₁ のグラフ 📈?', attached_image: null, created_at: now },
    { role: 'assistant', content: '{"blocks": [], "assessment": null}', attached_image: null, created_at: now },
  ] as const;
  const about = { session_id: `test-${Math.random().toString(36).slice(2)}`, title: '量子ビット', context: { chip_id: '64Qv2' } };
  const session: Session = { ...about, messages, created_at: now, updated_at: now };
  await client.saveSession(session);
  const read = await client.session(about.session_id);
  assert.deepEqual(read.messages.map(({ role, content }) => [role, content]), messages.map(({ role, content }) => [role, content]));
  assert.deepEqual([read.title, read.context], [about.title, about.context]);
  const listed = (await client.sessions()).find(({ session_id }) => session_id === about.session_id);
  assert.deepEqual([listed?.title, listed?.message_count], [about.title, 2]);
  await client.deleteSession(about.session_id);
  assert.equal((await refused(client.session(about.session_id))).status, 404);
  assert(!(await client.sessions()).some(({ session_id }) => session_id === about.session_id));
});

test('A question that is given up, and one that is cancelled, leave room for the next', OPTIONS, async () => {
  for (const how of ['abort', 'cancel'] as const) {
    const abort = new AbortController();
    const events = client.chat(QUESTION, { signal: abort.signal });
    const first = await events.next();
    assert(!first.done && first.value.type === 'status' && first.value.data.request_id);
    if (how === 'abort') {
      abort.abort();
      const error: unknown = await events.next().catch((reason: unknown) => reason);
      assert.equal(error, abort.signal.reason);
    } else {
      await client.cancel(first.value.data.request_id).catch((error: unknown) => {
        // It may have been answered meanwhile.
        assert(error instanceof CopilotError && error.status === 404, String(error));
      });
      await all(events).catch((error: unknown) => assert(error instanceof CopilotError && !error.status, String(error)));
    }
    check(await all(client.chat(QUESTION)));
  }
});

for (const size of [1, 2, 3, 7]) {
  test(`An answer whose bytes come by ${size}`, OPTIONS, async () => {
    await throughProxy(size, async proxied => {
      check(await all(new CopilotClient({ endpoint: proxied, token }).chat({ ...QUESTION, stream_deltas: true })));
    });
  });
}

/** Gives the endpoint of a proxy that passes on what the server sends in pieces of `size` bytes. */
async function throughProxy(size: number, run: (endpoint: string) => Promise<void>): Promise<void> {
  const { hostname, port, pathname } = new URL(endpoint);
  const proxy = createServer(browser => {
    const server = connect(Number(port || 80), hostname);
    browser.setNoDelay(true);
    browser.pipe(server);
    let sent = Promise.resolve();
    server.on('data', data => {
      sent = sent.then(() => sendPieces(data));
    });
    server.on('end', () => void sent.then(() => browser.end()));
    [browser, server].forEach(each => each.on('error', () => [browser, server].forEach(socket => socket.destroy())));
    browser.on('close', () => server.destroy());

    async function sendPieces(data: Uint8Array): Promise<void> {
      for (const piece of pieces(data, size)) {
        // The next one when this one is out.
        await new Promise<void>(resolve => browser.write(piece, resolve));
      }
    }
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  try {
    await run(`http://127.0.0.1:${proxy.address().port}${pathname}`);
  } finally {
    proxy.close();
  }
}
