import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Frame, Preview } from '../../shared/wire';
import { fetched, handle, shape } from '../format';
import { words } from '../words';
import { CopyButton, IconButton } from './buttons';
import { Again, Bin, Caret, CellBelow, Lens } from './icons';
import { Marked } from './marked';
import { usePanelContext, useSeconds } from './panel-context';
import { RunButton } from './run-button';
import { SearchBox } from './search-box';
import { StatusLine } from './status';
import { Table } from './table';

/** So many results are seen at a glance. */
const UNFILTERED = 5;

interface FramesProps {
  readonly frames: readonly Frame[];
  readonly preview: Preview | null;
  /** The key of the result that is to be seen. */
  readonly chosen: string | null;
}

/** The results that are in the kernel, each with its tables, and those that went with an earlier one. */
export function Frames({ frames, preview, chosen }: FramesProps): VNode {
  const { store } = usePanelContext();
  const blocked = store.blocked !== null;
  const [open, setOpen] = useState<Frame | null>(frames.find(({ key, main, gone }) => key === chosen && main && !gone) ?? null);
  useEffect(() => {
    if (!blocked) {
      store.send({ type: 'preview', key: '', table: '' }); // a cell may have changed them
    }
  }, [blocked]);
  const [wanted, setWanted] = useState('');
  // A snapshot's clock stands still: of one moment, the one that came last is the newest.
  const moments = new Map(frames.map(({ key, fetched_at }) => [key, fetched_at]));
  const all = [...moments.keys()].reverse().sort((a, b) => (moments.get(b) ?? 0) - (moments.get(a) ?? 0));
  const keys = all.filter(key => isWanted(wanted, frames.filter(frame => frame.key === key)));
  const gone = frames.filter(frame => frame.gone);
  return (
    <>
      {all.length > UNFILTERED && <SearchBox label={words.frames.filter} placeholder={words.frames.filter} words={wanted} find={setWanted} />}
      {chosen !== null && !all.includes(chosen) && (
        <p class="qd-empty" role="alert">
          {words.frames.deleted({ key: chosen })}
        </p>
      )}
      {store.view.link?.state === 'lost' && <p class="qd-empty">{words.frames.lastHeard}</p>}
      {gone.length > 0 && (
        <div class="qd-frames-gone">
          <span>{words.frames.wentAlong({ n: gone.length })}</span>
          <button
            type="button"
            class="qd-button"
            disabled={blocked || gone.every(({ fetching }) => fetching)}
            onClick={() => store.send({ type: 'refresh', keys: [] })}
          >
            {gone.every(({ fetching }) => fetching)
              ? words.buttons.fetching
              : gone.length > 1
                ? words.frames.fetchAll
                : words.buttons.fetchAgain}
          </button>
        </div>
      )}
      {all.length === 0 && <Nothing />}
      {all.length > 0 && keys.length === 0 && <p class="qd-empty">{words.frames.noneFound}</p>}
      <ul class="qd-frames" aria-label={words.frames.list}>
        {keys.map(key => (
          <Item
            key={key}
            tables={frames.filter(frame => frame.key === key)}
            open={open?.key === key ? open.table : null}
            setOpen={setOpen}
            preview={preview?.key === key ? preview : null}
            isChosen={key === chosen}
          />
        ))}
      </ul>
    </>
  );
}

/** Whether each of the words stands in the name, the call, or a table of a result. */
function isWanted(wanted: string, tables: readonly Frame[]): boolean {
  const text = tables.flatMap(({ key, call, source, table, columns }) => [key, call, source, table, ...columns]).join(' ').toLowerCase();
  return wanted.toLowerCase().split(/\s+/).every(word => text.includes(word));
}

function Nothing(): VNode {
  const { dataName } = usePanelContext();
  return <p class="qd-empty">{dataName ? words.frames.nothingIn({ name: dataName }) : words.frames.nothing}</p>;
}

interface ItemProps {
  /** Those of one result. */
  readonly tables: readonly Frame[];
  /** The name of the table that is shown. */
  readonly open: string | null;
  readonly setOpen: (frame: Frame | null) => void;
  readonly preview: Preview | null;
  readonly isChosen: boolean;
}

function Item({ tables, open, setOpen, preview, isChosen }: ItemProps): VNode | null {
  const { store, dataName } = usePanelContext();
  const [isDeleting, setDeleting] = useState(false);
  const node = useRef<HTMLLIElement>(null);
  const [frame] = tables;
  const seconds = useSeconds(frame?.fetched_at, true);
  useLayoutEffect(() => {
    if (isChosen) {
      node.current?.scrollIntoView({ block: 'nearest' });
      const all = [...(node.current?.querySelectorAll<HTMLElement>('button') ?? [])];
      (all.find(each => each.ariaExpanded === 'true') ?? all[0])?.focus();
    }
  }, [isChosen]);
  if (!frame) {
    return null;
  }
  const { key, gone, fetching } = frame;
  const about = [frame.call ? '' : frame.source, fetching ? words.frames.fetching : fetched(frame.fetched_at, seconds), frame.note];
  return (
    <li ref={node} data-gone={gone} aria-busy={fetching}>
      <div class="qd-frame-head">
        <code title={handle(key, dataName)}>{handle(key, dataName)}</code>
        {gone && <span class="qd-quiet">{words.step.gone}</span>}
        <span class="qd-frame-actions">
          {!gone && <InNotebook frame={tables.find(({ main }) => main) ?? frame} bare />}
          <IconButton
            label={gone ? words.frames.fetch({ key }) : words.frames.refresh({ key })}
            icon={Again}
            disabled={store.blocked !== null || fetching}
            onClick={() => store.send({ type: 'refresh', keys: [key] })}
          />
          {!gone && (
            <IconButton
              label={words.frames.delete({ key })}
              icon={Bin}
              disabled={store.blocked !== null || fetching}
              onClick={() => setDeleting(true)}
            />
          )}
        </span>
      </div>
      {frame.call && <code class="qd-frame-call">{frame.call}</code>}
      <p class="qd-quiet">{about.filter(Boolean).join(' · ')}</p>
      {gone && <p class="qd-quiet">{words.frames.had({ size: frame.columns.length > 0 ? shape(frame) : words.format.rows({ n: frame.rows }) })}</p>}
      {isDeleting && <Deleting frame={frame} keep={() => setDeleting(false)} />}
      {!gone &&
        tables.map(each => (
          <TableItem
            key={each.table}
            frame={each}
            isOpen={each.table === open}
            toggle={() => setOpen(each.table === open ? null : each)}
            preview={preview?.table === each.table ? preview : null}
          />
        ))}
    </li>
  );
}

function Deleting({ frame: { key }, keep }: { readonly frame: Frame; readonly keep: () => void }): VNode {
  const { store } = usePanelContext();
  return (
    <div class="qd-frames-gone">
      <span>{words.frames.deleteFromKernel({ key })}</span>
      <button type="button" class="qd-button" ref={each => each?.focus()} onClick={keep}>
        {words.buttons.keep}
      </button>
      <button type="button" class="qd-button" onClick={() => store.send({ type: 'discard', key })}>
        {words.buttons.delete}
      </button>
    </div>
  );
}

interface TableItemProps {
  readonly frame: Frame;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly preview: Preview | null;
}

function TableItem({ frame, isOpen, toggle, preview }: TableItemProps): VNode {
  return (
    <div class="qd-frame">
      <button type="button" class="qd-line" aria-expanded={isOpen} onClick={toggle}>
        <span class="qd-caret" data-open={isOpen}>
          <Caret />
        </span>
        <span class="qd-line-words">{frame.table}</span>
        <span class="qd-line-end">{shape(frame)}</span>
      </button>
      {isOpen && <Opened frame={frame} preview={preview} />}
    </div>
  );
}

/** The first rows, where they came from, and what can be done with the table. */
function Opened({ frame, preview }: { readonly frame: Frame; readonly preview: Preview | null }): VNode {
  const { store, dataName } = usePanelContext();
  const { key, table, rows, columns, note, main } = frame;
  useEffect(() => {
    if (store.blocked === null) {
      store.send({ type: 'preview', key, table });
    }
  }, [key, table, rows, columns.length, note]);
  const name = nameOf(frame, dataName);
  return (
    <div class="qd-details">
      <First preview={preview} />
      {name ? (
        <div class="qd-frame-actions">
          {!main && <InNotebook frame={frame} />}
          <CopyButton label={words.frames.copyNameOf({ name })} text={() => name}>
            {words.frames.copyName}
          </CopyButton>
        </div>
      ) : (
        <p class="qd-quiet">
          <Marked text={words.frames.yourVariables} />
        </p>
      )}
      {preview?.state === 'ready' && preview.read.length > 0 && <p class="qd-quiet">{preview.read.join(', ')}</p>}
    </div>
  );
}

/** As one writes it; empty where no name of the user's leads there. */
function nameOf({ key, table }: Frame, dataName: string): string {
  return dataName && `${handle(key, dataName)}[${JSON.stringify(table)}]`;
}

/** A table in a cell of the user's, as it is or to be drawn. */
function InNotebook({ frame, bare = false }: { readonly frame: Frame; readonly bare?: boolean }): VNode | null {
  const { dataName, hasNotebook } = usePanelContext();
  if (!hasNotebook || !dataName) {
    return null;
  }
  const { key, table, main, call } = frame;
  // Run again in a new kernel, the cell fetches by itself what has a call.
  const held = handle(key, call ? 'copilot.data' : dataName);
  const isMissing = ['if', JSON.stringify(key), 'not in', 'copilot.data:'].join(' ');
  const lines = call ? `%load_ext qdash_jupyter\n${isMissing}\n    ${held} = copilot.tools.${call}\n` : '';
  const how = { about: handle(key, 'data'), bare };
  return (
    <>
      <RunButton label={words.frames.openInCell} icon={CellBelow} code={`${lines}${held}[${JSON.stringify(table)}]`} {...how} />
      <RunButton label={words.frames.explore} icon={Lens} code={`${lines}${held}.explore(${main ? '' : JSON.stringify(table)})`} {...how} />
    </>
  );
}

function First({ preview }: { readonly preview: Preview | null }): VNode {
  const { store } = usePanelContext();
  if ((!preview || preview.state === 'reading') && store.blocked !== null) {
    return <p class="qd-quiet">{words.frames.unreachable}</p>;
  }
  if (!preview || preview.state === 'reading') {
    return <StatusLine>{words.frames.reading}</StatusLine>;
  }
  if (preview.state === 'failed') {
    return (
      <p class="qd-step-error" role="alert">
        {preview.message}
      </p>
    );
  }
  const { key, table, columns, rows, total_rows, total_columns, changed } = preview;
  const isWhole = rows.length === total_rows && columns.length === total_columns;
  const parts = [
    isWhole ? '' : words.frames.part({ rows: rows.length, allRows: total_rows, columns: columns.length, allColumns: total_columns }),
    changed ? words.frames.changed : '',
  ].filter(Boolean);
  const block = { id: '', kind: 'table', frame_key: null, columns, rows, total_rows: rows.length } as const;
  return (
    <>
      {rows.length === 0 ? <p class="qd-quiet">{words.frames.noRows}</p> : <Table table={block} name={`data.${key}.${table}`} />}
      {parts.length > 0 && <p class="qd-quiet">{parts.join(' · ')}</p>}
    </>
  );
}
