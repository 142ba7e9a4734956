/** What a question may name by `@`: found while it is typed. */
import type { CellName } from '../shared/page';
import type { Mention } from '../shared/wire';
import { words } from './words';

/** A name that is being written: where its `@` is, and what stands behind it up to the cursor. */
export interface Written {
  readonly start: number;
  readonly word: string;
}

export interface Option {
  readonly name: string;
  /** Said quietly beside the name. */
  readonly about: string;
  readonly isCode?: boolean;
  /** Where it is a cell of the notebook. */
  readonly cellId: string | null;
}

const MOST = 50;

/** As the kernel reads it: an `@` behind a letter, as in an address, names nothing. */
const NAME = /(?:^|[^\p{L}\p{N}_@./`])@([\p{L}\p{N}_-]*)$/u;

export function writtenAt(text: string, cursor: number): Written | null {
  const word = NAME.exec(text.slice(0, cursor))?.[1];
  return word === undefined ? null : { start: cursor - word.length - 1, word };
}

/** Those that fit what is written, those that begin with it first; none where nothing is left to complete. */
export function fitting(mentions: readonly Mention[], cells: readonly CellName[], word: string): readonly Option[] {
  const wanted = word.toLowerCase();
  const isElement = ({ kind }: Mention): boolean => kind === 'qubit' || kind === 'coupling';
  const all = [
    ...mentions.filter(each => !isElement(each)).map(optionOf),
    ...cells.map(({ label, first, cell_id }) => ({ name: words.composer.cell({ label }), about: first, cellId: cell_id })),
    ...mentions.filter(isElement).map(optionOf),
  ];
  const begins = all.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const has = all.filter(option => !begins.includes(option) && wordsOf(option).includes(wanted));
  const found = [...begins, ...has].slice(0, MOST);
  return found.length === 1 && found[0]?.name === word ? [] : found;
}

/** The text with the name in it, and where the cursor is then. */
export function completed(text: string, { start, word }: Written, option: Option): { readonly text: string; readonly cursor: number } {
  const before = text.slice(0, start) + (option.cellId === null ? `@${option.name}` : option.name);
  const after = text.slice(start + 1 + word.length);
  return { text: `${before} ${after.trimStart()}`, cursor: before.length + 1 };
}

function optionOf({ name, kind, about, rows }: Mention): Option {
  const size = typeof rows === 'number' && words.format.rows({ n: rows });
  return { name, about: about || size || words.composer.kinds({ kind }), isCode: true, cellId: null };
}

function wordsOf({ name, about, cellId }: Option): string {
  return (cellId === null ? name : ['cell', name, about].join(' ')).toLowerCase();
}
