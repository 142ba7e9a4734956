import type { VNode } from 'preact';

import type { Shown } from '../desk';
import { useDesk } from './desk';
import { Cross } from './icons';
import { IconButton } from './buttons';

/** Under the header: what the person must know about the connection. */
export function Notices({ shown }: { shown: Shown }): VNode | null {
  const { state, hosted } = shown;
  const link = shown.in_sidebar ? null : shown.link;
  if (link?.state === 'lost') {
    return <Notice words={link.message || 'The kernel stopped. The conversation is kept.'} />;
  }
  if (state.about.state === 'failed' && state.turns.length > 0) {
    return <Notice words={[state.about.message, state.about.hint].filter(Boolean).join(' ')} />;
  }
  if (link && (link.message || link.missing?.length > 0)) {
    return <Notice words={link.message || `Missing in Jupyter's environment: ${link.missing.join(', ')}.`} />;
  }
  const notes = [
    hosted === false && 'Code runs in the kernel and its output shows here, because this front-end cannot insert cells.',
    state.about.state === 'ready' && state.about.message,
  ].filter(Boolean);
  return notes.length > 0 ? <p class="qd-note">{notes.join(' ')}</p> : null;
}

function Notice({ words }: { words: string }): VNode {
  return (
    <p class="qd-notice" role="alert">
      {words}
    </p>
  );
}

/** Above the question box: why the kernel refused. */
export function Refusal({ words }: { words: string }): VNode {
  const desk = useDesk();
  return (
    <div class="qd-refusal" role="alert">
      <span>{words}</span>
      <IconButton label="Dismiss" icon={Cross} onClick={() => desk.dismiss()} />
    </div>
  );
}
