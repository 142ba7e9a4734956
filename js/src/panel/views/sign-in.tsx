import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import type { SignInServer } from '../../shared/wire';
import { words } from '../words';
import { isComposing } from './keys';
import { usePanelContext, usePanelStore } from './panel-context';

/** Above the question box: servers that want a key. Of several panels in the page one asks. */
export function SignInCard({ servers }: { readonly servers: readonly SignInServer[] }): VNode {
  const { store, hosted } = usePanelContext();
  const title = useId();
  const asks = store.host.asks();
  useEffect(() => {
    if (asks) {
      store.host.attend();
    }
  }, [asks]);
  return (
    <section class="qd-card" data-kind="sign-in" aria-labelledby={title}>
      <h4 class="qd-card-title" id={title}>
        {words.signIn.title}
      </h4>
      {asks || hosted === false ? (
        <Keys servers={servers} />
      ) : (
        <p class="qd-quiet">{words.approval.elsewhere}</p>
      )}
    </section>
  );
}

/** What is typed stays in the inputs until it is sent: in no state, and in no draft. */
function Keys({ servers }: { readonly servers: readonly SignInServer[] }): VNode {
  const store = usePanelStore();
  const [typed, setTyped] = useState(false);
  const [sent, setSent] = useState(false);
  const blocked = sent || store.blocked !== null;
  useEffect(() => setSent(false), [store.view.refusal, servers]);
  const answer = (keys: Readonly<Record<string, string>>): void => {
    if (!blocked) {
      setSent(true);
      store.send({ type: 'sign_in', keys });
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (typed) {
      answer(keysIn(event.currentTarget as HTMLFormElement));
    }
  };
  return (
    <form
      autocomplete="off"
      onSubmit={submit}
      onInput={event => setTyped(Object.keys(keysIn(event.currentTarget)).length > 0)}
    >
      {servers.map(({ server, address, variable }) => (
        <label key={variable}>
          <span>
            {server} <span class="qd-quiet">{address}</span>
          </span>
          <input
            class="qd-reason"
            type="password"
            autocomplete="off"
            name={variable}
            aria-label={words.signIn.keyFor({ server })}
            placeholder={words.signIn.key}
            onKeyDown={keepKey}
          />
        </label>
      ))}
      <div class="qd-answers">
        <button type="submit" class={`qd-button ${store.busy ? 'qd-send' : ''}`} disabled={blocked || !typed}>
          {words.signIn.title}
        </button>
        <button type="button" class="qd-button" disabled={blocked} onClick={() => answer({})}>
          {words.signIn.notNow}
        </button>
      </div>
      <p class="qd-quiet">{words.signIn.kept}</p>
    </form>
  );
}

/** In a cell's output the notebook would take it for one of its own; Escape is Stop. */
function keepKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || isComposing(event)) {
    event.stopPropagation();
  }
}

function keysIn(form: HTMLFormElement): Readonly<Record<string, string>> {
  const typed = [...form.querySelectorAll('input')].map(({ name, value }) => [name, value.trim()] as const);
  return Object.fromEntries(typed.filter(([, key]) => key !== ''));
}
