import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { consumeSSEEvents, readSSE, type SSEEvent } from '../src/client/sse';
import { all, body, pieces, recorded } from './recorded';

const STREAM = recorded();
const LINES = { LF: '\n', CR: '\r', CRLF: '\r\n' };

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function read(chunks: Iterable<Uint8Array>): Promise<SSEEvent[]> {
  return all(readSSE(body(chunks)));
}

/** By the rule of the service itself, whose events have two lines. */
function byHand(text: string): SSEEvent[] {
  const events = [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)];
  return events.map(([, event = '', data = '']) => ({ event, data }));
}

const EXPECTED = byHand(new TextDecoder().decode(STREAM));

test('The recorded stream ends with the one result, and goes beyond ASCII', () => {
  assert.equal(EXPECTED.filter(({ event }) => event === 'result').length, 1);
  assert.equal(EXPECTED.at(-1)?.event, 'result');
  assert(STREAM.some(byte => byte >= 0xf0), 'an emoji has four bytes');
});

test('A recorded stream in two pieces, cut at every byte', async () => {
  for (let cut = 0; cut <= STREAM.length; cut++) {
    assert.deepEqual(await read([STREAM.subarray(0, cut), STREAM.subarray(cut)]), EXPECTED, `cut at ${cut}`);
  }
});

for (const size of [1, 2, 3, 7]) {
  test(`A recorded stream in pieces of ${size} bytes`, async () => {
    assert.deepEqual(await read(pieces(STREAM, size)), EXPECTED);
  });
}

test('The text of a recorded stream cut at every letter, the remainder put before the rest', () => {
  const text = new TextDecoder().decode(STREAM);
  for (let cut = 0; cut <= text.length; cut++) {
    const first = consumeSSEEvents(text.slice(0, cut));
    const second = consumeSSEEvents(first.remainder + text.slice(cut));
    assert.deepEqual([...first.events, ...second.events], EXPECTED, `cut at ${cut}`);
    assert.equal(second.remainder, '');
  }
});

for (const [name, end] of Object.entries(LINES)) {
  const text = ['event: a', 'data: 1', '', ':', '', 'data: 2', 'data: 3', '', 'data: open'].join(end);
  const expected = [{ event: 'a', data: '1' }, { event: 'message', data: '2\n3' }];

  test(`Lines may end with ${name}, cut at every byte`, async () => {
    for (let cut = 0; cut <= text.length; cut++) {
      assert.deepEqual(await read([bytes(text.slice(0, cut)), bytes(text.slice(cut))]), expected, `cut at ${cut}`);
      const first = consumeSSEEvents(text.slice(0, cut));
      const second = consumeSSEEvents(first.remainder + text.slice(cut));
      assert.deepEqual([...first.events, ...second.events], expected, `text cut at ${cut}`);
    }
    assert.deepEqual(await read(pieces(bytes(text), 1)), expected);
  });
}

test('A CR at the end of a text waits for the LF that may follow', () => {
  assert.deepEqual(consumeSSEEvents('data: 1\r\r'), { events: [], remainder: 'data: 1\r\r' });
  assert.deepEqual(consumeSSEEvents('data: 1\r\n\r'), { events: [], remainder: 'data: 1\r\n\r' });
  assert.deepEqual(consumeSSEEvents('data: 1\r\r\n'), { events: [{ event: 'message', data: '1' }], remainder: '' });
});

test('Of a body an event is read as soon as its blank line is there, also where lines end with CR', async () => {
  let pulled = 0;
  const chunks = ['data: 1\r\r', 'data: 2\r', '\r'].map(bytes);
  function* counted(): Generator<Uint8Array> {
    for (const chunk of chunks) {
      pulled += 1;
      yield chunk;
    }
  }
  const events = readSSE(body(counted()));
  assert.deepEqual((await events.next()).value, { event: 'message', data: '1' });
  assert(pulled <= 2, 'a body reads one piece ahead');
  assert.deepEqual(await all(events), [{ event: 'message', data: '2' }]);
});

const CASES: readonly (readonly [string, string, readonly SSEEvent[]])[] = [
  ['only one space after the colon goes', 'data:  a\n\ndata:b\n\n', [message(' a'), message('b')]],
  ['data in several lines, an empty one among them', 'data: a\ndata\ndata:\ndata: b\n\n', [message('a\n\n\nb')]],
  ['no data, no event', 'event: a\n\nid: 1\n\n:\n\ndata: b\n\n', [message('b')]],
  ['a line of data without text is an event', 'data\n\ndata:\n\n', [message(''), message('')]],
  ['comments and unknown fields', ': data: x\nfoo: bar\nfoo\n:data\nretry: 10\ndata: a\n\n', [message('a')]],
  ['names are exact', ' data: x\nData: x\ndata : x\ndata: a\n\n', [message('a')]],
  ['the last type counts, and only for its event', 'event: a\nevent: b\ndata: 1\n\ndata: 2\n\n', [{ event: 'b', data: '1' }, message('2')]],
  ['an empty type is a message', 'event:\ndata: 1\n\n', [message('1')]],
  ['an id, but none with a NUL', 'id: 7\ndata: 1\n\nid: \0\ndata: 2\n\nid\ndata: 3\n\n', [{ ...message('1'), id: '7' }, message('2'), { ...message('3'), id: '' }]],
  ['a colon in the data', 'data: {"a": "b:c"}\n\n', [message('{"a": "b:c"}')]],
  ['a byte order mark at the start', '\uFEFFdata: 1\n\ndata: \uFEFF2\n\n', [message('1'), message('\uFEFF2')]],
  ['blank lines at the start, and more than one between', '\n\ndata: 1\n\n\n\n\ndata: 2\n\n', [message('1'), message('2')]],
  ['other separators of lines are text', 'data: a\u2028b\u0085c\u000bd\n\n', [message('a\u2028b\u0085c\u000bd')]],
  ['what is open at the end is dropped', 'data: 1\n\ndata: 2\n', [message('1')]],
  ['nothing', '', []],
];

function message(data: string): SSEEvent {
  return { event: 'message', data };
}

for (const [name, text, expected] of CASES) {
  test(`By the standard: ${name}`, async () => {
    assert.deepEqual(consumeSSEEvents(text).events, expected);
    for (const size of [1, 2, 3, 1000]) {
      assert.deepEqual(await read(pieces(bytes(text), size)), expected);
    }
  });
}

test('Every character is looked at once, however long an event and however small its pieces', async () => {
  const text = `event: result\ndata: "${'µ'.repeat(500_000)}"\n\n`;
  const split = mock.method(String.prototype, 'split');
  const [result] = await read(pieces(bytes(text), 1024));
  split.mock.restore();
  const looked = split.mock.calls.reduce((sum, call) => sum + String(call.this).length, 0);
  assert.equal(result?.data.length, 500_002);
  assert(looked >= text.length && looked < 1.1 * text.length, `${looked} of ${text.length}`);
});

test('Who stops reading closes the body', async () => {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(bytes('data: 1\n\ndata: 2\n\n')),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const { data } of readSSE(stream)) {
    assert.equal(data, '1');
    break;
  }
  assert(isCancelled);
});
