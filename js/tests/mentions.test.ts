import assert from 'node:assert/strict';
import { test } from 'node:test';

import { completed, fitting, writtenAt } from '../src/panel/mentions';
import type { Mention } from '../src/shared/wire';

const MENTIONS: readonly Mention[] = [
  { name: 't1', kind: 'variable', about: 'DataFrame 64 × 3', rows: null },
  { name: 'fit_t1', kind: 'variable', about: 'array 64', rows: null },
  { name: 't1_2', kind: 'data', about: '', rows: 64 },
  { name: 'Q07', kind: 'qubit', about: '', rows: null },
  { name: 'Q07-Q08', kind: 'coupling', about: '', rows: null },
];
const CELLS = [{ cell_id: 'c7', label: '[7]', first: 'fit.plot()' }];

function found(word: string): readonly string[] {
  return fitting(MENTIONS, CELLS, word).map(({ name }) => name);
}

test('A name is being written behind an @ that stands by itself', () => {
  assert.deepEqual(writtenAt('T1 of @Q0', 9), { start: 6, word: 'Q0' });
  assert.deepEqual(writtenAt('@', 1), { start: 0, word: '' });
  assert.deepEqual(writtenAt('「@温度', 4), { start: 1, word: '温度' });
  assert.equal(writtenAt('me@lab', 6), null);
  assert.equal(writtenAt('@Q07 and', 8), null);
  assert.deepEqual(writtenAt('@Q07 and', 3), { start: 0, word: 'Q0' });
});

test('What begins with it comes before what has it somewhere', () => {
  assert.deepEqual(found(''), ['t1', 'fit_t1', 't1_2', 'cell [7]', 'Q07', 'Q07-Q08']);
  assert.deepEqual(found('T1'), ['t1', 't1_2', 'fit_t1']);
  assert.deepEqual(found('q07'), ['Q07', 'Q07-Q08']);
  assert.deepEqual(found('plot'), ['cell [7]']);
  assert.deepEqual(found('nothing'), []);
});

test('A name that is complete is no question any more', () => {
  assert.deepEqual(found('fit_t1'), []);
  assert.deepEqual(found('Q07-Q08'), []);
  assert.deepEqual(found('Q07'), ['Q07', 'Q07-Q08']);
});

test('What is chosen takes the place of what is written', () => {
  const q07 = { name: 'Q07', about: 'qubit', cellId: null };
  const cell = { name: 'cell [7]', about: 'fit.plot()', cellId: 'c7' };
  assert.deepEqual(completed('T1 of @Q0 please', { start: 6, word: 'Q0' }, q07), { text: 'T1 of @Q07 please', cursor: 11 });
  assert.deepEqual(completed('Explain @', { start: 8, word: '' }, cell), { text: 'Explain cell [7] ', cursor: 17 });
});
