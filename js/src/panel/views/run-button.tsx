import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { words } from '../words';
import { usePanelContext } from './panel-context';

interface RunButtonProps {
  readonly label: string;
  readonly icon: () => VNode;
  readonly code: string;
  /** Its words are heard, and seen on hover. */
  readonly bare?: boolean;
}

/** Puts a cell of the user's own below the current one, and runs it. */
export function RunButton({ label, icon: Icon, code, bare = false }: RunButtonProps): VNode {
  const { store } = usePanelContext();
  const [failed, setFailed] = useState(false);
  return (
    <button
      type="button"
      class={bare ? 'qd-icon-button' : 'qd-text-button'}
      aria-label={bare ? label : undefined}
      disabled={store.blocked !== null}
      title={store.blocked ?? (failed ? words.code.notInserted : words.frames.cellBelow({ code: code.split('\n').at(-1) ?? '' }))}
      onClick={() => setFailed(store.host.insert(code, true) === null)}
    >
      <Icon />
      {failed ? words.frames.notInserted : bare ? null : label}
    </button>
  );
}
