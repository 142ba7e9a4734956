/** A growing Markdown text as blocks that are drawn one by one: what stands above the last ones is not read again. */
import type { Token } from 'marked';

import { blocksOf, type Links } from '../shared/answer/markdown';

export interface Chunk {
  readonly kind: string;
  /** Its Markdown. */
  readonly source: string;
  /** Of a code block. */
  readonly code?: string;
  readonly language?: string;
}

/** The end of a text may still change what it is: a paragraph becomes a table, a list takes in what follows. */
const OPEN_CHUNKS = 2;

const NO_LINKS: Links = {};

export class GrowingText {
  private text = '';
  private all: readonly Chunk[] = [];
  private known: Links = NO_LINKS;
  /** Whether the chunks' sources make up the text to the letter; where not, all of it is read again. */
  private exact = true;

  /** The chunks of the text; those that did not change are the same objects as before. */
  chunks(given: string): readonly Chunk[] {
    const text = given.replace(/\r\n?/g, '\n');
    if (text === this.text) {
      return this.all;
    }
    const kept = this.exact && text.startsWith(this.text) ? this.all.slice(0, -OPEN_CHUNKS) : [];
    const rest = text.slice(kept.reduce((length, chunk) => length + chunk.source.length, 0));
    const { tokens, links } = blocksOf(rest);
    const read = tokens.map(chunk).reduce(withoutGaps, []);
    const before = this.all.slice(kept.length);
    this.text = text;
    this.all = [...kept, ...read.map((each, index) => same(before[index], each))];
    this.exact = read.map(each => each.source).join('') === rest;
    this.known = kept.length === 0 ? links : added(this.known, links);
    return this.all;
  }

  /** How much is read and drawn again when the text grows. */
  get openLength(): number {
    const last = this.all[this.all.length - 1];
    return last && last.code === undefined ? last.source.length : 0;
  }

  /** The definitions of links in the text so far; the same object as long as there are no new ones. */
  get links(): Links {
    return this.known;
  }
}

function chunk(token: Token): Chunk {
  const { type, raw } = token;
  return type === 'code'
    ? { kind: type, source: raw, code: token.text as string, language: (token.lang as string | undefined) ?? '' }
    : { kind: type, source: raw };
}

/** Empty lines belong to the chunk above them. */
function withoutGaps(chunks: Chunk[], next: Chunk): Chunk[] {
  const last = chunks[chunks.length - 1];
  return next.kind === 'space' && last
    ? [...chunks.slice(0, -1), { ...last, source: last.source + next.source }]
    : [...chunks, next];
}

function same(old: Chunk | undefined, fresh: Chunk): Chunk {
  return old?.source === fresh.source && old.kind === fresh.kind ? old : fresh;
}

/** The same object where there is nothing new. The last one may have been read before it was complete. */
function added(known: Links, links: Links): Links {
  const old: Partial<Links> = known;
  const isNew = Object.entries(links).some(
    ([name, { href, title }]) => old[name]?.href !== href || old[name].title !== title,
  );
  return isNew ? { ...known, ...links } : known;
}
