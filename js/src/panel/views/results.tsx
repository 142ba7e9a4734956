import { Fragment, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Result, Results as Found } from '../../shared/wire';
import { usePanelStore } from './panel-context';
import { Cross } from './icons';
import { StatusLine } from './status';

interface ResultsProps {
  readonly results: Found | null;
  readonly choose: (result: Result) => void;
}

/** How long one stops typing before the kernel looks. */
const PAUSE_MS = 250;

/** The newest results of the chip, to ask about one of them. */
export function Results({ results, choose }: ResultsProps): VNode {
  const store = usePanelStore();
  const [words, setWords] = useState(results?.words ?? '');
  const box = useRef<HTMLInputElement>(null);
  const pause = useRef<number | undefined>(undefined);
  const opened = useRef(false);
  const forgotten = results === null;
  const find = (wanted: string): void => store.send({ type: 'find', words: wanted });
  const type = (wanted: string): void => {
    setWords(wanted);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => find(wanted), PAUSE_MS);
  };
  useLayoutEffect(() => {
    box.current?.focus(); // not after the paint: the next key is meant for it
    return () => clearTimeout(pause.current);
  }, []);
  useEffect(() => {
    if (forgotten || !opened.current) {
      opened.current = true;
      find(words);
    }
  }, [forgotten]);
  return (
    <>
      <input
        ref={box}
        class="qd-find"
        type="search"
        value={words}
        aria-label="Task, qubit or status"
        placeholder="Task, qubit or status: CheckT1 Q07 failed"
        onInput={event => type(event.currentTarget.value)}
        onKeyDown={event => event.stopPropagation()}
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
