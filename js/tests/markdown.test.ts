import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blocksOf, named, toHtml } from '../src/shared/answer/markdown';

function formulasOf(markdown: string): readonly string[] {
  return [...toHtml(markdown).matchAll(/<span class="qd-formula">(.*?)<\/span>/gs)].map(([, shown]) =>
    (shown ?? '').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
}

test('Formulas pass untouched', () => {
  const formulas = [
    '$a_b^c * d_e$',
    '$T_1 < 30\\,\\mu s$',
    '$$\nP(t) = A e^{-t/T_1} \\\\\n- B_{x}_{y} * c * d\n$$',
    '\\(a_1 * b_2 * c\\)',
    '\\[\nx_1\n= y_2\n\\]',
    '\\begin{align}\na &= b_1 \\\\\nc &= d_2\n\\end{align}',
  ];
  for (const formula of formulas) {
    assert.deepEqual(formulasOf(formula), [formula]);
    assert.deepEqual(formulasOf(`before\n\n${formula}\n\nafter`), [formula]);
    if (!formula.includes('\n')) {
      // In an item of a list, a line that begins with a dash would be the next item.
      assert.deepEqual(formulasOf(`- item ${formula}`), [formula]);
    }
  }
});

test('Money is no formula', () => {
  for (const money of ['It costs $5 and $10.', 'from $ 3 to 4 $', '`$a$` is code', 'US$20, not $20', 'A$5, B$10']) {
    assert.deepEqual(formulasOf(money), []);
  }
});

test('Below a question two levels of headings are enough', () => {
  assert.equal(toHtml('# One\n\n### Two'), '<h4>One</h4>\n<h5>Two</h5>\n');
});

test('Pictures are named, and only web addresses become links', () => {
  const link = named('picture', 'https://other.example/a.png?b="1"', 'T1 & T2');
  assert.match(link, /^<a href="https:\/\/other\.example\/a\.png\?b=&#34;1&#34;" /);
  assert.match(link, />\[picture: T1 &#38; T2\]<\/a>$/);
  assert.equal(named('picture', 'data:image/png;base64,AAAA', ''), '<span>[picture]</span>');
  assert.equal(named('video', 'javascript:x()', '<b>'), '<span>[video: &#60;b&#62;]</span>');
});

test('The blocks of a text, and the links that it defines', () => {
  const { tokens, links } = blocksOf('See [it].\n\n- one\n- two\n\n[it]: https://a.example/1');
  assert.deepEqual(tokens.map(({ type }) => type).filter(type => type !== 'space'), ['paragraph', 'list', 'def']);
  assert.equal(links.it?.href, 'https://a.example/1');
  assert.match(toHtml('See [it].', links), /<a href="https:\/\/a\.example\/1">it<\/a>/);
});

test('No line ends between a number and its unit', () => {
  assert.equal(toHtml('T1 is **98.2 ± 0.1 μs**, 98 %'), '<p>T1 is <strong>98.2\u00a0±\u00a00.1\u00a0μs</strong>, 98\u00a0%</p>\n');
  assert.equal(toHtml('`98 %` of 12 results'), '<p><code>98 %</code> of 12 results</p>\n');
  assert.equal(toHtml('97 MHz/a.u. の 5 runs, 3 d'), '<p>97\u00a0MHz/a.u. の 5 runs, 3\u00a0d</p>\n');
  assert.equal(toHtml('12 bad & 50 μsの 2 mux'), '<p>12 bad &#38; 50\u00a0μsの 2 mux</p>\n');
});

test('No line ends within a date', () => {
  assert.equal(toHtml('**since 2026-06-30** and `2026-06-30`'), '<p><strong>since <time>2026-06-30</time></strong> and <code>2026-06-30</code></p>\n');
  assert.equal(toHtml('sample-2026-06-30'), '<p>sample-2026-06-30</p>\n');
});
