import { Fragment, type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { Result, Results as Found } from '../../shared/wire';
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
  const words = useRef(results?.words ?? '');
  const find = (wanted: string): void => {
    words.current = wanted;
    store.send({ type: 'find', words: wanted });
  };
  useEffect(() => {
    if (forgotten || !opened.current) {
      opened.current = true;
      find(words.current);
    }
  }, [forgotten]);
  return (
    <>
      <SearchBox
        label="Task, qubit or status"
        placeholder="Task, qubit or status: CheckT1 Q07 failed"
        words={words.current}
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
      <p class="qd-empty">No result fits.</p>
    ) : (
      <StatusLine>Reading results</StatusLine>
    );
  }
  return (
    <>
      <ul class="qd-results" aria-label="Results" aria-busy={state === 'reading'}>
        {rows.map(row => (
          <li key={`${row.task_id} ${row.qid}`}>
            <Row row={row} choose={choose} />
          </li>
        ))}
      </ul>
      {more && <p class="qd-empty">The newest {rows.length}. Another word narrows them down.</p>}
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
          {row.status}
          {row.excluded && ', excluded'}
        </span>
      </span>
      {row.values.length > 0 && <span>{row.values.join(' · ')}</span>}
      <span class="qd-quiet">
        {row.started} · <span class="qd-whole">run {row.execution_id}</span>
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
