import assert from 'node:assert/strict';
import { test } from 'node:test';

import { kindOf, momentOf, ordered, quantityOf, readable, verdictOf } from '../src/panel/reading';

const near = (text: string, expected: number): void => {
  const found = quantityOf(text);
  assert(found !== null && Math.abs(found - expected) <= Math.abs(expected) * 1e-12, `${text} is ${found}, not ${expected}`);
};

test('A number is read with its sign, power, spread and unit', () => {
  for (const [text, expected] of [
    ['18.4', 18.4],
    ['1,234', 1234],
    ['1,234.5 µs', 1234.5e-6],
    ['0.1 ms', 1e-4],
    ['-3', -3],
    ['−3.5', -3.5],
    ['– 2 %', -0.02],
    ['+12%', 0.12],
    ['61.4 ± 1.9 μs', 61.4e-6],
    ['(61.4 ± 1.9) µs', 61.4e-6],
    ['61.4 µs ± 1.9 µs', 61.4e-6],
    ['61.4(19) us', 61.4e-6],
    ['3.2e-4', 3.2e-4],
    ['1.2 × 10⁻³', 1.2e-3],
    ['1.2×10^-3', 1.2e-3],
    ['4.91 GHz', 4.91e9],
    ['−5 MHz', -5e6],
    ['20 mK', 0.02],
    ['3 µs/day', 3e-6],
    ['-12 dB', -12],
    ['2 h', 7200],
    ['< 5', 5],
    ['.5', 0.5],
    ['1e-07', 1e-7],
    ['90°', 90],
    ['64 qubits', 64],
  ] as const) {
    near(text, expected);
  }
  for (const text of ['', 'Q01', '12-13', '2026-09-18', '20260620-000', 'no fit', '18–40 µs', '3 of 64', '1.2.3', '.', '–', 'e5']) {
    assert.equal(quantityOf(text), null, text);
  }
});

test('A day is read in the ways people write it', () => {
  const day = Date.UTC(2026, 8, 18);
  for (const text of ['2026-09-18', '2026/9/18', '2026年9月18日', '2026-09-18T00:00:00Z', '2026-09-18 09:00 +09:00']) {
    assert.equal(momentOf(text), day, text);
  }
  assert.equal(momentOf('2026-09-18 04:30 UTC'), day + 4.5 * 3_600_000);
  assert(momentOf('Sep 18, 2026') !== null && momentOf('18 September 2026') !== null);
  assert.equal(momentOf('18.4') ?? momentOf('May') ?? momentOf('12-13'), null);
});

test('A verdict is a word alone, a sign, or a word with more on it', () => {
  const read = (text: string): string | undefined => verdictOf(text)?.assessment;
  assert.deepEqual(['good', 'OK', 'Stable', '良好', '✅', '✅ T1 fine'].map(read), Array(6).fill('good'));
  assert.deepEqual(['warning', 'drifting (−3 µs/day)', '⚠️ low', '要注意'].map(read), Array(4).fill('warning'));
  assert.deepEqual(['bad', 'Failed.', '❌ bad', '異常'].map(read), Array(4).fill('bad'));
  assert.deepEqual(['unknown', '未測定'].map(read), Array(2).fill('unknown'));
  for (const text of ['', 'good → bad', 'not good', 'goodness', 'Q01', 'badly written words', '12 µs', 'failed over to another line of the cryostat, again']) {
    assert.equal(verdictOf(text), null, text);
  }
  assert.deepEqual(verdictOf('⚠️ drifting'), { assessment: 'warning', words: 'Drifting' });
});

test('A column is what most of its cells are', () => {
  assert.equal(kindOf('T1', ['18 µs', '–', 'no fit', '31 µs']), 'number');
  assert.equal(kindOf('qubit', ['Q01', 'Q02']), 'text');
  assert.equal(kindOf('measured', ['2026-09-18', '2026-09-19', '']), 'day');
  assert.equal(kindOf('trend', ['stable', 'drifting', '']), 'assessment');
  assert.equal(kindOf('trend', ['stable', 'twice as long']), 'text');
  assert.equal(kindOf('Status', ['excluded', 'in use']), 'assessment');
  assert.equal(kindOf('status', ['200', '404']), 'number');
  assert.equal(kindOf('判定', []), 'assessment');
  assert.equal(kindOf('T1', []), 'text');
});

const sorted = (cells: readonly string[], descending = false): readonly (string | undefined)[] =>
  ordered(cells, kindOf('', cells), descending).map(index => cells[index]);

test('Columns are sorted by what they hold, and what is empty comes last either way', () => {
  assert.deepEqual(sorted(['0.1 ms', '−5 µs', '', '40 µs', 'no fit']), ['−5 µs', '40 µs', '0.1 ms', 'no fit', '']);
  assert.deepEqual(sorted(['9 %', '–', '10 %', '−3 %'], true), ['10 %', '9 %', '−3 %', '–']);
  assert.deepEqual(sorted(['2026-10-01', '2026/9/30', '2025-12-31']), ['2025-12-31', '2026/9/30', '2026-10-01']);
  assert.deepEqual(sorted(['Q10', 'Q9', 'q01']), ['q01', 'Q9', 'Q10']);
  assert.deepEqual(sorted(['good', 'bad', 'warning', 'bad']), ['bad', 'bad', 'warning', 'good']);
  assert.deepEqual(ordered(['1', '1', '0'], 'number', true), [0, 1, 2]);
});

test('Values of tools are read as they are written', () => {
  assert.deepEqual([null, undefined, 1e-7, true, 'x', [1]].map(readable), ['', '', '1e-7', 'true', 'x', '[1]']);
});
