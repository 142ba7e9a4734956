import type { VNode } from 'preact';

import type { ErrorBlock, Turn } from '../wire';
import { useDesk } from './desk';
import { Cross, Square } from './icons';

interface ErrorProps {
  readonly error: Pick<ErrorBlock, 'title' | 'hint'>;
  readonly turn_id: string;
  readonly blocked: boolean;
}

/** What went wrong, what to do, and the way to try it again. */
export function ErrorCard({ error, turn_id, blocked }: ErrorProps): VNode {
  return (
    <div class="qd-card" data-kind="error">
      <p class="qd-card-title">
        <Cross />
        <span>{error.title}</span>
      </p>
      {error.hint && <p>{error.hint}</p>}
      <Again turn_id={turn_id} label="Try again" blocked={blocked} />
    </div>
  );
}

function Again({ turn_id, label, blocked }: { turn_id: string; label: string; blocked: boolean }): VNode {
  const desk = useDesk();
  return (
    <button type="button" class="qd-button" disabled={blocked} onClick={() => desk.retry(turn_id)}>
      {label}
    </button>
  );
}

/** The copilot is gone; whether the turn is too will be known when it is back. */
export function Interrupted(): VNode {
  return (
    <div class="qd-ending">
      <Square />
      <span>Interrupted</span>
    </div>
  );
}

const UNANSWERED = { title: 'There is no answer to this question.', hint: null };

/** How a turn ended, where it did not end with an answer. */
export function Ending({ turn, blocked }: { turn: Turn; blocked: boolean }): VNode | null {
  if (turn.broken_off) {
    return (
      <div class="qd-ending">
        <Square />
        <span>Interrupted: the kernel ended</span>
        <Again turn_id={turn.turn_id} label="Ask again" blocked={blocked} />
      </div>
    );
  }
  if (turn.state === 'stopped') {
    return (
      <div class="qd-ending">
        <Square />
        <span>Stopped by you</span>
      </div>
    );
  }
  if (turn.state === 'error' && !turn.blocks.some(block => block.kind === 'error')) {
    return <ErrorCard error={UNANSWERED} turn_id={turn.turn_id} blocked={blocked} />;
  }
  return null;
}
