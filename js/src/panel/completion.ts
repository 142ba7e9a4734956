/** What a question can be completed with, found in the page: whole forms of the kernel's table, and the words of their slots. */
import type { Completion, FormPiece, Mention } from '../shared/wire';

export type Kind = 'coupling' | 'number' | 'parameter' | 'qubit' | 'task' | 'time';

export interface Suggestion {
  /** The text up to the cursor, completed. */
  readonly text: string;
  /** How it is listed: a form as the whole text, a word alone. */
  readonly shown: string;
  /** Of a word: what it is; empty for a form. */
  readonly kind: Kind | '';
  /** Of a synonym: the name that it stands for. */
  readonly means: string;
}

export type Completer = (text: string, language: string, isWithin?: boolean) => readonly Suggestion[];

interface Token {
  /** Without what makes no difference: the zeros of Q07. */
  readonly key: string;
  readonly typed: string;
  readonly start: number;
}

interface Word {
  readonly text: string;
  readonly means: string;
  readonly tokens: readonly Token[];
  /** Of the name. */
  readonly key: string;
}

interface List {
  readonly kind: Kind;
  readonly words: readonly Word[];
  /** By each token that may be the first: "June 2026" is "in June 2026". */
  readonly starts: ReadonlyMap<string, readonly (readonly [Word, number])[]>;
}

/** A word of a form that stays, or a slot: that has a list. */
interface Item {
  readonly text: string;
  readonly key: string;
  /** What stands between it and the item before. */
  readonly before: string;
  readonly list: List | null;
  /** Whether it may be left out before a slot: "heatmap T1". */
  readonly isFiller: boolean;
}

type Part = readonly Item[];

interface Table {
  readonly language: string;
  readonly fillers: ReadonlySet<string>;
  readonly forms: readonly (readonly Part[])[];
  readonly lists: readonly List[];
}

interface Found extends Suggestion {
  readonly distance: number;
}

/** How much of a form is read. */
interface Reading {
  /** Where the next token is, and the next item. */
  readonly at: number;
  readonly part: Part;
  readonly place: number;
  readonly left: readonly Part[];
  /** The words of its slots. */
  readonly said: readonly string[];
  readonly distance: number;
  /** The last token has no meaning. */
  readonly skipped: boolean;
}

const MOST = 6;
const MOST_TOKENS = 48;
const MOST_STEPS = 4000;
const OTHER_ORDER = 1;
/** What is so much farther than the nearest is not meant. */
const TOO_FAR = 1.5;
const WORD = 0.5;
const SEPARATOR = ' · ';
/** Each letter of Japanese is one, as no blanks tell its words. */
const TOKEN = /[a-z_][a-z0-9_]*(?:-[a-z0-9_]*)*|\d+(?:\.\d+)?(?:-[\d-]*)?|[^\s·・,、。.;:?!'"()@]/gu;
const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u;
const NUMBER = /^\d+(\.\d+)?$/;
const IN_WORD = /[\p{L}\p{N}_-]/u;
const OF_CHIP: ReadonlySet<Kind> = new Set<Kind>(['qubit', 'coupling', 'task']);

/** Made anew where the kernel sends another table, or other qubits. */
export function completer(completions: readonly Completion[], mentions: readonly Mention[]): Completer {
  const elements = (['qubit', 'coupling'] as const).map(kind => {
    const names = mentions.filter(each => each.kind === kind).map(({ name }) => [name]);
    return [kind, listOf(kind, names, new Set())] as const;
  });
  const tables = completions.map(each => tableOf(each, elements));
  return (text, language, isWithin = false) => {
    const tokens = tokensOf(text);
    if (tokens.length === 0 || tokens.length > MOST_TOKENS) {
      return [];
    }
    const wanted = JAPANESE.test(text) ? 'ja' : language;
    const inOrder = [...tables].sort((a, b) => Number(b.language === wanted) - Number(a.language === wanted));
    const firstOf = (find: (table: Table) => readonly Found[] | null): readonly Found[] | null =>
      inOrder.reduce<readonly Found[] | null>((found, each) => found ?? find(each), null);
    const ofForms = isWithin ? null : firstOf(each => new Search(each, text, tokens).result);
    const found = ofForms ?? (/\s$/.test(text) ? null : firstOf(each => wordsAtEnd(each, text, tokens))) ?? [];
    const texts = new Set([text.toLowerCase()]);
    const isNew = ({ text: whole }: Found): boolean => !texts.has(whole.toLowerCase()) && Boolean(texts.add(whole.toLowerCase()));
    const inRow = [...found].sort((a, b) => a.distance - b.distance);
    const nearest = inRow[0]?.distance ?? 0;
    return inRow.filter(each => each.distance < nearest + TOO_FAR && isNew(each)).slice(0, MOST);
  };
}

/** Whether the cursor is at the end of a word. */
export function endsWord(text: string, cursor: number): boolean {
  return IN_WORD.test(text.charAt(cursor - 1)) && !IN_WORD.test(text.charAt(cursor));
}

// --- the table ---

/** Letter by letter, so that each stays in its place: full width is as half width, μ as u. */
function tokensOf(text: string): readonly Token[] {
  const plain = /[^\0-\x7f]/.test(text) ? text.replace(/[^\0-\x7f]/g, plainLetter) : text;
  return [...plain.toLowerCase().matchAll(TOKEN)].map(({ 0: typed, index }) => ({
    key: typed.replace(/(^|-)q0+(?=\d)/g, '$1q'), typed, start: index,
  }));
}

function plainLetter(letter: string): string {
  const plain = letter.normalize('NFKC').replace('μ', 'u');
  return plain.length === 1 && plain.toLowerCase().length === 1 ? plain : letter;
}

function keyOf(text: string): string {
  return tokensOf(text).map(({ key }) => key).join(' ');
}

function tableOf({ language, fillers, forms, words }: Completion, elements: readonly (readonly [string, List])[]): Table {
  const skipped = new Set(fillers);
  const own = Object.entries(words).map(([name, entries]) => [name, listOf(name.replace(/\d+$/, '') as Kind, entries, skipped)] as const);
  const lists = new Map([...own, ...elements, ['number', listOf('number', [], skipped)] as const]);
  const known = forms.map(parts => parts.map(pieces => partOf(pieces, lists, skipped)));
  return { language, fillers: skipped, forms: known, lists: [...lists.values()] };
}

function listOf(kind: Kind, entries: readonly (readonly string[])[], fillers: ReadonlySet<string>): List {
  const wordOf = (text: string, means: string): Word => {
    const tokens = tokensOf(text);
    return { text, means, tokens, key: means ? keyOf(means) : tokens.map(({ key }) => key).join(' ') };
  };
  // Names come before synonyms.
  const names = entries.map(([name = '']) => wordOf(name, ''));
  const words = [...names, ...entries.flatMap(([name = '', ...others]) => others.map(other => wordOf(other, name)))];
  const starts = new Map<string, [Word, number][]>();
  for (const word of words) {
    for (const from of beginnings(word, fillers)) {
      const key = word.tokens[from]?.key ?? '';
      starts.set(key, [...(starts.get(key) ?? []), [word, from]]);
    }
  }
  return { kind, words, starts };
}

/** The places of the tokens at which a word may begin: behind those without a meaning, too. */
function beginnings({ tokens }: Word, fillers: ReadonlySet<string>): readonly number[] {
  const first = tokens.findIndex(({ key }) => !fillers.has(key));
  return Array.from({ length: first + 1 }, (_, from) => from);
}

function partOf(pieces: readonly FormPiece[], lists: ReadonlyMap<string, List>, fillers: ReadonlySet<string>): Part {
  const items: Item[] = [];
  let before = '';
  for (const { text, words } of pieces) {
    if (words) {
      items.push({ text, key: keyOf(text), before, list: lists.get(words) ?? null, isFiller: false });
      before = '';
      continue;
    }
    let end = 0;
    for (const [place, { key, start }] of tokensOf(text).entries()) {
      const word = text.slice(start, tokensOf(text)[place + 1]?.start).trimEnd();
      items.push({ text: word, key, before: before + text.slice(end, start), list: null, isFiller: /^[a-z]/.test(key) && fillers.has(key) });
      before = '';
      end = start + word.length;
    }
    before += text.slice(end);
  }
  return items;
}

// --- the search ---

/** Reads what is typed as the beginning of each form, whose parts may come in any order. */
class Search {
  private readonly found: Found[] = [];
  private isRead = false;
  private readonly begun = new Map<string, readonly (readonly [Word, number])[]>();
  private readonly isOpen: boolean;
  private steps = 0;

  constructor(
    private readonly table: Table,
    private readonly text: string,
    private readonly tokens: readonly Token[],
  ) {
    this.isOpen = /\s$/.test(text);
    for (const left of table.forms) {
      this.steps = 0;
      this.read({ at: 0, part: [], place: 0, left, said: [], distance: 0, skipped: false });
    }
  }

  /** Null where what is typed is not of any form. */
  get result(): readonly Found[] | null {
    return this.isRead ? this.found : null;
  }

  private read(reading: Reading): void {
    const { at, part, place, left, distance } = reading;
    const token = this.tokens[at];
    const item = part[place];
    this.steps += 1;
    if (!token || this.steps > MOST_STEPS) {
      if (!token) {
        this.end(reading);
      }
      return;
    }
    const isTyped = at === this.tokens.length - 1 && !this.isOpen;
    const isParticle = JAPANESE.test(token.key);
    if ((!item || place > 0) && this.table.fillers.has(token.key) && (!isTyped || isParticle)) {
      this.read({ ...reading, at: at + 1, distance: distance + (isParticle ? 0 : 1), skipped: true });
    }
    if (!item) {
      // Not "what which …".
      for (const [index, next] of left.filter(each => !(reading.skipped && each[0]?.isFiller)).entries()) {
        this.read({ ...reading, part: next, place: 0, left: left.filter(each => each !== next), distance: distance + (index && OTHER_ORDER) });
      }
    } else if (item.list) {
      this.slot(reading, item, item.list);
    } else {
      if (token.key === item.key) {
        this.read({ ...reading, at: at + 1, place: place + 1, skipped: false });
      } else if (isTyped && item.key.startsWith(token.key)) {
        this.form(this.text.slice(0, token.start), reading);
      }
      if (item.isFiller && place > 0 && part[place + 1]?.list) {
        this.read({ ...reading, place: place + 1, distance: distance + 1 });
      }
    }
  }

  private slot(reading: Reading, item: Item, list: List): void {
    const { at, place, said, distance } = reading;
    const { key = '', start } = this.tokens[at] ?? {};
    const take = (count: number, word: string): void =>
      this.read({ ...reading, at: at + count, place: place + 1, said: [...said, word], skipped: false });
    const follows = (keys: readonly string[]): boolean => keys.every((each, index) => each === this.tokens[at + index]?.key);
    const name = `${this.table.lists.indexOf(list)} ${at}`;
    const begun = this.begun.get(name) ?? wordsBegun(list, this.tokens.slice(at), this.isOpen, this.table.fillers);
    this.begun.set(name, begun);
    const free = begun.filter(([word]) => !said.includes(word.key)).slice(0, MOST);
    free.forEach(([word, from]) => this.word(this.text.slice(0, start), word, from, list, distance + WORD));
    const own = item.key.split(' ');
    if (list.kind === 'number' && NUMBER.test(key)) {
      take(1, '');
    } else if (item.key && follows(own)) {
      take(own.length, item.key); // also where it is in no list: "newest values"
    }
    for (const [word, from] of list.starts.get(key) ?? []) {
      const keys = word.tokens.slice(from).map(each => each.key);
      if (!said.includes(word.key) && follows(keys) && keys.join(' ') !== item.key) {
        take(keys.length, word.key);
      }
    }
  }

  /** All that is typed fits: what may follow. */
  private end(reading: Reading): void {
    const { part, place, left, said, distance, skipped } = reading;
    const item = part[place];
    if (part.length === 0 || (item && place > 0 && skipped)) {
      return; // nothing was read but words without a meaning, or these within a part: "T1 of fell"
    }
    this.isRead = true;
    const typed = this.text.trimEnd();
    const isJoined = skipped || /[·,、]$/.test(typed);
    const space = JAPANESE.test(typed.slice(-1)) ? '' : ' ';
    const head = typed + (isJoined ? space : item && place > 0 ? item.before : SEPARATOR);
    this.form(head, reading);
    const next = item ?? left[0]?.[0];
    if (next?.list && (this.isOpen || skipped)) {
      const behind = this.tokens.slice(-2).map(({ key }) => key); // "in the": no second one
      const isFree = (word: Word): boolean => !word.means && !said.includes(word.key) && !(skipped && behind.includes(word.tokens[0]?.key ?? ''));
      const free = next.list.words.filter(isFree).slice(0, MOST);
      free.forEach(word => next.list && this.word(item ? head : this.text, word, 0, next.list, distance + WORD));
    }
  }

  /** A form with what is left of it. */
  private form(head: string, { part, place, left, said, distance }: Reading): void {
    const taken = [...said];
    const textOf = (items: Part): string => items.map((each, index) => (index ? each.before : '') + filling(each, taken)).join('');
    const rest = [part.slice(place), ...left].map(textOf).filter(Boolean).join(SEPARATOR);
    this.isRead = true;
    if (rest) {
      this.found.push({ text: head + rest, shown: head + rest, kind: '', means: '', distance });
    }
  }

  private word(head: string, { text, means }: Word, from: number, { kind }: List, distance: number): void {
    this.isRead = true;
    this.found.push({ text: head + text.slice(from), shown: text.slice(from), kind, means, distance });
  }
}

/** What is in a slot unless another word is chosen: of this chip, and said only once. */
function filling({ list, text, key }: Item, taken: string[]): string {
  if (!list || !text || list.kind === 'number') {
    return text;
  }
  const own = list.words.find(word => word.key === key);
  const isFree = !taken.includes(key) && (own ?? !OF_CHIP.has(list.kind));
  const word = isFree ? own : list.words.find(each => !taken.includes(each.key));
  taken.push(word?.key ?? key);
  return word?.text ?? text;
}

/** The words that all these tokens begin and do not complete, and where what they begin starts in them. */
function wordsBegun({ words }: List, typed: readonly Token[], isOpen: boolean, fillers: ReadonlySet<string>): readonly (readonly [Word, number])[] {
  const last = typed.length - 1;
  const fits = ({ tokens }: Word, from: number): boolean =>
    typed.every((each, index) => {
      const of = tokens[from + index];
      return index < last || isOpen ? of?.key === each.key : of?.typed.startsWith(each.typed);
    }) && (tokens[from + last]?.typed !== typed[last]?.typed || from + last + 1 < tokens.length);
  return words.flatMap(word => {
    const from = beginnings(word, fillers).find(each => fits(word, each));
    return from === undefined ? [] : [[word, word.tokens[from]?.start ?? 0] as const];
  });
}

/** Where no form begins so: the words that the end of the text begins, those first of which most is typed. */
function wordsAtEnd({ lists, fillers }: Table, text: string, tokens: readonly Token[]): readonly Found[] | null {
  const last = tokens.at(-1)?.typed ?? '';
  const counts = [3, 2, 1].filter(count => count <= tokens.length && (count > 1 || last.length > 1 || JAPANESE.test(last)));
  const found = counts.flatMap(count => {
    const typed = tokens.slice(-count);
    const begun = lists.flatMap(list => wordsBegun(list, typed, false, fillers).slice(0, MOST).map(word => [list, ...word] as const));
    return begun.map(([{ kind }, { text: whole, means }, from]) => {
      const shown = whole.slice(from);
      return { text: text.slice(0, typed[0]?.start) + shown, shown, kind, means, distance: -count };
    });
  });
  return found.length > 0 ? found : null;
}
