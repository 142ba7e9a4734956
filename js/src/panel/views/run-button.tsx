import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { words } from '../words';
import { usePanelContext } from './panel-context';

interface RunButtonProps {
  readonly label: string;
  readonly icon: () => VNode;
  readonly code: string;
  /** What the code of the cells names that it is about; the turn that the button is in, unless given. */
  readonly about?: string;
  /** Its words are heard, and seen on hover. */
  readonly bare?: boolean;
}

/** The turn whose answer a node is in; null elsewhere. */
export function turnOf(node: Element): string | null {
  return node.closest<HTMLElement>('[data-turn]')?.dataset.turn ?? null;
}

/** Puts a cell of the user's own below the cells that it is about, and runs it. */
export function RunButton({ label, icon: Icon, code, about, bare = false }: RunButtonProps): VNode {
  const { store } = usePanelContext();
  const [failed, setFailed] = useState(false);
  return (
    <button
      type="button"
      class={bare ? 'qd-icon-button' : 'qd-text-button'}
      aria-label={bare ? label : undefined}
      disabled={store.blocked !== null}
      title={store.blocked ?? (failed ? words.code.notInserted : words.frames.cellBelow({ code: code.split('\n').at(-1) ?? '' }))}
      onClick={({ currentTarget }) => setFailed(store.host.insert(code, about ?? turnOf(currentTarget), true) === null)}
    >
      <Icon />
      {failed ? words.frames.notInserted : bare ? null : label}
    </button>
  );
}
