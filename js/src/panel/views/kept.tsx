import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Conversations, Kept as Row } from '../../shared/wire';
import { fileName, moment } from '../format';
import { words } from '../words';
import { isComposing } from './keys';
import { Menu } from './menu';
import { usePanelStore } from './panel-context';
import { SearchBox } from './search-box';
import { StatusLine } from './status';

interface KeptProps {
  readonly found: Conversations | null;
  /** The conversation that goes on. */
  readonly current: string | null;
  /** The conversation is in view again, at this turn. */
  readonly leave: (conversation: string, turn: string) => void;
}

/** The conversations that are kept, to go on with one of them. */
export function Kept({ found, current, leave }: KeptProps): VNode {
  const store = usePanelStore();
  const last = found?.words ?? '';
  const find = (wanted: string): void => store.send({ type: 'conversations', words: wanted });
  useLayoutEffect(() => find(last), []);
  const resume = ({ id, turn_id }: Row): void => {
    if (id !== current) {
      store.send({ type: 'resume', id });
    }
    leave(id, turn_id);
  };
  return (
    <>
      <SearchBox
        label={words.kept.search}
        placeholder={words.kept.search}
        words={last}
        find={find}
      />
      <List found={found} current={current} resume={resume} />
    </>
  );
}

interface ListProps {
  readonly found: Conversations | null;
  readonly current: string | null;
  readonly resume: (row: Row) => void;
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
    return <StatusLine>{words.kept.reading}</StatusLine>;
  }
  if (found.rows.length === 0) {
    return (
      <p class="qd-empty">
        {found.words ? words.kept.none : words.kept.nothing}
      </p>
    );
  }
  return (
    <ul class="qd-results" aria-label={words.header.conversations} aria-busy={found.state === 'reading'}>
      {found.rows.map(row => (
        <Item key={row.id} row={row} isCurrent={row.id === current} resume={resume} />
      ))}
    </ul>
  );
}

function Item({ row, isCurrent, resume }: { row: Row; isCurrent: boolean; resume: (row: Row) => void }): VNode {
  const store = usePanelStore();
  const [doing, setDoing] = useState<'rename' | 'delete' | null>(null);
  const save = (format: 'ipynb' | 'md'): void => store.saveConversation(fileName(row.title, format), format, row.id);
  const about = [isCurrent && words.kept.openNow, moment(row.changed_at * 1000), row.chip, row.notebook].filter(Boolean);
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
        <span>{words.kept.deleteForGood(row)}</span>
        <button type="button" class="qd-button" ref={each => each?.focus()} onClick={() => setDoing(null)}>
          {words.buttons.keep}
        </button>
        <button type="button" class="qd-button" onClick={() => store.send({ type: 'delete', id: row.id })}>
          {words.buttons.delete}
        </button>
      </li>
    );
  }
  return (
    <li class="qd-kept">
      <button type="button" class="qd-result" aria-current={isCurrent} onClick={() => resume(row)}>
        <b title={row.title}>{row.title}</b>
        {row.snippet && <span title={row.snippet}>{row.snippet}</span>}
        <span class="qd-quiet">{about.join(' · ')}</span>
      </button>
      <Menu
        label={words.kept.more(row)}
        choices={[
          { label: words.kept.rename, choose: () => setDoing('rename') },
          { label: words.header.saveNotebook, choose: () => save('ipynb') },
          { label: words.header.saveMarkdown, choose: () => save('md') },
          { label: words.buttons.delete, choose: () => setDoing('delete') },
        ]}
      />
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
      aria-label={words.kept.title}
      placeholder={words.kept.titleHint}
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
