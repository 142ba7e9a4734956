import type { VNode } from 'preact';

import type { About, Starter } from '../../shared/wire';
import { words } from '../words';
import { Cross } from './icons';
import { StatusLine } from './status';

interface GreetingProps {
  readonly about: About;
  readonly starters: readonly Starter[];
  /** Puts a text into the question box. */
  readonly fill: (text: string) => void;
}

/** Before the first question: what is in use, and what one may ask. */
export function Greeting({ about, starters, fill }: GreetingProps): VNode {
  return (
    <div class="qd-greeting">
      <Situation about={about} />
      {about.state !== 'failed' && starters.length > 0 && (
        <div class="qd-starters" role="group" aria-label={words.greeting.examples}>
          {starters.map(({ label, prompt }) => (
            <button key={label} type="button" class="qd-starter" title={prompt} onClick={() => fill(prompt)}>
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function Situation({ about }: { about: About }): VNode {
  if (about.state === 'connecting') {
    return <StatusLine>{words.greeting.opening}</StatusLine>;
  }
  if (about.state === 'failed') {
    return <Failure about={about} />;
  }
  const { chip, project, qubits } = about;
  return (
    <>
      {about.greeting && <p>{about.greeting}</p>}
      <dl class="qd-sees">
        <Line name={words.greeting.chip} value={chip ? words.greeting.chipOf({ chip, project, n: qubits }) : words.greeting.notChosen} />
        <Line name={words.greeting.database} value={about.database} />
        <Line name={words.greeting.model} value={about.model} />
        <Line name={words.greeting.endpoint} value={about.endpoint} />
        {about.code && <Line name={words.greeting.code} value={about.code} />}
      </dl>
      {!about.is_language_model && (
        <p class="qd-quiet">{words.greeting.noLanguageModel}</p>
      )}
      {about.problems > 0 && (
        <p class="qd-quiet">{words.greeting.problems({ n: about.problems })}</p>
      )}
    </>
  );
}

export function Failure({ about }: { about: About }): VNode {
  return (
    <div class="qd-card" data-kind="error" role="alert">
      <p class="qd-card-title">
        <Cross />
        <span>{about.message || words.greeting.cannotStart}</span>
      </p>
      {about.hint && <p>{about.hint}</p>}
    </div>
  );
}

function Line({ name, value }: { name: string; value: string }): VNode | null {
  return value ? (
    <div>
      <dt>{name}</dt>
      <dd title={value}>{value}</dd>
    </div>
  ) : null;
}
