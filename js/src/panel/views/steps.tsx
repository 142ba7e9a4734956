import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { StepBlock } from '../../shared/wire';
import { Caret, Check } from './icons';
import { folded, Step } from './step';

const FOLDED_FROM = 3;

interface StepsProps {
  readonly steps: readonly StepBlock[];
  /** The turn has ended. */
  readonly over: boolean;
  readonly fetching: readonly string[];
}

/** The steps in a row. Once all is over, three or more that went well are one line; those that failed stay out. */
export function Steps({ steps, over, fetching }: StepsProps): VNode {
  const [open, setOpen] = useState(false);
  const done = steps.filter(step => step.state === 'done');
  const fold = over && done.length >= FOLDED_FROM;
  // One that needs something of the user stays in sight as well.
  const shown = fold && !open ? steps.filter(step => step.state !== 'done' || step.frame_gone) : steps;
  return (
    <div class="qd-steps">
      {fold && (
        <button type="button" class="qd-line" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class="qd-mark">
            <Check />
          </span>
          <span class="qd-line-words">{folded(done)}</span>
          <span class="qd-caret" data-open={open}>
            <Caret />
          </span>
        </button>
      )}
      {shown.length > 0 && (
        <div class={fold ? 'qd-folded' : ''}>
          {shown.map(step => (
            <Step key={step.id} step={step} fetching={fetching.includes(step.call_id)} />
          ))}
        </div>
      )}
    </div>
  );
}
