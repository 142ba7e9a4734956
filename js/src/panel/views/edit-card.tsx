import type { VNode } from 'preact';

import type { EditBlock } from '../../shared/wire';
import { visible } from '../format';
import { words } from '../words';
import { CopyButton } from './buttons';
import { Check, Cross } from './icons';
import { usePanelContext } from './panel-context';
import { Scroller } from './scroller';

const MARKS = { same: ' ', removed: '−', added: '+', gap: '⋯' } as const;

interface EditCardProps {
  readonly edit: EditBlock;
  readonly turnId: string;
}

/** A change of a cell: what goes, what comes, and the user's word before anything is written. */
export function EditCard({ edit, turnId }: EditCardProps): VNode {
  const { store, hosted } = usePanelContext();
  const { cell_id, edit_id, label, why, lines, after, state } = edit;
  const open = state !== 'written' && state !== 'rejected';
  const decide = (type: 'accept_edit' | 'reject_edit') => () => store.send({ type, turn_id: turnId, edit_id });
  return (
    <div class="qd-card" data-kind="edit" data-state={state} role="group" aria-label={words.edit.name({ label })}>
      <div class="qd-edit-head">
        <b>{words.edit.title({ label })}</b>
        {hosted && cell_id && (
          <button type="button" class="qd-link" onClick={() => store.host.reveal(cell_id)}>
            {words.buttons.show}
          </button>
        )}
        <CopyButton label={words.edit.copy} text={() => after} />
      </div>
      {why && <p>{why}</p>}
      <div class="qd-code">
        <Scroller>
          <pre class="qd-diff">
            {lines.map(({ kind, text }, index) => (
              <span key={index} data-kind={kind}>
                {`${MARKS[kind]} ${visible(text)}\n`}
              </span>
            ))}
          </pre>
        </Scroller>
      </div>
      {state !== 'proposed' && (
        <p class="qd-edit-state qd-quiet">
          {state === 'written' ? <Check /> : <Cross />}
          <span>{words.edit[state]}</span>
        </p>
      )}
      {open && hosted && cell_id && (
        <div class="qd-edit-foot">
          <button type="button" class="qd-button" aria-label={words.edit.acceptName} onClick={decide('accept_edit')}>
            {words.edit.accept}
          </button>
          <button type="button" class="qd-text-button" aria-label={words.edit.rejectName} onClick={decide('reject_edit')}>
            {words.edit.reject}
          </button>
        </div>
      )}
    </div>
  );
}
