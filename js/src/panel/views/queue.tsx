import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { Queued } from '../../shared/wire';
import { count } from '../format';
import { wordsOf } from '../subject';
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
      announce(`${count(all.length, 'question')} in the queue`);
    }
    before.current = all.length;
  }, [all.length]);
  if (all.length === 0) {
    return null;
  }
  const held = all.some(each => each.held);
  return (
    <section class="qd-queue" aria-label="Queue">
      {held && <p class="qd-quiet">The question before was stopped or failed. These were not sent:</p>}
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
  const words = wordsOf(queued);
  const edit = (): void => {
    store.editQueued(queued);
    edited();
  };
  return (
    <li>
      {!queued.held && <Clock />}
      <span title={words}>{words}</span>
      {queued.held && (
        <button type="button" class="qd-link" disabled={store.blocked !== null} onClick={() => store.sendQueued(queued)}>
          Send
        </button>
      )}
      {!isOnItsWay && (
        <>
          <IconButton label="Edit" icon={Pen} onClick={edit} />
          <IconButton label="Remove" icon={Cross} onClick={() => store.removeQueued(queued)} />
        </>
      )}
    </li>
  );
}
