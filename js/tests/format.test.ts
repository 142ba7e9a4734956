import assert from 'node:assert/strict';
import { test } from 'node:test';

import { duration, fetched, handle, moment, numbers, plain, shape, value, visible, waited } from '../src/panel/format';

test('Values as a table shows them', () => {
  const shown = [null, undefined, 3, 0.1 + 0.2, 1234567.891, true, '2026-10-01T08:30:00.123Z', 'Q07', [1, 2]].map(value);
  assert.deepEqual(shown, ['–', '–', '3', '0.3', '1234600', 'true', '2026-10-01 08:30', 'Q07', '[1,2]']);
});

test('The numbers of a column have as many decimals as its largest needs', () => {
  assert.deepEqual([31.25, 7.5, null].map(numbers([31.25, 7.5, null])), ['31.25', '7.50', '–']);
  assert.deepEqual([0.9987, 0.99].map(numbers([0.9987, 0.99])), ['0.9987', '0.9900']);
  const fidelities = [0.99047, 0.99908, 0.99853, 0.99907];
  assert.deepEqual(fidelities.map(numbers(fidelities)), ['0.99047', '0.99908', '0.99853', '0.99907']);
  assert.deepEqual([12, 3].map(numbers([12, 3])), ['12', '3']);
  // Of very different sizes each is written as it needs.
  assert.deepEqual([1e-7, 12.5].map(numbers([1e-7, 12.5])), ['1e-7', '12.5']);
});

test('Code shows what hides in it or turns its letters', () => {
  assert.equal(visible('a\u202e# x\u2066\r\x1b[31m\u200b\u{e0041}'), 'a⟨U+202E⟩# x⟨U+2066⟩⟨U+000D⟩⟨U+001B⟩[31m⟨U+200B⟩⟨U+E0041⟩');
  assert.equal(visible('t1 = "μs"  # 緩和時間\n\tok'), 't1 = "μs"  # 緩和時間\n\tok');
});

test('Times', () => {
  assert.deepEqual([0.04, 9.94, 42.4, 61].map(duration), ['0.0 s', '9.9 s', '42 s', '1 min 1 s']);
  assert.deepEqual([59, 60, 125].map(waited), ['59 s', '1 min 0 s', '2 min 5 s']);
  const at = new Date(2026, 9, 1, 8, 5);
  assert.equal(moment(at.getTime(), new Date(2026, 9, 1, 23, 0)), '08:05');
  assert.equal(moment(at.getTime(), new Date(2026, 9, 2, 8, 0)), '2026-10-01 08:05');
  const fetchedAfter = (seconds: number): string => fetched(at.getTime(), seconds);
  assert.deepEqual([5, 120, 7200, 400_000].map(fetchedAfter), ['just now', '2 min ago', '2 h ago', 'as of 2026-10-01']);
});

test('Names', () => {
  assert.equal(handle('t1 "raw"', 'copilot.data'), 'copilot.data["t1 \\"raw\\""]');
  assert.equal(handle('t1', ''), 't1');
  assert.deepEqual(['Reading T1…', 'Reading T1 ...', 'Done.'].map(plain), ['Reading T1', 'Reading T1', 'Done.']);
  const about = { units: {}, source: '', call: '', fetched_at: 0, note: '', gone: false, fetching: false };
  const frame = { key: 't1', table: 'timeseries', main: true, rows: 1, ...about };
  assert.equal(shape({ ...frame, columns: ['qid', 't1'] }), '1 row × 2 columns');
  assert.equal(shape({ ...frame, rows: 1234, columns: ['t1'] }), '1,234 rows × 1 column');
});
