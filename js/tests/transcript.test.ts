import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import type { TableBlock } from '../src/shared/wire';
import { Clock } from '../src/panel/clock';
import { ofCell, ofResult } from '../src/panel/subject';
import { answer, transcript } from '../src/panel/transcript';
import { conversation, step, text, turn } from './conversation';

const TABLE: TableBlock = {
  id: 'tb',
  kind: 'table',
  frame_key: 't1',
  columns: ['qubit', 'T1 | µs'],
  rows: [['Q1', 1.5], ['Q2', null]],
  total_rows: 64,
};

test('A proposed change as a diff', () => {
  const lines = [{ kind: 'same', text: 'a' }, { kind: 'removed', text: 'b' }, { kind: 'added', text: 'c' }] as const;
  const edit = { id: 'x', kind: 'edit', edit_id: 'e', cell_id: 'c1', label: '[3]', why: 'It is c.', after: 'a\nc', state: 'proposed' } as const;
  const said = answer(turn({ blocks: [{ ...edit, lines }] }));
  assert.equal(said, '**Proposed edit of cell [3]** It is c.\n\n      a\n    - b\n    + c');
});

test('A conversation as Markdown', () => {
  const failed = { id: 'e1', kind: 'error', title: 'No answer.', hint: 'Try again.' } as const;
  const turns = [turn({ blocks: [step(), text(' **Three** qubits. '), TABLE], assessment: 'bad' }), turn({ blocks: [failed] })];
  const lines = transcript(conversation({ turns })).split('\n').filter(Boolean);
  assert.deepEqual(lines, [
    '## Which qubits lost T1?',
    '**Assessment: Bad**',
    '- Reading a parameter over time · t1, last 30 days · 1,234 rows',
    '**Three** qubits.',
    '| qubit | T1   µs |',
    '| --- | --- |',
    '| Q1 | 1.5 |',
    '| Q2 | – |',
    '64 rows in `copilot.data["t1"]`',
    '## Which qubits lost T1?',
    '**No answer.** Try again.',
  ]);
  assert.equal(answer(turn({ blocks: [step(), text('Three.')] })), 'Three.');
});

test('What the next question is about', () => {
  const keys = { task: 'CheckT1', qid: '7', execution_id: '20261001-003', task_id: 'x1' };
  const result = { ...keys, label: 'Q07', status: 'failed', excluded: false, started: '2026-10-01 08:05', values: [] };
  assert.deepEqual(ofResult(result).analysis, keys);
  assert.equal(ofResult(result).label, 'CheckT1 · Q07 · 2026-10-01 08:05');
  const cell = { label: '[7]', code: '\n  \nfit(t1)\nplot()', output: '', pictures: [], left_out: [] };
  assert.equal(ofCell(cell).label, 'Cell [7] · fit(t1)');
  assert.equal(ofCell(cell).question, 'Explain the output of cell [7]');
  assert.equal(ofCell({ ...cell, fix: true }).question, 'Fix cell [7]');
  assert.equal(ofCell({ ...cell, code: '' }).label, 'Cell [7] · empty');
});

test('A kernel whose clock is wrong still counts from zero', () => {
  mock.timers.enable({ apis: ['Date'], now: 1_790_000_000_000 });
  try {
    const clock = new Clock();
    const since = Date.now() - 3_600_000;
    assert.equal(clock.seconds(since), 3600);
    clock.observe([{ op: 'turn', turn_id: 'a1', set: { status_since: since } }]);
    assert.equal(clock.seconds(since), 0);
    mock.timers.tick(2500);
    assert.equal(clock.seconds(since), 2);
    // A message that was quicker on its way tells more.
    clock.observe([{ op: 'block', turn_id: 'a1', block: step({ state: 'running', started_at: Date.now() - 3_600_500 }) }]);
    assert.equal(clock.seconds(since), 2);
    clock.observe([{ op: 'turn', turn_id: 'a1', set: { status_since: Date.now() - 3_599_000 } }]);
    assert.equal(clock.seconds(since), 3);
  } finally {
    mock.timers.reset();
  }
});
