import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { Queued } from '../../shared/wire';
import { wordsOf } from '../subject';
import { words } from '../words';
import { IconButton } from './buttons';
import { Clock, Cross, Pen } from './icons';
import { usePanelStore } from './panel-context';

interface QueueProps {
  readonly queue: readonly Queued[];
  /** Those of them that the kernel has not taken yet. */
  readonly sending: readonly Queued[];
  readonly announce: (text: string) => void;
  /** Called when one of them goes back into the box. */
  readonly edited: () => void;
}

/** Above the question box: the questions that wait for the end of the running one. */
export function Queue({ queue, sending, announce, edited }: QueueProps): VNode | null {
  const all = [...queue, ...sending];
  const before = useRef(0);
  useEffect(() => {
    if (all.length > before.current) {
      announce(words.queue.waiting({ n: all.length }));
    }
    before.current = all.length;
  }, [all.length]);
  if (all.length === 0) {
    return null;
  }
  const held = all.some(each => each.held);
  return (
    <section class="qd-queue" aria-label={words.queue.name}>
      {held && <p class="qd-quiet">{words.queue.held}</p>}
      <ol>
        {all.map(queued => (
          <Row key={queued.ask_id} queued={queued} isOnItsWay={sending.includes(queued)} edited={edited} />
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  readonly queued: Queued;
  readonly isOnItsWay: boolean;
  readonly edited: () => void;
}

function Row({ queued, isOnItsWay, edited }: RowProps): VNode {
  const store = usePanelStore();
  const question = wordsOf(queued);
  const edit = (): void => {
    store.editQueued(queued);
    edited();
  };
  return (
    <li>
      {!queued.held && <Clock />}
      <span title={question}>{question}</span>
      {queued.held && (
        <button type="button" class="qd-link" disabled={store.blocked !== null} onClick={() => store.sendQueued(queued)}>
          {words.buttons.send}
        </button>
      )}
      {!isOnItsWay && (
        <>
          <IconButton label={words.buttons.edit} icon={Pen} onClick={edit} />
          <IconButton label={words.queue.remove} icon={Cross} onClick={() => store.removeQueued(queued)} />
        </>
      )}
    </li>
  );
}
