import { Fragment, type VNode } from 'preact';

import type { ErrorBlock, Turn } from '../../shared/wire';
import { words } from '../words';
import { Cross, Square } from './icons';
import { usePanelStore } from './panel-context';

interface EndingProps {
  readonly turn: Turn;
  /** Nothing can be asked now. */
  readonly blocked: boolean;
}

/** What went wrong, what to do, and the way to try it again. */
export function ErrorCard({ error, turn, blocked }: EndingProps & { error: Pick<ErrorBlock, 'title' | 'hint'> }): VNode {
  return (
    <div class="qd-card" data-kind="error">
      <p class="qd-card-title">
        <Cross />
        <span>{error.title}</span>
      </p>
      {error.hint && <p>{error.hint}</p>}
      <Again turn={turn} label={words.buttons.tryAgain} blocked={blocked} />
    </div>
  );
}

function Again({ turn, label, blocked }: EndingProps & { label: string }): VNode {
  const store = usePanelStore();
  return (
    <button type="button" class="qd-button" disabled={blocked} onClick={() => store.retry(turn.turn_id)}>
      {label}
    </button>
  );
}

/** The replies that a question back offers, under their headings. */
export function Choices({ turn: { choices, headings }, blocked }: EndingProps): VNode {
  const store = usePanelStore();
  return (
    <div class="qd-starters qd-replies" role="group" aria-label={words.conversation.replies}>
      {choices.map((choice, place) => (
        <Fragment key={choice}>
          {headings[place] !== headings[place - 1] && <h4>{headings[place]}</h4>}
          <button type="button" class="qd-starter" disabled={blocked} onClick={() => store.ask(choice)}>
            {choice}
          </button>
        </Fragment>
      ))}
    </div>
  );
}

/** What one may ask next: a click fills the box. */
export function NextSteps({ steps, fill }: { steps: readonly string[]; fill: (text: string) => void }): VNode {
  return (
    <div class="qd-next" role="group" aria-label={words.conversation.nextSteps}>
      {steps.map(step => (
        <button key={step} type="button" class="qd-link" onClick={() => fill(step)}>
          {step}
        </button>
      ))}
    </div>
  );
}

/** How a turn ended, where it did not end with an answer. */
export function Ending({ turn, blocked, lost }: EndingProps & { lost: boolean }): VNode | null {
  if (lost || turn.broken_off || turn.state === 'stopped') {
    // Lost with the copilot: whether the turn is too will be known when it is back.
    const isBrokenOff = turn.broken_off && !lost;
    const text = isBrokenOff
      ? words.conversation.kernelEnded
      : lost
        ? words.conversation.interrupted
        : words.conversation.stoppedByYou;
    return (
      <div class="qd-ending">
        <Square />
        <span>{text}</span>
        {isBrokenOff && <Again turn={turn} label={words.conversation.askAgain} blocked={blocked} />}
      </div>
    );
  }
  if (turn.state === 'error' && !turn.blocks.some(block => block.kind === 'error')) {
    return <ErrorCard error={{ title: words.conversation.unanswered, hint: '' }} turn={turn} blocked={blocked} />;
  }
  return null;
}
