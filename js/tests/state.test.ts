import assert from 'node:assert/strict';
import { test } from 'node:test';

import { initialState, type Op, type Patch, type Snapshot, type State } from '../src/shared/wire';
import { apply, restored } from '../src/panel/state';
import { appended, conversation, text, turn } from './conversation';
import { golden } from './golden';

interface Case {
  readonly name: string;
  readonly start: State | null;
  readonly messages: readonly (Patch | Snapshot)[];
  readonly expected: State;
}

for (const [file, content] of golden('panel-')) {
  for (const { name, start, messages, expected } of [content].flat() as readonly Case[]) {
    test(`${file}: ${name}`, () => {
      const shown = messages.reduce(
        (state, message) => (message.type === 'snapshot' ? message.state : message.ops.reduce(apply, state)),
        start ?? initialState,
      );
      assert.deepEqual(shown, expected);
    });
  }
}

test('What an op does not touch stays the same object', () => {
  const first = turn({ blocks: [text('one')] });
  const start = conversation({ turns: [first, turn({ turn_id: 'a2', blocks: [text('two', 't0'), text('')] })] });
  const after = apply(start, appended('x', 'a2'));
  assert.equal(after.turns[0], first);
  assert.equal(after.turns[1]?.blocks[0], start.turns[1]?.blocks[0]);
  assert.equal(after.frames, start.frames);
  assert(after.turns[1] !== start.turns[1]);
  assert.deepEqual(after.turns[1]?.blocks[1], text('x'));
  assert.equal(apply(start, { op: 'drop', turn_id: 'a2', block_id: 'none' }), start);
  assert.equal(apply(start, appended('x', 'none')), start);
});

test('An op changes no object: frozen all through, one can still go on from the state before', () => {
  const ops: readonly Op[] = [
    appended(' two'),
    { op: 'block', turn_id: 'a1', block: text('three', 't3') },
    { op: 'turn', turn_id: 'a1', set: { state: 'done' } },
    { op: 'turn', turn_id: 'a2', set: { state: 'thinking' } },
    { op: 'drop', turn_id: 'a1', block_id: 't3' },
    { op: 'set', key: 'frames', value: [] },
  ];
  const start = frozen(conversation({ turns: [turn({ blocks: [text('one')] })] }));
  const { turns } = ops.reduce((state, op) => frozen(apply(state, frozen(op))), start);
  assert.deepEqual(turns.map(each => each.turn_id), ['a1', 'a2']);
  assert.deepEqual(turns[0]?.blocks, [text('one two')]);
});

test('A snapshot takes over what is equal in the state before', () => {
  const old = conversation({ turns: [turn({ blocks: [text('one')] }), turn({ turn_id: 'a2' })] });
  const same = structuredClone(old);
  assert.equal(restored(old, same), old);
  const changed = restored(old, { ...same, turns: [...same.turns.slice(0, 1), turn({ turn_id: 'a2', state: 'done' })] });
  assert.equal(changed.turns[0], old.turns[0]);
  assert.equal(changed.turns[1]?.state, 'done');
  const shorter = restored(old, { ...same, turns: same.turns.slice(0, 1) });
  assert.deepEqual(shorter.turns, old.turns.slice(0, 1));
});

test('Before the first message the database is being opened', () => {
  const { v, about, frames, turns, starters } = initialState;
  assert.deepEqual([v, about.state, frames, turns, starters], [1, 'connecting', [], [], []]);
});

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}
