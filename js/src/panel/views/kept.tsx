import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Conversations, Kept as Row } from '../../shared/wire';
import { moment } from '../format';
import { IconButton } from './buttons';
import { Bin, Pen } from './icons';
import { isComposing } from './keys';
import { usePanelStore } from './panel-context';
import { SearchBox } from './search-box';
import { StatusLine } from './status';

interface KeptProps {
  readonly found: Conversations | null;
  /** The conversation that goes on. */
  readonly current: string | null;
  /** The conversation is in view again. */
  readonly leave: () => void;
}

/** The conversations that are kept, to go on with one of them. */
export function Kept({ found, current, leave }: KeptProps): VNode {
  const store = usePanelStore();
  const words = found?.words ?? '';
  const find = (wanted: string): void => store.send({ type: 'conversations', words: wanted });
  useLayoutEffect(() => find(words), []);
  const resume = (id: string): void => {
    if (id !== current) {
      store.send({ type: 'resume', id });
    }
    leave();
  };
  return (
    <>
      <SearchBox
        label="Search conversations"
        placeholder="Words of a question or an answer"
        words={words}
        find={find}
      />
      <List found={found} current={current} resume={resume} />
    </>
  );
}

interface ListProps {
  readonly found: Conversations | null;
  readonly current: string | null;
  readonly resume: (id: string) => void;
}

function List({ found, current, resume }: ListProps): VNode {
  if (found?.state === 'failed') {
    return (
      <p class="qd-empty" role="alert">
        {found.message}
      </p>
    );
  }
  if (!found || (found.rows.length === 0 && found.state === 'reading')) {
    return <StatusLine>Reading conversations</StatusLine>;
  }
  if (found.rows.length === 0) {
    return (
      <p class="qd-empty">
        {found.words ? 'No conversation has these words.' : 'Nothing is kept yet. Each conversation of a notebook is, with its first question.'}
      </p>
    );
  }
  return (
    <ul class="qd-results" aria-label="Conversations" aria-busy={found.state === 'reading'}>
      {found.rows.map(row => (
        <Item key={row.id} row={row} isCurrent={row.id === current} resume={resume} />
      ))}
    </ul>
  );
}

function Item({ row, isCurrent, resume }: { row: Row; isCurrent: boolean; resume: (id: string) => void }): VNode {
  const store = usePanelStore();
  const [doing, setDoing] = useState<'rename' | 'delete' | null>(null);
  const about = [isCurrent && 'open now', moment(row.changed_at * 1000), row.chip, row.notebook].filter(Boolean);
  if (doing === 'rename') {
    return (
      <li>
        <Title
          title={row.title}
          done={title => {
            setDoing(null);
            if (title !== null && title !== row.title) {
              store.send({ type: 'rename', id: row.id, title });
            }
          }}
        />
      </li>
    );
  }
  if (doing === 'delete') {
    return (
      <li class="qd-kept" data-doing="delete">
        <span>
          Delete “<b>{row.title}</b>” for good?
        </span>
        <button type="button" class="qd-button" ref={each => each?.focus()} onClick={() => setDoing(null)}>
          Keep
        </button>
        <button type="button" class="qd-button" onClick={() => store.send({ type: 'delete', id: row.id })}>
          Delete
        </button>
      </li>
    );
  }
  return (
    <li class="qd-kept">
      <button type="button" class="qd-result" aria-current={isCurrent} onClick={() => resume(row.id)}>
        <b title={row.title}>{row.title}</b>
        <span class="qd-quiet">{about.join(' · ')}</span>
      </button>
      <IconButton label={`Rename ${row.title}`} icon={Pen} onClick={() => setDoing('rename')} />
      <IconButton label={`Delete ${row.title}`} icon={Bin} onClick={() => setDoing('delete')} />
    </li>
  );
}

/** Enter keeps what was typed, Escape what was there. */
function Title({ title, done }: { title: string; done: (title: string | null) => void }): VNode {
  const box = useRef<HTMLInputElement>(null);
  const isOver = useRef(false); // the box loses the focus when it goes
  useLayoutEffect(() => box.current?.select(), []);
  const end = (typed: string | null): void => {
    if (!isOver.current) {
      isOver.current = true;
      done(typed);
    }
  };
  return (
    <input
      ref={box}
      class="qd-find"
      value={title}
      maxLength={120}
      aria-label="Title"
      placeholder="The first question"
      onBlur={event => end(event.currentTarget.value)}
      onKeyDown={event => {
        event.stopPropagation();
        if (event.key === 'Escape') {
          end(null);
        } else if (event.key === 'Enter' && !isComposing(event)) {
          end(event.currentTarget.value);
        }
      }}
    />
  );
}
