import type { VNode } from 'preact';

import type { ViewState } from '../panel-store';
import { usePanelStore } from './panel-context';
import { Cross } from './icons';
import { IconButton } from './buttons';

/** Under the header: what the user must know about the connection, and how they get back. */
export function Notices({ view }: { view: ViewState }): VNode | null {
  return (
    <>
      <Connection view={view} />
      {view.mayGoBack && <BeganAnew />}
    </>
  );
}

function BeganAnew(): VNode {
  const store = usePanelStore();
  return (
    <p class="qd-notice" role="status">
      A new conversation has begun.{' '}
      <button type="button" class="qd-link" onClick={() => store.goBack()}>
        Undo
      </button>
    </p>
  );
}

function Connection({ view }: { view: ViewState }): VNode | null {
  const { state, hosted } = view;
  const link = view.inSidebar ? null : view.link;
  if (link?.state === 'lost') {
    return <Notice text={link.message || 'The kernel stopped. The conversation is kept.'} />;
  }
  if (state.about.state === 'failed' && state.turns.length > 0) {
    return <Notice text={[state.about.message, state.about.hint].filter(Boolean).join(' ')} />;
  }
  if (link && (link.message || link.missing.length > 0)) {
    return <Notice text={link.message || `Missing in Jupyter's environment: ${link.missing.join(', ')}.`} />;
  }
  const notes = [
    hosted === false && 'Code runs in the kernel and its output shows here, because this front-end cannot insert cells.',
    state.about.state === 'ready' && state.about.message,
  ].filter(Boolean);
  return notes.length > 0 ? <p class="qd-note">{notes.join(' ')}</p> : null;
}

function Notice({ text }: { text: string }): VNode {
  return (
    <p class="qd-notice" role="alert">
      {text}
    </p>
  );
}

/** Above the question box: why the kernel refused. */
export function Refusal({ text }: { text: string }): VNode {
  const store = usePanelStore();
  return (
    <div class="qd-refusal" role="alert">
      <span>{text}</span>
      <IconButton label="Dismiss" icon={Cross} onClick={() => store.dismissRefusal()} />
    </div>
  );
}
