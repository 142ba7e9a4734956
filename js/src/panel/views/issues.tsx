import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';

import type { Issue } from '../../shared/wire';
import { words } from '../words';
import { Caret, Check, Cross } from './icons';

/** What could not be prepared. Open where something is missing that was asked for; the conversation goes on without it. */
export function InitializationIssues({ issues }: { issues: readonly Issue[] }): VNode | null {
  const failed = issues.some(issue => issue.hard);
  const [chosen, setOpen] = useState<boolean | null>(null);
  const open = chosen ?? failed;
  const details = useId();
  if (issues.length === 0) {
    return null;
  }
  const stages = [...new Set(issues.map(issue => issue.stage))];
  return (
    <section class="qd-steps qd-issues" aria-label={words.issues.title} data-failed={failed}>
      <button
        type="button"
        class="qd-line"
        aria-expanded={open}
        aria-controls={open ? details : undefined}
        onClick={() => setOpen(!open)}
      >
        <span class="qd-mark">{failed ? <Cross /> : <Check />}</span>
        <span class="qd-line-words">{words.issues.title}</span>
        <span class="qd-line-end">{failed ? words.issues.issues({ n: issues.length }) : words.issues.notes({ n: issues.length })}</span>
        <span class="qd-caret" data-open={open}>
          <Caret />
        </span>
      </button>
      {open && (
        <div class="qd-details" id={details}>
          {stages.map(stage => (
            <div key={stage}>
              <h4>{words.issues[stage]}</h4>
              <ul>
                {issues
                  .filter(issue => issue.stage === stage)
                  .map(issue => (
                    <li key={`${issue.name} ${issue.message}`}>
                      <strong>{issue.name}</strong> {issue.message}
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
