import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answerOf, blocksOf, textOf } from '../src/client/answer';

const TEXT = { type: 'text', content: 'T1 fell.', chart: null };
const CHART = { type: 'chart', content: null, chart: { data: [{ type: 'scatter', y: [1] }], layout: {} } };
const RESULT = { blocks: [TEXT, CHART], assessment: 'bad' };

test('A result, and its JSON text', () => {
  assert.deepEqual(answerOf(RESULT), RESULT);
  assert.deepEqual(answerOf(JSON.stringify(RESULT)), RESULT);
  assert.equal(textOf(RESULT), 'T1 fell.\n\n[chart]');
});

test('An analysis of the older form becomes one text', () => {
  const analysis = {
    summary: 'T1 is short.',
    assessment: 'warning',
    explanation: 'It fell on Monday.',
    potential_issues: ['TLS', 'heating'],
    recommendations: ['Measure again'],
  };
  const content = 'T1 is short.\n\nIt fell on Monday.\n\n**Potential Issues:**\n- TLS\n- heating\n\n**Recommendations:**\n- Measure again';
  assert.deepEqual(answerOf(JSON.stringify(analysis)), { blocks: [{ ...TEXT, content }], assessment: 'warning' });
  const short = { summary: 'All is well.', assessment: 'good', explanation: '', potential_issues: [], recommendations: [] };
  assert.deepEqual(blocksOf(short), [{ ...TEXT, content: 'All is well.' }]);
});

test('All other text is text, also where it is JSON', () => {
  for (const content of ['Hello', '42', '"a"', 'null', '[1]', '{"a": 1}', '{']) {
    assert.deepEqual(answerOf(content), { blocks: [{ ...TEXT, content }], assessment: null });
  }
  for (const content of ['', null, undefined, 42, {}, []]) {
    assert.deepEqual(blocksOf(content), []);
  }
});

test('What cannot be shown is left out', () => {
  const blocks = [null, 'a', {}, { type: 'text' }, { type: 'chart', chart: {} }, { type: 'chart', chart: { data: [] } }, TEXT];
  const empty = { type: 'chart', content: null, chart: { data: [], layout: {} } };
  assert.deepEqual(answerOf({ blocks, assessment: 'superb' }), { blocks: [empty, TEXT], assessment: null });
});
