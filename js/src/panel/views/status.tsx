import type { ComponentChildren, VNode } from 'preact';

import { plain, waited } from '../format';
import type { ViewState } from '../panel-store';
import { words } from '../words';
import { useSeconds } from './panel-context';

/** Shorter waits need no number; longer ones a word that it goes on. */
export const COUNTED_FROM_S = 2;
const LONG_S = 20;

const THINKING = /^(?:Thinking|考え中)/;

interface StatusProps {
  /** What the kernel does, in its words. */
  readonly text: string;
  readonly sinceMs: number | null;
  readonly live: ViewState;
  /** Words of the answer come: whoever reads them knows that nobody only thinks. */
  readonly writing?: boolean;
  /** It stands elsewhere: here it is only for those who hear it. */
  readonly unseen?: boolean;
}

/** The status line of a turn under way. Its seconds count on the screen, and are not read out. */
export function Status({ text, sinceMs, live, writing = false, unseen = false }: StatusProps): VNode {
  const seconds = useSeconds(sinceMs, true);
  const isQuiet = unseen && !live.stopping && live.link?.state !== 'silent';
  return (
    <StatusLine class={isQuiet ? 'qd-sr' : ''}>
      {wording(writing ? written(plain(text)) : plain(text) || words.status.thinking, seconds, live)}
      {seconds >= COUNTED_FROM_S && <span aria-hidden="true"> · {waited(seconds)}</span>}
    </StatusLine>
  );
}

/** Something is under way. */
export function StatusLine({ class: also = '', children }: { class?: string; children: ComponentChildren }): VNode {
  return (
    <p class={`qd-status ${also}`}>
      <span class="qd-pulse" />
      <span role="status">{children}</span>
    </p>
  );
}

function written(text: string): string {
  const [thinking = ''] = THINKING.exec(text) ?? [];
  return thinking || !text ? words.status.writing : text;
}

function wording(text: string, seconds: number, { stopping, link }: ViewState): string {
  const silent = link?.state === 'silent';
  if (link?.waits_for_cell && (stopping || silent)) {
    return stopping ? words.status.stopsAfterCell : words.status.waitsForCell;
  }
  if (silent) {
    return stopping ? words.status.silentStop : words.status.silent;
  }
  if (stopping) {
    return words.status.stopping;
  }
  return seconds >= LONG_S && THINKING.test(text) ? words.status.stillWaiting : text;
}
