import assert from 'node:assert/strict';
import { test } from 'node:test';

import { completer, endsWord } from '../src/panel/completion';
import type { Completion, FormPiece, Mention } from '../src/shared/wire';

/** `worst {5|number} qubits`: words that stay, and slots with the name of their list. */
function form(sentence: string): readonly (readonly FormPiece[])[] {
  return sentence.split(' · ').map(part =>
    part.split(/(\{[^}]*\})/).filter(Boolean).map(piece => {
      const [, text = piece, words = ''] = /^\{(.*)\|(.*)\}$/.exec(piece) ?? [];
      return { text, words };
    }),
  );
}

const ENGLISH: Completion = {
  language: 'en',
  help: 'What can I ask?',
  fillers: ['of', 'the', 'which', 'have', 'is', 'in', 'what', 'with', 'a'],
  forms: [
    'how is the chip',
    'what is wrong with {Q07|qubit}',
    '{T1|parameter0} · {Q07|qubit} · {newest values|time0}',
    'compare {Q03|qubit}, {Q07|qubit}, {Q12|qubit}',
    'worst {5|number} qubits by {Readout Fidelity|parameter0} · {newest values|time0}',
    'qubits · {T1|parameter0} below {40|number} μs · {newest values|time0}',
    'median {T1|parameter0} · {|time0}',
    '{CheckT1|task} of coupling {Q00-Q01|coupling}',
  ].map(form),
  words: {
    parameter0: [['T1', 'lifetime'], ['T2 Echo', 'echo'], ['Readout Fidelity', 'readout']],
    time0: [['in the last 7 days'], ['in June 2026'], ['on 2026-06-12']],
    task: [['CheckRabi'], ['CheckT1']],
  },
};
const JAPANESE: Completion = {
  language: 'ja',
  help: '何が聞けますか？',
  fillers: ['の', 'は'],
  forms: ['{Q07|qubit}の問題', '{T1|parameter0} · {Q07|qubit} · {最新値|time0}', '{T1|parameter0}の推移 · {Q05|qubit}'].map(form),
  words: { parameter0: [['T1', '寿命'], ['読み出し忠実度']], time0: [['過去7日間']] },
};

/** A square chip. */
function chip(size: number): readonly Mention[] {
  const width = Math.max(2, String(size).length);
  const side = Math.sqrt(size);
  const label = (place: number): string => `Q${String(place).padStart(width, '0')}`;
  const places = [...Array(size).keys()];
  const pairs = places.flatMap(place => [
    ...((place + 1) % side ? [`${label(place)}-${label(place + 1)}`] : []),
    ...(place + side < size ? [`${label(place)}-${label(place + side)}`] : []),
  ]);
  const mention = (kind: Mention['kind']) => (name: string): Mention => ({ name, kind, about: '', rows: null });
  return [...places.map(label).map(mention('qubit')), ...pairs.map(mention('coupling'))];
}

const complete = completer([ENGLISH, JAPANESE], chip(64));

function texts(typed: string, language = 'en'): readonly string[] {
  return complete(typed, language).map(({ text }) => text);
}

test('A form is completed to its end', () => {
  assert.deepEqual(texts('wor'), ['worst 5 qubits by Readout Fidelity · newest values']);
  assert.deepEqual(texts('worst 12 q'), ['worst 12 qubits by Readout Fidelity · newest values']);
  assert.deepEqual(texts('How'), ['How is the chip']);
  assert.deepEqual(texts('how is the chip'), []);
  assert.deepEqual(texts(''), []);
});

test('A word of a slot that is begun is completed, its synonyms last', () => {
  const found = complete('worst 5 qubits by T', 'en');
  assert.deepEqual(found.map(({ shown }) => shown), ['T1', 'T2 Echo']);
  assert.deepEqual(complete('worst 5 qubits by li', 'en'), [
    { text: 'worst 5 qubits by lifetime', shown: 'lifetime', kind: 'parameter', means: 'T1', distance: 0.5 },
  ]);
});

test('Behind a blank stands what may follow: the whole form, then the words of its slot', () => {
  assert.deepEqual(texts('T1 of Q07 '), [
    'T1 of Q07 · newest values', 'T1 of Q07 in the last 7 days', 'T1 of Q07 in June 2026', 'T1 of Q07 on 2026-06-12',
  ]);
  assert.deepEqual(texts('median T1 '), ['median T1 in the last 7 days', 'median T1 in June 2026', 'median T1 on 2026-06-12']);
  assert.deepEqual(texts('T1 of ').slice(0, 3), ['T1 of Q07 · newest values', 'T1 of Q00', 'T1 of Q01']);
});

test('Words without a meaning, another order and other letters make no difference', () => {
  assert.deepEqual(texts('which qubits have a T1 b'), ['which qubits have a T1 below 40 μs · newest values']);
  assert.deepEqual(texts('qubits T1 below 40us '), texts('qubits T1 below 40 μs ').map(text => text.replace('40 μs', '40us')));
  assert.equal(texts('Q07 · T1')[0], 'Q07 · T1 · newest values');
  assert.equal(texts('Ｔ１ of q7')[0], 'Ｔ１ of q7 · newest values');
  assert.deepEqual(texts('T1 of Q07 in the '), ['T1 of Q07 in the last 7 days']);
  assert.deepEqual(texts('T1 of Q07 Ju'), ['T1 of Q07 June 2026']);
});

test('Nothing is said twice, and only what the chip has', () => {
  assert.deepEqual(texts('compare Q07, ').slice(0, 2), ['compare Q07, Q00, Q12', 'compare Q07, Q00']);
  const small = completer([ENGLISH], chip(4));
  assert.deepEqual(small('what is w', 'en').map(({ text }) => text), ['what is wrong with Q00']);
  const large = completer([ENGLISH], chip(1024));
  assert.deepEqual(large('what is w', 'en').map(({ text }) => text), ['what is wrong with Q0007']);
});

test('Where no form begins so, the word at the end is completed', () => {
  assert.deepEqual(texts('please look at CheckR'), ['please look at CheckRabi']);
  assert.deepEqual(texts('please look at Readout Fi'), ['please look at Readout Fidelity']);
  assert.deepEqual(texts('please look at '), []);
  // In the middle of a text a word is completed, never a form.
  assert.deepEqual(complete('worst 5 qubits by ec', 'en', true).map(({ text }) => text), ['worst 5 qubits by echo']);
  assert.deepEqual([endsWord('T1 of', 2), endsWord('T1 of', 1), endsWord('T1 of', 3)], [true, false, false]);
});

test('Japanese is completed without blanks, in whatever language the page is', () => {
  assert.deepEqual(texts('T1の').slice(0, 2), ['T1のQ07 · 最新値', 'T1の推移 · Q05']);
  assert.deepEqual(texts('Q07の').slice(0, 2), ['Q07の問題', 'Q07のT1 · 最新値']);
  assert.deepEqual(texts('読み'), ['読み出し忠実度']);
  assert.equal(texts('T1', 'ja')[0], 'T1 · Q07 · 最新値');
  assert.deepEqual(texts('wor', 'ja'), texts('wor'));
});

test('At most six are shown', () => {
  assert.equal(texts('T1 of Q0').length, 6);
});
