import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GrowingText } from '../src/panel/growing-text';

const TEXTS = [
  '# Head\n\nText with **bold** and `code`,\nand more.',
  '- one\n- two\n\n  more of two\n\nno more of it',
  '1. first\n\n2. second',
  'Above\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nbelow',
  '```python\nx = 1\n\ny = 2\n```\n\nbelow',
  'Above\n\n$$\nx_1\n$$\n\nSetext\n---\n\n> quote\ngoes on',
  'See [a link] and [it].\n\nMore.\n\n[a link]: https://a.example/1\n[it]: https://a.example/2\n\nEnd.',
  'one\r\ntwo\r\n\r\n\r\nthree\n\n    code\n\nfour',
];

for (const text of TEXTS) {
  test(`What grows in steps is read as what came at once: ${JSON.stringify(text.slice(0, 24))}`, () => {
    const whole = new GrowingText();
    const atOnce = whole.chunks(text);
    for (const size of [1, 2, 7]) {
      const growing = new GrowingText();
      for (let end = size; end < text.length; end += size) {
        growing.chunks(text.slice(0, end));
      }
      assert.deepEqual(growing.chunks(text), atOnce);
      assert.deepEqual({ ...growing.links }, { ...whole.links });
    }
  });
}

test('What stands above the last blocks stays the same object, and is not read again', () => {
  const growing = new GrowingText();
  const before = growing.chunks('one\n\ntwo\n\nthree\n\nfo');
  const after = growing.chunks('one\n\ntwo\n\nthree\n\nfour');
  assert.equal(after.length, 4);
  [0, 1, 2].forEach(index => assert.equal(after[index], before[index]));
  assert(after[3] !== before[3]);
  assert.equal(growing.chunks('one\n\ntwo\n\nthree\n\nfour'), after);
});

test('A block of code is told from prose, with its language', () => {
  const [prose, code] = new GrowingText().chunks('Run:\n\n```python\nx = 1\n```');
  assert.deepEqual([prose?.kind, prose?.code], ['paragraph', undefined]);
  assert.deepEqual([code?.kind, code?.code, code?.language], ['code', 'x = 1', 'python']);
});

test('How much is read again is the length of an open block of prose', () => {
  const growing = new GrowingText();
  growing.chunks(`- ${'x'.repeat(500)}`);
  assert.equal(growing.openLength, 502);
  growing.chunks(`- ${'x'.repeat(500)}\n\n\`\`\`\ncode`);
  assert.equal(growing.openLength, 0);
});
