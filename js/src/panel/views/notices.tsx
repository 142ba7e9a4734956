import type { VNode } from 'preact';

import type { ViewState } from '../panel-store';
import { words } from '../words';
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
    <p class="qd-note" role="status">
      {words.notices.beganAnew}{' '}
      <button type="button" class="qd-link" onClick={() => store.goBack()}>
        {words.buttons.undo}
      </button>
    </p>
  );
}

function Connection({ view }: { view: ViewState }): VNode | null {
  const { state, hosted } = view;
  const link = view.inSidebar ? null : view.link;
  if (link?.state === 'lost') {
    return <Notice text={link.message || words.notices.lost} />;
  }
  if (state.about.state === 'failed' && state.turns.length > 0) {
    return <Notice text={[state.about.message, state.about.hint].filter(Boolean).join(' ')} />;
  }
  if (link && (link.message || link.missing.length > 0)) {
    return <Notice text={link.message || words.notices.missing({ names: link.missing.join(', ') })} />;
  }
  const notes = [
    hosted === false && words.notices.unhosted,
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
      <IconButton label={words.buttons.dismiss} icon={Cross} onClick={() => store.dismissRefusal()} />
    </div>
  );
}
