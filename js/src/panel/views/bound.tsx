import type { VNode } from 'preact';

import { NAME } from '../../shared/page';
import { words } from '../words';
import { Caret } from './icons';
import { Menu } from './menu';
import { usePanelStore } from './panel-context';

/** The chip that is asked about; another one of the database can be chosen. Database and notebook are said on hover. */
export function Bound(): VNode {
  const store = usePanelStore();
  const { link, state } = store.view;
  const { chips, database, state: connection } = state.about;
  const current = chips.find(chip => chip.current);
  const place = [link?.notebook, link?.kernel].filter(Boolean).join(' · ');
  const about = [current && words.header.ofProject({ chip: current.id, project: current.project }), database, place].filter(Boolean).join(' · ');
  const shown = current?.id || place || NAME;
  if (connection !== 'ready' || chips.length < 2) {
    return (
      <span class="qd-bound" title={about}>
        {shown}
      </span>
    );
  }
  return (
    <Menu
      class="qd-chips"
      label={words.header.chip({ chip: about })}
      choices={chips.map(({ id, project, qubits, status, current: checked }) => ({
        label: id,
        detail: [project, words.header.qubits({ n: qubits }), status].filter(Boolean).join(' · '),
        checked,
        disabled: store.busy,
        choose: () => checked || store.send({ type: 'use_chip', project, chip: id }),
      }))}
    >
      <span class="qd-bound">{current ? shown : words.header.chooseChip}</span>
      <Caret />
    </Menu>
  );
}
