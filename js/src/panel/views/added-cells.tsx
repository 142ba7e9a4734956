import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { AddedCells as Cells } from '../../shared/wire';
import { words } from '../words';
import { usePanelContext } from './panel-context';

interface AddedCellsProps {
  readonly turnId: string;
  readonly cells: Cells;
}

/** What the answer has added to the notebook, and the ways to see it, to keep it, and to take it back. */
export function AddedCells({ turnId, cells }: AddedCellsProps): VNode | null {
  const { store, hosted } = usePanelContext();
  const [missed, setMissed] = useState(false);
  if (!hosted || cells.state === 'kept') {
    return null;
  }
  const isThere = cells.state === 'added';
  const change = (type: 'undo' | 'redo' | 'keep') => () => store.changeCells(type, turnId);
  return (
    <div class="qd-added" role="group" aria-label={words.addedCells.name}>
      <span>{words.addedCells[cells.state]({ n: cells.count })}</span>
      {!isThere ? (
        <Action label={cells.state === 'unseen' ? words.addedCells.insert : words.addedCells.putBack} onClick={change('redo')} />
      ) : (
        <>
          <Action label={words.buttons.show} onClick={() => setMissed(!store.host.reveal(cells.first))} />
          <Action label={words.buttons.keep} onClick={change('keep')} />
          <Action label={words.buttons.undo} onClick={change('undo')} />
        </>
      )}
      {cells.note && <span class="qd-added-note">{cells.note}</span>}
      <span class="qd-quiet" role="status">
        {missed && isThere && words.step.cellGone}
      </span>
    </div>
  );
}

function Action({ label, onClick }: { readonly label: string; readonly onClick: () => void }): VNode {
  return (
    <button type="button" class="qd-link" onClick={onClick}>
      {label}
    </button>
  );
}
