import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import type { Approval, EffectInWords, Standing, StepBlock } from '../../shared/wire';
import { visible } from '../format';
import { words } from '../words';
import { useColours } from './code';
import { ASSESSMENTS } from './icons';
import { usePanelContext, usePanelStore } from './panel-context';

const Warning = ASSESSMENTS.warning;

/** Longer code is scrolled: a line above it says how long it is. */
const MOST_LINES = 12;

interface ApprovalCardProps {
  readonly step: StepBlock;
  readonly approval: Approval;
}

/** Code that waits for a yes, which is to exactly this code. Of several panels in the page one asks. */
export function ApprovalCard({ step, approval }: ApprovalCardProps): VNode {
  const { store, hosted } = usePanelContext();
  const title = useId();
  const asks = store.host.asks();
  useEffect(() => {
    if (asks) {
      store.host.attend();
    }
  }, [approval.proposal_id, asks]);
  return (
    <section class="qd-card qd-approval" data-kind="approval" aria-labelledby={title}>
      <h4 class="qd-card-title" id={title}>
        <Warning /> {words.approval.title(approval)}
      </h4>
      {approval.runs === 'session' && <p>{words.approval.inSession}</p>}
      {approval.runs === 'kernel' && approval.effects.length > 0 && <p>{words.approval.needs}</p>}
      <Effects effects={approval.effects} />
      {asks || hosted === false ? (
        <Answer key={approval.proposal_id} step={step} approval={approval} />
      ) : (
        <p class="qd-quiet">{words.approval.elsewhere}</p>
      )}
    </section>
  );
}

function Effects({ effects }: { readonly effects: readonly EffectInWords[] }): VNode | null {
  if (effects.length === 0) {
    return null;
  }
  return (
    <ul class="qd-effects">
      {effects.map(({ does, what, note }) => (
        <li key={`${does} ${what}`}>
          {does} <code>{what}</code>
          {note && ` (${note})`}
        </li>
      ))}
    </ul>
  );
}

/** The code, and the ways to answer. */
function Answer({ step, approval }: ApprovalCardProps): VNode {
  const store = usePanelStore();
  const [edited, setEdited] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const [sent, setSent] = useState(false);
  const code = step.code ?? '';
  const lines = code.split('\n').length;
  const blocked = sent || store.blocked !== null;
  const say = (verdict: 'approved' | 'rejected' | 'edited', more: { standing?: boolean; code?: string } = {}) => () => {
    setSent(true);
    const { proposal_id, hash } = approval;
    store.send({ type: 'decide', proposal_id, hash, verdict, standing: false, code: '', reason, ...more });
  };
  useEffect(() => setSent(false), [store.view.refusal]);
  if (edited !== null) {
    return (
      <>
        <textarea
          class="qd-edit"
          aria-label={words.step.code}
          spellcheck={false}
          rows={Math.min(16, edited.split('\n').length + 1)}
          value={edited}
          onInput={event => setEdited(event.currentTarget.value)}
        />
        <div class="qd-answers">
          <Button label={words.approval.readAgain} primary disabled={blocked || !edited.trim()} onClick={say('edited', { code: edited })} />
          <Button label={words.approval.cancel} onClick={() => setEdited(null)} />
        </div>
        <p class="qd-quiet">{words.approval.changedCode}</p>
      </>
    );
  }
  return (
    <>
      {lines > MOST_LINES && <p class="qd-quiet">{words.approval.lines({ n: lines })}</p>}
      <Asked code={visible(code)} language={approval.runs === 'tool' ? '' : 'ipython'} />
      <div class="qd-answers">
        <Button label={words.approval.yes(approval)} primary approves disabled={blocked} onClick={say('approved')} />
        {approval.runs === 'tool' ? (
          <Button
            label={words.approval.approveTool}
            title={words.approval.approveToolTitle}
            disabled={blocked}
            onClick={say('approved', { standing: true })}
          />
        ) : (
          <Button label={words.buttons.edit} disabled={blocked} onClick={() => setEdited(code)} />
        )}
        <Button label={words.approval.reject} disabled={blocked} onClick={say('rejected')} />
      </div>
      <input
        class="qd-reason"
        aria-label={words.approval.reason}
        placeholder={words.approval.reasonHint}
        value={reason}
        onInput={event => setReason(event.currentTarget.value)}
      />
    </>
  );
}

function Asked({ code, language }: { readonly code: string; readonly language: string }): VNode {
  return <pre ref={useColours(code, language)} class="qd-approval-code qd-wrap" tabIndex={0} aria-label={words.step.code} />;
}

interface ButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly title?: string;
  readonly primary?: boolean;
  /** Whether the key for it presses this button. */
  readonly approves?: boolean;
  readonly disabled?: boolean;
}

/** Only a person presses it: a click that a script of the page has made does nothing. */
function Button({ label, onClick, title, primary = false, approves = false, disabled = false }: ButtonProps): VNode {
  const { host } = usePanelStore();
  return (
    <button
      type="button"
      class={`qd-button ${primary ? 'qd-send' : ''}`}
      title={title}
      disabled={disabled}
      data-approves={approves || undefined}
      onClick={event => host.isByPerson(event) && onClick()}
    >
      {label}
    </button>
  );
}

/** What became of the question, below its step. */
export function Decided({ approval: { state, by, reason } }: { readonly approval: Approval }): VNode | null {
  if (state === 'asked' || state === 'edited') {
    return null;
  }
  if (state === 'approved') {
    return <p class="qd-decided">{words.approval.approvedBy({ who: by })}</p>;
  }
  const who = by === 'nobody' ? words.approval.notRun : words.approval.rejectedBy({ who: by });
  return <p class="qd-decided" data-rejected>{reason ? words.approval.because({ what: who, reason }) : who}</p>;
}

/** Above the question box: what needs no approval any more. */
export function StandingApprovals({ standing }: { readonly standing: readonly Standing[] }): VNode | null {
  const store = usePanelStore();
  if (standing.length === 0) {
    return null;
  }
  return (
    <div class="qd-standing" role="group" aria-label={words.approval.standing}>
      <span class="qd-quiet">{words.approval.standing}</span>
      {standing.map(({ id, does, what }) => (
        <span key={id}>
          {does} <code>{what}</code>{' '}
          <button type="button" class="qd-link" onClick={() => store.send({ type: 'revoke', id })}>
            {words.approval.revoke}
          </button>
        </span>
      ))}
    </div>
  );
}
