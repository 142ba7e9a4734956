import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { number } from '../format';
import { CopyButton } from './buttons';
import { memo } from './memo';
import { Scroller } from './scroller';

const MOST_LINES = 20;

interface CodeProps {
  readonly code: string;
  readonly language: string;
}

/** A block of code, open: twenty lines at first, the rest on a click. */
export const Code = memo(({ code, language }: CodeProps): VNode => (
  <div class="qd-code">
    <div class="qd-code-head">
      <span>{language || 'code'}</span>
      <CopyButton label="Copy code" text={() => code} />
    </div>
    <Lines text={code} />
  </div>
));

interface LinesProps {
  readonly text: string;
  /** Long lines go on below instead of leaving the panel. */
  readonly wrap?: boolean;
}

export function Lines({ text, wrap = false }: LinesProps): VNode {
  const [open, setOpen] = useState(false);
  const lines = text.split('\n');
  const pre = <pre class={wrap ? 'qd-wrap' : ''}>{open ? text : lines.slice(0, MOST_LINES).join('\n')}</pre>;
  return (
    <>
      {wrap ? pre : <Scroller>{pre}</Scroller>}
      {lines.length > MOST_LINES && (
        <button type="button" class="qd-text-button qd-more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? `First ${MOST_LINES} lines` : `All ${number(lines.length)} lines`}
        </button>
      )}
    </>
  );
}
