import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CopilotClient } from '../src/client/copilot-client';
import { CopilotError } from '../src/client/copilot-error';
import type { Status } from '../src/client/wire';
import { answerJson, beginStream, play, withService } from './http-service';
import { all, pieces, recorded } from './recorded';

const QUESTION = { message: 'Which qubits lost T1 in the last 30 days?', chip_id: '64Qv2' };
const FIRST = 'event: status\ndata: {"step": "run_chat", "message": "…", "request_id": "r1"}\n\n:\n\n';
const DONE = 'event: result\ndata: {"blocks": [], "assessment": null}\n\n';

/** Fails unless it is rejected with a CopilotError, and gives that. */
async function errorOf(promise: Promise<unknown>): Promise<CopilotError> {
  const error: unknown = await promise.then(() => null, (reason: unknown) => reason);
  assert(error instanceof CopilotError, String(error));
  return error;
}

test('A recorded answer that comes slowly and in small pieces', async () => {
  await withService(
    async (_, response) => {
      await play(response, pieces(recorded(), 41));
      response.end();
    },
    async ({ endpoint, asked }) => {
      const events = await all(new CopilotClient({ endpoint, token: 'secret' }).chat(QUESTION));
      assert.deepEqual([...new Set(events.map(({ type }) => type))], ['status', 'delta', 'result']);
      const [first, last] = [events[0], events.at(-1)];
      assert(first?.type === 'status' && first.data.request_id);
      assert(last?.type === 'result' && last.data.blocks.length === 2);
      assert.deepEqual(asked.map(({ method, url, json }) => [method, url, json]), [['POST', '/qdash/copilot/chat/stream', QUESTION]]);
      assert.equal(asked[0]?.headers['content-type'], 'application/json');
      assert.equal(asked[0]?.headers.authorization, 'token secret');
    },
  );
});

test('The result in one call, with what happens meanwhile', async () => {
  await withService(
    async (_, response) => {
      await play(response, [recorded()]);
      response.end();
    },
    async ({ endpoint, asked }) => {
      const client = new CopilotClient({ endpoint: `${endpoint}/` });
      const steps: string[] = [];
      let text = '';
      const result = await client.ask(QUESTION, {
        onStatus: ({ step }) => steps.push(step),
        onDelta: delta => (text = delta.replace ? delta.text : text + delta.text),
      });
      assert.equal(result.assessment, 'warning');
      assert.deepEqual(steps, ['load_config', 'run_chat', 'tool_call', 'thinking', 'complete']);
      assert.match(text, /^\*\*4 of 64 qubits\*\* .* 📉$/u);
      await client.ask(QUESTION);
      assert.deepEqual(asked.map(({ json }) => json), [{ ...QUESTION, stream_deltas: true }, QUESTION]);
    },
  );
});

test('The other two questions have addresses of their own', async () => {
  const about = { task_name: 'CheckT1', chip_id: '64Qv2', qid: '12', execution_id: 'e', task_id: 't', message: 'Why?' };
  await withService(
    async (_, response) => {
      await play(response, [DONE]);
      response.end();
    },
    async ({ endpoint, asked }) => {
      const client = new CopilotClient({ endpoint });
      await all(client.analyze(about));
      await all(client.aiReply('a/b'));
      assert.deepEqual(asked.map(({ url, json }) => [url, json]), [
        ['/qdash/copilot/analyze/stream', about],
        ['/qdash/copilot/issues/a%2Fb/ai-reply/stream', {}],
      ]);
    },
  );
});

const REFUSALS: readonly (readonly [number, unknown, string, readonly string[]])[] = [
  [400, { detail: 'The request is not valid.', violations: ['message: missing', { field: 'qid' }] }, 'The request is not valid.', ['message: missing', '{"field":"qid"}']],
  [403, { detail: 'Forbidden' }, 'Forbidden', []],
  [413, { detail: 'The picture is larger than 10 MB.' }, 'The picture is larger than 10 MB.', []],
  [429, { detail: 'Three questions are being answered.' }, 'Three questions are being answered.', []],
  [503, { detail: 'The copilot is not configured.' }, 'The copilot is not configured.', []],
  [502, null, 'The server answered 502 Bad Gateway', []],
];

for (const [status, json, detail, violations] of REFUSALS) {
  test(`Refused with ${status}`, async () => {
    await withService(
      (_, response) => answerJson(response, status, json),
      async ({ endpoint }) => {
        const error = await errorOf(all(new CopilotClient({ endpoint }).chat(QUESTION)));
        assert.deepEqual([error.step, error.status, error.detail, error.violations], ['request', status, detail, violations]);
      },
    );
  });
}

test('A page in place of a stream or of JSON is no answer', async () => {
  await withService(
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end('<title>Sign in</title>');
    },
    async ({ endpoint }) => {
      const client = new CopilotClient({ endpoint });
      assert.match((await errorOf(client.ask(QUESTION))).detail, /^This is no answer of the copilot: text\/html came/);
      assert.match((await errorOf(client.config())).detail, /^This is no answer of the copilot/);
    },
  );
});

test("The server's error ends the stream", async () => {
  await withService(
    async (_, response) => {
      await play(response, [FIRST, 'event: error\ndata: {"step": "run_chat", "detail": "The model did not answer."}\n\n', DONE]);
      response.end();
    },
    async ({ endpoint }) => {
      const error = await errorOf(all(new CopilotClient({ endpoint }).chat(QUESTION)));
      assert.deepEqual([error.step, error.detail, error.status], ['run_chat', 'The model did not answer.', null]);
    },
  );
});

test('A stream that ends too early is an error, and so is one whose connection breaks', async () => {
  for (const isBroken of [false, true]) {
    await withService(
      async (_, response) => {
        await play(response, [FIRST, recorded().subarray(0, 1000)]);
        if (isBroken) {
          response.destroy();
        } else {
          response.end();
        }
      },
      async ({ endpoint }) => {
        const error = await errorOf(new CopilotClient({ endpoint }).ask(QUESTION));
        assert.equal(error.step, 'connection');
        assert.match(error.detail, /before the answer was complete\.$/);
      },
    );
  }
});

test('An event that is no JSON, and one of a later version', async () => {
  await withService(
    async ({ json }, response) => {
      const isLater = (json as typeof QUESTION).message === 'later';
      await play(response, [isLater ? 'event: usage\ndata: -\n\n' : 'event: status\ndata: {\n\n', DONE]);
      response.end();
    },
    async ({ endpoint }) => {
      const client = new CopilotClient({ endpoint });
      assert.equal((await errorOf(client.ask(QUESTION))).detail, 'The server sent an event that cannot be read.');
      assert.deepEqual((await client.ask({ message: 'later' })).blocks, []);
    },
  );
});

test('Where no server is, the error names it', async () => {
  let endpoint = '';
  await withService(() => undefined, async service => {
    endpoint = service.endpoint;
    return Promise.resolve();
  });
  const error = await errorOf(new CopilotClient({ endpoint }).ask(QUESTION));
  assert.deepEqual([error.step, error.detail], ['connection', `The server at ${endpoint} cannot be reached.`]);
});

for (const how of ['an abort', 'a break out of the loop'] as const) {
  test(`The server sees ${how}: the connection is closed`, async () => {
    let closed: () => void;
    const isClosed = new Promise<void>(resolve => (closed = resolve));
    await withService(
      (_, response) => {
        response.on('close', () => closed());
        beginStream(response);
        response.write(FIRST);
      },
      async ({ endpoint }) => {
        const abort = new AbortController();
        const statuses: Status[] = [];
        const reading = (async () => {
          for await (const { type, data } of new CopilotClient({ endpoint }).chat(QUESTION, { signal: abort.signal })) {
            assert(type === 'status');
            statuses.push(data);
            if (how === 'an abort') {
              abort.abort();
            } else {
              break;
            }
          }
        })();
        const error: unknown = await reading.then(() => null, (reason: unknown) => reason);
        assert.equal(error, how === 'an abort' ? abort.signal.reason : null);
        assert.equal(statuses.length, 1);
        await isClosed;
      },
    );
  });
}

test('A question that is aborted before it is asked is not sent', async () => {
  await withService(
    (_, response) => answerJson(response, 500, null),
    async ({ endpoint, asked }) => {
      const signal = AbortSignal.abort('changed my mind');
      const error: unknown = await new CopilotClient({ endpoint }).ask(QUESTION, { signal }).catch((reason: unknown) => reason);
      assert.equal(error, 'changed my mind');
      assert.equal(asked.length, 0);
    },
  );
});

const SESSION = { session_id: 's 1', title: 'T1', context: null, messages: [], created_at: '2025-11-25T00:00:00Z', updated_at: '2025-11-25T00:00:00Z' };

test('Configuration, sessions and cancelling', async () => {
  await withService(
    ({ url, method }, response) => answerJson(response, 200, url.endsWith('/chat/sessions') ? { sessions: [SESSION] } : { method, url }),
    async ({ endpoint, asked }) => {
      const client = new CopilotClient({ endpoint });
      assert.deepEqual(await client.config(), { method: 'GET', url: '/qdash/copilot/config' });
      assert.deepEqual(await client.configSchema(), { method: 'GET', url: '/qdash/copilot/config/schema' });
      await client.validateConfig({ models: [] });
      assert.deepEqual(await client.sessions(), [SESSION]);
      await client.session('s 1');
      await client.saveSession(SESSION);
      await client.deleteSession('s 1');
      await client.cancel('r1');
      assert.deepEqual(asked.slice(2).map(({ method, url, json }) => [method, url.replace('/qdash/copilot', ''), json]), [
        ['POST', '/config/validate', { models: [] }],
        ['GET', '/chat/sessions', null],
        ['GET', '/chat/sessions/s%201', null],
        ['POST', '/chat/sessions', SESSION],
        ['DELETE', '/chat/sessions/s%201', null],
        ['POST', '/cancel', { request_id: 'r1' }],
      ]);
    },
  );
});

test("On a page of the same server its cookie is repeated where something changes, unless there is a token", async () => {
  await withService(
    (_, response) => answerJson(response, 200, {}),
    async ({ endpoint, asked }) => {
      const page = globalThis as { document?: { readonly cookie: string } };
      page.document = { cookie: 'a_xsrf=0; _xsrf=2|8f|1; other=3' };
      try {
        const client = new CopilotClient({ endpoint });
        await client.config();
        await client.cancel('r1');
        await client.saveSession(SESSION);
        await client.deleteSession('s');
        await new CopilotClient({ endpoint, token: 'secret' }).cancel('r1');
      } finally {
        delete page.document;
      }
      await new CopilotClient({ endpoint }).cancel('r1');
      const cookie = '2|8f|1';
      assert.deepEqual(asked.map(({ headers }) => headers['x-xsrftoken']), [undefined, cookie, cookie, cookie, undefined, undefined]);
    },
  );
});
