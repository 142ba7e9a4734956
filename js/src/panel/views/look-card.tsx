import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

import type { Look } from '../../shared/wire';
import { words } from '../words';
import { Marked } from './marked';
import { usePanelStore } from './panel-context';

/** What goes to a model's server that was not asked before. Until it was agreed to, nothing is asked. */
export function LookCard({ look }: { look: Look }): VNode {
  const store = usePanelStore();
  const title = useId();
  return (
    <section class="qd-card" data-kind="look" aria-labelledby={title}>
      <h4 class="qd-card-title" id={title}>
        {words.look.title(look)}
      </h4>
      <p>{words.look.goes(look)}</p>
      <ul class="qd-effects">
        {look.goes.map(each => (
          <li key={each}>
            <Marked text={each} />
          </li>
        ))}
      </ul>
      <p class="qd-quiet">
        <Marked text={look.stays} />
      </p>
      <button type="button" class="qd-button" onClick={() => store.send({ type: 'agree', endpoint: look.endpoint })}>
        {words.look.agree(look)}
      </button>
    </section>
  );
}
