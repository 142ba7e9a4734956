import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';

import type { ThoughtBlock } from '../../shared/wire';
import { duration } from '../format';
import { words } from '../words';
import { Caret, Check, Dots } from './icons';
import { memo } from './memo';
import { Text } from './text';

interface ThoughtProps {
  readonly thought: ThoughtBlock;
  /** Of the panel's texts, this one. */
  readonly name: string;
}

/** One line: that the model thought, and for how long. Its own words on it are below, on a click. */
export const Thought = memo(({ thought: { text, elapsed_s }, name }: ThoughtProps): VNode => {
  const [open, setOpen] = useState(false);
  const details = useId();
  return (
    <div class="qd-steps qd-thought">
      <button
        type="button"
        class="qd-line"
        aria-expanded={open}
        aria-controls={open ? details : undefined}
        onClick={() => setOpen(!open)}
      >
        <span class="qd-mark">
          {elapsed_s === null ? <Dots /> : <Check />}
        </span>
        <span class="qd-line-words">{elapsed_s === null ? words.thought.soFar : words.thought.lasted({ time: duration(elapsed_s) })}</span>
        <span class="qd-caret" data-open={open}>
          <Caret />
        </span>
      </button>
      {open && (
        <div class="qd-details" id={details}>
          <Text name={name} text={text} growing={elapsed_s === null} />
        </div>
      )}
    </div>
  );
});
