import type { VNode } from 'preact';

import type { About } from '../../shared/wire';
import { words } from '../words';
import { usePanelStore } from './panel-context';
import { Gauge } from './gauge';
import { Caret } from './icons';
import { Menu } from './menu';

/** Which model answers, and where it is; another one can be chosen, and those of servers on this machine be looked for. */
export function Models({ about }: { about: About }): VNode {
  const store = usePanelStore();
  const { spent } = store.view.state;
  const { model, models, endpoint, is_language_model } = about;
  const gauge = is_language_model && spent && <Gauge spent={spent} />;
  // The planner is in the kernel itself.
  const shown = [model, is_language_model && endpoint].filter(Boolean).join(' · ');
  if (!models.length) {
    return (
      <>
        <span class="qd-context" title={shown}>
          {shown}
        </span>
        {gauge}
      </>
    );
  }
  return (
    <>
      <Menu
        class="qd-models"
        label={words.composer.model({ model: shown })}
        choices={[
          ...models.map(({ name, label, endpoint: at, asked }) => ({
            label,
            detail: at,
            checked: asked,
            choose: () => store.send({ type: 'use_model', name }),
          })),
          { label: words.composer.findModels, choose: () => store.send({ type: 'find_models' }) },
        ]}
      >
        <span class="qd-context">{shown}</span>
        <Caret />
      </Menu>
      {gauge}
    </>
  );
}
