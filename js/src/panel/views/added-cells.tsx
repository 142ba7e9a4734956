import type { VNode } from 'preact';

import type { AddedCells as Cells } from '../../shared/wire';
import { count } from '../format';
import { usePanelContext } from './panel-context';

const WORDS = { added: 'added', undone: 'taken back', unseen: 'ran unseen' } as const;

interface AddedCellsProps {
  readonly turnId: string;
  readonly cells: Cells;
}

/** What the answer has added to the notebook, and the ways to see it, to keep it, and to take it back. */
export function AddedCells({ turnId, cells }: AddedCellsProps): VNode | null {
  const { store, hosted } = usePanelContext();
  if (!hosted || cells.state === 'kept') {
    return null;
  }
  const isThere = cells.state === 'added';
  const change = (type: 'undo' | 'redo' | 'keep') => () => store.changeCells(type, turnId);
  return (
    <div class="qd-added" role="group" aria-label="Cells of this answer">
      <span>{`${count(cells.count, 'cell')} ${WORDS[cells.state]}`}</span>
      {!isThere ? (
        <Action label={cells.state === 'unseen' ? 'Insert' : 'Put back'} onClick={change('redo')} />
      ) : (
        <>
          <Action label="Show" onClick={() => store.host.reveal(cells.first)} />
          <Action label="Keep" onClick={change('keep')} />
          <Action label="Undo" onClick={change('undo')} />
        </>
      )}
      {cells.note && <span class="qd-added-note">{cells.note}</span>}
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
