import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isMessage } from '../src/extension/link/messages';
import { Outbox, type Sent } from '../src/extension/link/outbox';
import { golden } from './golden';

for (const [file, content] of golden('control-')) {
  const { message, ...about } = content as { readonly message: unknown };
  test(`${file} ${'comm_open' in about ? 'opens a comm' : 'is a message'}`, () => {
    assert.equal(isMessage(message), !('comm_open' in about));
  });
}

test('What is no message is left alone', () => {
  for (const raw of [null, undefined, 'hello', 1, [], ['type'], {}, { type: 1 }]) {
    assert(!isMessage(raw));
  }
});

const ASK: Sent = { type: 'ask', ask_id: 'e1', text: 'T1?', analysis: null, cell: null, n: 1 };
const STOP: Sent = { type: 'stop', turn_id: null, n: 2 };
const NEW: Sent = { type: 'new', n: 3 };

function filled(): Outbox {
  const outbox = new Outbox();
  [ASK, STOP, NEW].forEach(command => outbox.put(command));
  return outbox;
}

test('A command waits until it is acknowledged: a question by its own name, others by their number', () => {
  const outbox = filled();
  const ack = { type: 'ack', ok: true, turn_id: null, message: null } as const;
  assert(outbox.settle({ ...ack, of: 'e1' }));
  assert(!outbox.settle({ ...ack, of: 'e1' }));
  assert(outbox.has('stop'));
  assert(outbox.settle({ ...ack, of: 2 }));
  assert(!outbox.has('stop'));
  assert(!outbox.isEmpty);
  assert(outbox.settle({ ...ack, of: 3 }));
  assert(outbox.isEmpty);
});

test('Only what changes nothing the second time is sent again', () => {
  const outbox = filled();
  assert.deepEqual(outbox.repeatable(), [ASK, STOP]);
  assert.deepEqual(outbox.refuse('Lost.', 'once'), [{ type: 'ack', of: 3, ok: false, turn_id: null, message: 'Lost.' }]);
  assert.deepEqual(outbox.refuse('Gone.').map(({ of }) => of), ['e1', 2]);
  assert(outbox.isEmpty);
});
