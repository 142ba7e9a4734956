import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { words } from '../words';
import { usePanelContext } from './panel-context';

interface RunButtonProps {
  readonly label: string;
  readonly icon: () => VNode;
  readonly code: string;
}

/** Puts a cell of the user's own below the current one, and runs it. */
export function RunButton({ label, icon: Icon, code }: RunButtonProps): VNode {
  const { store } = usePanelContext();
  const [failed, setFailed] = useState(false);
  return (
    <button
      type="button"
      class="qd-text-button"
      disabled={store.blocked !== null}
      title={store.blocked ?? (failed ? words.code.notInserted : words.frames.cellBelow({ code }))}
      onClick={() => setFailed(store.host.insert(code, true) === null)}
    >
      <Icon />
      {failed ? words.frames.notInserted : label}
    </button>
  );
}
