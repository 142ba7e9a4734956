import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as en from '../src/shared/words/en';
import * as ja from '../src/shared/words/ja';
import { languageOf } from '../src/shared/words/language';

type Leaf = string | ((...given: unknown[]) => string);

/** All that a table says, by its path. */
function leaves(table: object, path = ''): Map<string, Leaf> {
  return new Map(
    Object.entries(table).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? [...leaves(value, `${path}${name}.`)]
        : [[`${path}${name}`, value as Leaf] as const],
    ),
  );
}

const [ENGLISH, JAPANESE] = [leaves(en), leaves(ja)];

/** Names and signs are the same in both. */
const SAME = new Set(['extension.commands.open']);

/** The text, with 2 in the place of each number and X in that of each name. */
function said(leaf: Leaf | undefined): readonly string[] {
  if (typeof leaf !== 'function') {
    return [leaf ?? ''];
  }
  const given = (made: (place: number) => unknown): string[] => {
    try {
      return [leaf(...Array.from({ length: leaf.length }, (_, place) => made(place)))];
    } catch {
      return []; // it wants the other
    }
  };
  return [...given(() => 2), ...given(() => 'X.')];
}

test('Both languages have every text, and none is empty', () => {
  assert.deepEqual([...JAPANESE.keys()], [...ENGLISH.keys()]);
  for (const [path, leaf] of [...ENGLISH, ...JAPANESE]) {
    const texts = said(leaf);
    assert(texts.length > 0 && texts.every(text => typeof text === 'string' && text.trim() !== ''), path);
  }
});

test('What is Japanese is not English, and takes as much', () => {
  for (const [path, leaf] of JAPANESE) {
    const english = ENGLISH.get(path);
    assert.equal(typeof leaf === 'function' ? leaf.length : -1, typeof english === 'function' ? english.length : -1, path);
    if (!SAME.has(path)) {
      assert.notDeepEqual(said(leaf), said(english), path);
      assert(said(leaf).every(text => /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text)), path);
    }
  }
});

test('Nothing Japanese stands in the English table', () => {
  for (const [path, leaf] of ENGLISH) {
    assert(said(leaf).every(text => !/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text)), path);
  }
});

test('Japanese writes its terms in one way', () => {
  for (const [path, leaf] of JAPANESE) {
    for (const text of said(leaf)) {
      assert.doesNotMatch(text, /キュビット|量子ビット|結合子|カップラ|ブラウザ(?!ー)|サーバ(?!ー)|下さい|出来|[！]/u, path);
    }
  }
});

test('One and many', () => {
  assert.deepEqual([1, 2, 1234].map(en.panel.format.rows), ['1 row', '2 rows', '1,234 rows']);
  assert.deepEqual([1, 1234].map(ja.panel.format.rows), ['1行', '1,234行']);
  assert.deepEqual([42.4, 59.7, 60, 125].map(en.panel.format.duration), ['42 s', '1 min 0 s', '1 min 0 s', '2 min 5 s']);
  assert.deepEqual([42, 125].map(ja.panel.format.duration), ['42秒', '2分5秒']);
});

test('Languages by their tags', () => {
  assert.deepEqual(['en', 'ja', 'ja_JP', 'ja-JP', 'JA', 'fr-FR', '', null].map(languageOf), ['en', 'ja', 'ja', 'ja', 'ja', null, null, null]);
});
