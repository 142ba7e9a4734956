import type { VNode } from 'preact';

import { plain, waited } from '../words';
import { useSeconds } from './desk';

/** Shorter waits need no number; longer ones a word that it goes on. */
const COUNTED_FROM_S = 2;
const LONG_S = 20;

const THINKING = /^(?:Thinking|考え中)/;

interface StatusProps {
  /** What the kernel says it does. */
  readonly says: string;
  readonly since_ms: number | null;
  readonly stopping: boolean;
  /** The kernel does not answer. */
  readonly silent: boolean;
  /** It reads commands when the cell that runs has ended. */
  readonly waits: boolean;
  /** It is said elsewhere: here it is only for those who hear it. */
  readonly unseen: boolean;
}

/** The status line of a turn under way. Its seconds count on the screen, and are not read out. */
export function Status({ says, since_ms, stopping, silent, waits, unseen }: StatusProps): VNode {
  const seconds = useSeconds(since_ms, true);
  const words = wording(plain(says) || 'Thinking', seconds, { stopping, silent, waits });
  return (
    <div class={`qd-status ${unseen && !stopping && !silent ? 'qd-sr' : ''}`}>
      <span class="qd-pulse" />
      <span role="status">
        {words}
        {seconds >= COUNTED_FROM_S && <span aria-hidden="true"> · {waited(seconds)}</span>}
      </span>
    </div>
  );
}

type Waiting = Pick<StatusProps, 'stopping' | 'silent' | 'waits'>;

function wording(says: string, seconds: number, { stopping, silent, waits }: Waiting): string {
  if (waits && (stopping || silent)) {
    return stopping ? 'Will stop after the current cell' : 'Waiting for the current cell';
  }
  if (silent) {
    return stopping ? 'The kernel is not answering; Stop is queued' : 'The kernel is not answering';
  }
  if (stopping) {
    return 'Stopping';
  }
  return seconds >= LONG_S && THINKING.test(says) ? 'Still waiting for the model' : says;
}
