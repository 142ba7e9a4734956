import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { renderMarkdown } from '../../shared/answer/safe-html';
import type { Links } from '../../shared/answer/markdown';
import type { Json, TableBlock } from '../../shared/wire';
import { handle, numbers, value } from '../format';
import { isEmpty, kindOf, ordered, readable, verdictOf, type Kind, type TableLook } from '../reading';
import { words } from '../words';
import { AssessmentChip } from './assessment';
import { useFormulas } from './formulas';
import { SortMark } from './icons';
import { Marked } from './marked';
import { memo } from './memo';
import { usePanelContext, usePanelStore } from './panel-context';
import { Scroller } from './scroller';

const FIRST_ROWS = 8;
/** For fewer more, nobody has to click. */
const FEW_ROWS = 2;

/** More than a name or a date: a cell of such a text has several lines. What stays in sight leaves room for the rest. */
const LONG_LETTERS = 24;
const LONG_LETTERS_THAT_STAY = 14;
const WIDE = /[\u3000-\uffef]/g;

interface Cell {
  /** What it is read and sorted by. */
  readonly text: string;
  /** What is seen, where that is something else: sanitised HTML, or a rounded number. */
  readonly html?: string;
  readonly shown?: string;
  readonly align?: string;
}

interface TableProps {
  readonly table: TableBlock;
  /** Of the panel's tables, this one. */
  readonly name: string;
}

/** Rows of a stored result. */
export const Table = memo(({ table, name }: TableProps): VNode => {
  const { columns, rows, total_rows, frame_key } = table;
  const grid = useMemo(() => {
    const written = columns.map((_, column) => {
      const values = rows.map(row => row[column] ?? null);
      return values.every(each => each === null || typeof each === 'number') ? numbers(values) : value;
    });
    const cell = (given: Json | undefined, column: number): Cell => ({
      text: readable(given),
      shown: (written[column] ?? value)(given),
    });
    return { head: columns.map(text => ({ text })), rows: rows.map(row => columns.map((_, n) => cell(row[n], n))) };
  }, [table]);
  const { dataName } = usePanelContext();
  const data = frame_key ? handle(frame_key, dataName) : words.table.name;
  return (
    <Grid {...grid} name={name} label={words.table.label({ name: data, n: total_rows })} total={total_rows} growing={false}>
      {total_rows > rows.length && frame_key && (
        <span class="qd-quiet">
          <Marked text={words.table.rowsIn({ n: total_rows, name: data })} />
        </span>
      )}
    </Grid>
  );
});

interface MarkdownTableProps {
  readonly source: string;
  readonly links: Links;
  readonly name: string;
  readonly growing: boolean;
}

/** A table that a model has written. */
export const MarkdownTable = memo(({ source, links, name, growing }: MarkdownTableProps): VNode => {
  const [head = [], ...rows] = useMemo(() => cellsOf(renderMarkdown(source, links)), [source, links]);
  return <Grid head={head} rows={rows} name={name} label={words.table.label({ name: words.table.name, n: rows.length })} total={rows.length} growing={growing} />;
});

function cellsOf(html: string): readonly (readonly Cell[])[] {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  const cell = (each: HTMLTableCellElement): Cell => {
    const align = each.getAttribute('align');
    return { text: each.textContent.trim(), ...(each.childElementCount > 0 && { html: each.innerHTML }), ...(align && { align }) };
  };
  return [...(table?.rows ?? [])].map(row => [...row.cells].map(cell));
}

interface GridProps {
  readonly head: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
  readonly name: string;
  readonly label: string;
  readonly total: number;
  /** Rows still come: what there is of it has its final place, and waits for the end to be sorted and unfolded. */
  readonly growing: boolean;
  readonly children?: VNode | false | '' | null;
}

/** Its first column, and verdicts beside it or at the end, stay in sight while the rest scrolls; eight rows at first; sorted by a click. */
function Grid({ head, rows, name, label, total, growing, children }: GridProps): VNode {
  const [look, change] = useLook(name);
  const { open } = look;
  const sort = growing ? null : look.sort;
  const cells = (column: number): readonly string[] => rows.map(row => row[column]?.text ?? '');
  const kinds = useMemo(() => head.map(({ text }, column) => kindOf(text, cells(column))), [head, rows]);
  const order = useMemo(
    () => (sort ? ordered(cells(sort.column), kinds[sort.column] ?? 'text', sort.descending) : rows.map((_, index) => index)),
    [rows, kinds, sort],
  );
  const node = useRef<HTMLTableElement>(null);
  useFormulas(node, !growing, [rows, order, open]);
  const isLonger = rows.length > FIRST_ROWS + FEW_ROWS || (growing && rows.length > FIRST_ROWS);
  const shown = isLonger && (growing || !open) ? order.slice(0, FIRST_ROWS) : order;
  const stays = kinds.lastIndexOf('assessment');
  const place = (column: number): string | undefined =>
    column === 0 ? 'start' : column !== stays ? undefined : column === head.length - 1 ? 'end' : column === 1 ? 'second' : undefined;
  const isLong = head.map((_, column) => {
    const most = place(column) ? LONG_LETTERS_THAT_STAY : LONG_LETTERS;
    return kinds[column] !== 'number' && cells(column).some(text => text.replace(WIDE, 'xx').length > most);
  });
  const isSortable = !growing && rows.length > 1;
  return (
    <div class="qd-table" style={{ '--qd-long': isLong.slice(1).filter(Boolean).length }}>
      <Scroller label={label}>
        <table ref={node}>
          <thead>
            <tr>
              {head.map((cell, column) => (
                <Head
                  key={column}
                  cell={cell}
                  kind={kinds[column]}
                  stays={place(column)}
                  sorted={sort?.column === column ? (sort.descending ? 'descending' : 'ascending') : undefined}
                  onSort={isSortable ? () => change({ ...look, sort: nextSort(look.sort, column) }) : null}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(index => (
              <tr key={index}>
                {head.map((_, column) => (
                  <Body
                    key={column}
                    cell={rows[index]?.[column] ?? { text: '' }}
                    kind={kinds[column]}
                    stays={place(column)}
                    isLong={isLong[column]}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      <div class="qd-table-foot">
        {isLonger &&
          (growing ? (
            <span class="qd-quiet">{words.table.rowsSoFar({ n: rows.length })}</span>
          ) : (
            <button type="button" class="qd-text-button" aria-expanded={open} onClick={() => change({ ...look, open: !open })}>
              {open || total > rows.length
                ? words.table.firstRows({ n: open ? FIRST_ROWS : rows.length })
                : words.table.allRows({ n: rows.length })}
            </button>
          ))}
        {children}
      </div>
    </div>
  );
}

/** How the reader has left the table, as long as the panel lives. */
function useLook(name: string): readonly [TableLook, (look: TableLook) => void] {
  const { tables } = usePanelStore();
  const [look, setLook] = useState<TableLook>(tables.get(name) ?? { open: false, sort: null });
  useEffect(() => void tables.set(name, look), [name, look]);
  return [look, setLook];
}

/** Up, down, and as it came. */
function nextSort(sort: TableLook['sort'], column: number): TableLook['sort'] {
  if (sort?.column !== column) {
    return { column, descending: false };
  }
  return sort.descending ? null : { column, descending: true };
}

interface HeadProps {
  readonly cell: Cell;
  readonly kind: Kind | undefined;
  readonly stays: string | undefined;
  readonly sorted: 'ascending' | 'descending' | undefined;
  readonly onSort: (() => void) | null;
}

function Head({ cell, kind, stays, sorted, onSort }: HeadProps): VNode {
  const shown = <Words cell={cell} />;
  return (
    <th scope="col" data-kind={kind} data-stays={stays} align={alignOf(cell)} aria-sort={sorted}>
      {onSort ? (
        <button type="button" class="qd-sort" onClick={onSort} onFocus={showWhole}>
          {shown}
          <SortMark />
        </button>
      ) : (
        <span class="qd-sort">{shown}</span>
      )}
    </th>
  );
}

/** By the keyboard one gets to headers that are below the columns that stay. */
function showWhole({ currentTarget: head }: { readonly currentTarget: HTMLElement }): void {
  if (head.matches(':focus-visible')) {
    head.scrollIntoView({ block: 'nearest', inline: 'center' });
  }
}

interface BodyProps {
  readonly cell: Cell;
  readonly kind: Kind | undefined;
  readonly stays: string | undefined;
  readonly isLong: boolean | undefined;
}

function Body({ cell, kind, stays, isLong }: BodyProps): VNode {
  const Tag = stays === 'start' ? 'th' : 'td';
  const title = cell.shown !== undefined && kind === 'number' && cell.text !== '' && cell.text !== cell.shown ? cell.text : undefined;
  return (
    <Tag
      scope={stays === 'start' ? 'row' : undefined}
      data-kind={kind}
      data-stays={stays}
      data-long={isLong === true ? '' : undefined}
      align={alignOf(cell)}
      title={title}
    >
      {kind === 'assessment' ? <Verdict cell={cell} /> : <Words cell={cell} />}
    </Tag>
  );
}

function Verdict({ cell }: { readonly cell: Cell }): VNode {
  const verdict = verdictOf(cell.text) ?? (isEmpty(cell.text) ? { assessment: 'unknown', words: '' } : null);
  return verdict ? <AssessmentChip assessment={verdict.assessment} written={verdict.words} /> : <Words cell={cell} />;
}

function Words({ cell: { text, html, shown } }: { readonly cell: Cell }): VNode {
  return html === undefined ? <>{parted(shown ?? text)}</> : <span dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Where there is little room, names go on below at an underscore or a capital ("kHz" is no name), a value at its ± and at a bracket. */
function parted(text: string): readonly (VNode | string)[] {
  const pieces = text.split(/\s(?=±\s|\()/);
  if (/^±\s/.test(pieces[1] ?? '') && pieces.every(({ length }) => length < LONG_LETTERS)) {
    return pieces.flatMap((piece, index) => [index > 0 && ' ', <span class="qd-whole">{piece}</span>].filter(each => each !== false));
  }
  return text.split(/(?<=_)|(?<=[a-z]{2})(?=[A-Z])/).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]));
}

function alignOf({ align }: Cell): 'left' | 'right' | 'center' | undefined {
  return align === 'right' || align === 'center' || align === 'left' ? align : undefined;
}
