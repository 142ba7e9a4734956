import assert from 'node:assert/strict';
import { test } from 'node:test';

import { languageOf } from '../src/shared/words/language';
import { extension, panel, type Language } from '../src/shared/words/messages';

type Leaf = string | ((fields: object) => string);

/** All that is said in a language, by its path. */
function leaves(language: Language): Map<string, Leaf> {
  return new Map(
    Object.entries({ panel: panel[language], extension: extension[language] }).flatMap(([part, groups]) =>
      Object.entries(groups).flatMap(([group, texts]) =>
        Object.entries(texts as Record<string, Leaf>).map(([key, leaf]) => [`${part}.${group}.${key}`, leaf] as const),
      ),
    ),
  );
}

const [ENGLISH, JAPANESE] = [leaves('en'), leaves('ja')];

/** Names and signs are the same in both. */
const SAME = new Set(['extension.commands.open']);

/** The text, with a number in the place of each field, and with a text. */
function said(leaf: Leaf | undefined): readonly string[] {
  return typeof leaf === 'function' ? [2, 'X.'].flatMap(given => every(leaf, given)) : [leaf ?? ''];
}

function every(leaf: (fields: object) => string, given: unknown): readonly string[] {
  try {
    return [leaf(new Proxy({}, { get: () => given }))];
  } catch {
    return []; // it wants the other
  }
}

test('Both languages have every text, and none is empty', () => {
  assert.deepEqual([...JAPANESE.keys()], [...ENGLISH.keys()]);
  for (const [path, leaf] of [...ENGLISH, ...JAPANESE]) {
    const texts = said(leaf);
    assert(texts.length > 0 && texts.every(text => typeof text === 'string' && text.trim() !== ''), path);
  }
});

test('What is Japanese is not English', () => {
  for (const [path, leaf] of JAPANESE) {
    assert.equal(typeof leaf, typeof ENGLISH.get(path), path);
    if (!SAME.has(path)) {
      assert.notDeepEqual(said(leaf), said(ENGLISH.get(path)), path);
      assert(said(leaf).every(text => /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text)), path);
    }
  }
});

test('Nothing Japanese stands in the English table', () => {
  for (const [path, leaf] of ENGLISH) {
    assert(said(leaf).every(text => !/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text)), path);
  }
});

test('Japanese writes its terms and marks in one way', () => {
  for (const [path, leaf] of JAPANESE) {
    for (const text of said(leaf)) {
      assert.doesNotMatch(text, /キュー?ビット|結合子|カップラ|ブラウザ(?!ー)|サーバ(?!ー)|下さい|出来|[！]|[:,?()](?=[^\x20-\x7e]|$)/u, path);
    }
  }
});

test('One and many, and numbers', () => {
  assert.deepEqual([1, 2, 1234].map(n => panel.en.format.rows({ n })), ['1 row', '2 rows', '1,234 rows']);
  assert.deepEqual([1, 1234].map(n => panel.ja.format.rows({ n })), ['1行', '1,234行']);
  assert.equal(panel.en.frames.part({ rows: 1, allRows: 1, columns: 2, allColumns: 1200 }), 'First 1 of 1 row, 2 of 1,200 columns');
  assert.deepEqual([1, 2].map(cells => extension.ja.runHere.asIf({ cells }).includes('これら')), [false, true]);
});

test('Variants by a text', () => {
  assert.deepEqual((['data', 'coupling'] as const).map(kind => panel.en.composer.kinds({ kind })), ['data', 'coupling']);
  assert.equal(panel.ja.approval.yes({ runs: 'tool' }), '承認');
});

test('Languages by their tags', () => {
  assert.deepEqual(['en', 'ja', 'ja_JP', 'ja-JP', 'JA', 'fr-FR', '', null].map(languageOf), ['en', 'ja', 'ja', 'ja', 'ja', null, null, null]);
});
