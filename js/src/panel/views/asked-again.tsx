import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { Turn } from '../../shared/wire';
import { words } from '../words';
import { Caret, Cross } from './icons';
import { memo } from './memo';
import { TurnView } from './turn';

interface AskedAgainProps {
  readonly turn: Turn;
  readonly blocked: boolean;
  readonly fetching: readonly string[];
  /** Puts a text into the question box. */
  readonly fill: (text: string) => void;
}

const NONE: readonly string[] = [];

/** A question that failed and was asked again below: one line, which unfolds. */
export const AskedAgain = memo(({ turn, blocked, fetching, fill }: AskedAgainProps): VNode => {
  const [open, setOpen] = useState(false);
  const failed = turn.blocks.findLast(block => block.kind === 'error');
  const why = failed?.kind === 'error' ? failed.title : words.conversation.noAnswer;
  return (
    <div class="qd-asked-again" data-turn={turn.turn_id}>
      <button type="button" class="qd-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="qd-mark">
          <Cross />
        </span>
        <span class="qd-line-words">
          {turn.question}
          <span class="qd-quiet">{`\u2002${why.replace(/[.。]$/, '')} · ${words.conversation.askedAgain}`}</span>
        </span>
        <span class="qd-caret" data-open={open}>
          <Caret />
        </span>
      </button>
      {open && (
        <TurnView
          turn={turn}
          live={null}
          blocked={blocked}
          fetching={fetching}
          newest={false}
          nextSteps={NONE}
          fill={fill}
        />
      )}
    </div>
  );
});

/** Whether the same was asked again right after it. */
export function isAskedAgain(turn: Turn, next: string | undefined): boolean {
  return (turn.state === 'error' || turn.broken_off) && turn.question === next;
}
