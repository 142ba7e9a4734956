import { Fragment, type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { Result, Results as Found } from '../../shared/wire';
import { words } from '../words';
import { usePanelStore } from './panel-context';
import { Cross } from './icons';
import { SearchBox } from './search-box';
import { StatusLine } from './status';

interface ResultsProps {
  readonly results: Found | null;
  readonly choose: (result: Result) => void;
}

/** The newest results of the chip, to ask about one of them. */
export function Results({ results, choose }: ResultsProps): VNode {
  const store = usePanelStore();
  const opened = useRef(false);
  const forgotten = results === null;
  const wanted = useRef(results?.words ?? '');
  const find = (typed: string): void => {
    wanted.current = typed;
    store.send({ type: 'find', words: typed });
  };
  useEffect(() => {
    if (forgotten || !opened.current) {
      opened.current = true;
      find(wanted.current);
    }
  }, [forgotten]);
  return (
    <>
      <SearchBox
        label={words.results.search}
        placeholder={words.results.searchHint}
        words={wanted.current}
        find={find}
      />
      <List results={results} choose={choose} />
    </>
  );
}

function List({ results, choose }: ResultsProps): VNode {
  const { state, rows, more, message } = results ?? { state: 'reading', rows: [], more: false, message: '' };
  if (state === 'failed') {
    return (
      <p class="qd-empty" role="alert">
        {message}
      </p>
    );
  }
  if (rows.length === 0) {
    return state === 'ready' ? (
      <p class="qd-empty">{words.results.none}</p>
    ) : (
      <StatusLine>{words.results.reading}</StatusLine>
    );
  }
  return (
    <>
      <ul class="qd-results" aria-label={words.header.results} aria-busy={state === 'reading'}>
        {rows.map(row => (
          <li key={`${row.task_id} ${row.qid}`}>
            <Row row={row} choose={choose} />
          </li>
        ))}
      </ul>
      {more && <p class="qd-empty">{words.results.newest({ n: rows.length })}</p>}
    </>
  );
}

function Row({ row, choose }: { row: Result; choose: (result: Result) => void }): VNode {
  const failed = row.status === 'failed';
  return (
    <button type="button" class="qd-result" onClick={() => choose(row)}>
      <span class="qd-result-head">
        <b>
          <Words name={row.task} /> · <span class="qd-whole">{row.label}</span>
        </b>
        <span class="qd-quiet" data-failed={failed}>
          {failed && <Cross />}
          {row.excluded ? words.results.excluded(row) : row.status}
        </span>
      </span>
      {row.values.length > 0 && <span>{row.values.join(' · ')}</span>}
      <span class="qd-quiet">
        {row.started} · <span class="qd-whole">{words.subject.run({ run: row.execution_id })}</span>
      </span>
    </button>
  );
}

/** A name of words without spaces may break between them. */
function Words({ name }: { name: string }): VNode {
  return (
    <>
      {name.split(/(?<=[a-z0-9])(?=[A-Z])/).map((word, place) => (
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}
