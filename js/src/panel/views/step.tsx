import type { ComponentChildren, VNode } from 'preact';
import { useId, useState } from 'preact/hooks';

import type { SourceInWords, StepBlock } from '../../shared/wire';
import { duration, found, handle, plain, waited } from '../format';
import { words } from '../words';
import { ApprovalCard, Decided } from './approval';
import { CopyButton } from './buttons';
import { Lines } from './code';
import { usePanelStore, useSeconds, usePanelContext } from './panel-context';
import { Caret, Check, Cross, Pause } from './icons';
import { memo } from './memo';
import { COUNTED_FROM_S } from './status';

interface StepProps {
  readonly step: StepBlock;
  /** Its data are being fetched again. */
  readonly fetching: boolean;
}

/** One line a step: what it does in words, what came of it. All that was sent and got is below, on a click. */
export const Step = memo(({ step, fetching }: StepProps): VNode => {
  const [open, setOpen] = useState(false);
  const details = useId();
  return (
    <div class="qd-step" data-state={step.state}>
      <button
        type="button"
        class="qd-line"
        aria-expanded={open}
        aria-controls={open ? details : undefined}
        onClick={() => setOpen(!open)}
      >
        <Mark step={step} />
        <span class="qd-line-words">
          {isAsked(step) ? words.step.forYou : plain(step.label)}
          <Aside step={step} />
        </span>
        <Time step={step} />
        <span class="qd-caret" data-open={open}>
          <Caret />
        </span>
      </button>
      {step.approval && isAsked(step) && <ApprovalCard step={step} approval={step.approval} />}
      {step.approval && <Decided approval={step.approval} />}
      {step.error && step.approval?.state !== 'rejected' && <p class="qd-step-error">{step.error}</p>}
      {step.warning && <Warning text={step.warning} />}
      <Places step={step} fetching={fetching} />
      {open && (
        <div class="qd-details" id={details}>
          <Details step={step} />
        </div>
      )}
    </div>
  );
});

/** Whether it waits for the user's yes or no. */
function isAsked({ state, approval }: StepBlock): boolean {
  return state === 'running' && approval?.state === 'asked';
}

function Mark({ step }: { step: StepBlock }): VNode {
  const { state } = step;
  if (isAsked(step)) {
    return (
      <span class="qd-mark" aria-hidden="true">
        <Pause />
      </span>
    );
  }
  if (state === 'running') {
    return <span class="qd-spinner" role="img" aria-label={words.step.running} />;
  }
  return (
    <span class="qd-mark" role="img" aria-label={state === 'done' ? words.step.done : words.step.failed}>
      {state === 'done' ? <Check /> : <Cross />}
    </span>
  );
}

/** What the step is about and what it found. No line begins with a dot. */
function Aside({ step }: { step: StepBlock }): VNode | null {
  const parts = [step.about, step.frame_key ? '' : found(step)].filter(Boolean);
  return parts.length > 0 ? <span class="qd-quiet">{`\u2002${parts.join('\u00a0· ')}`}</span> : null;
}

function Time({ step }: { step: StepBlock }): VNode {
  const seconds = useSeconds(step.started_at, step.state === 'running' && !isAsked(step));
  const time =
    step.state === 'running'
      ? !isAsked(step) && seconds >= COUNTED_FROM_S && waited(seconds)
      : typeof step.elapsed_s === 'number' && duration(step.elapsed_s);
  return <span class="qd-line-end">{time || ''}</span>;
}

/** Its cell runs long or takes much memory: it goes on, and whoever wants to can stop it here. */
function Warning({ text }: { text: string }): VNode {
  const store = usePanelStore();
  return (
    <p class="qd-step-warning">
      <span role="status">{plain(text)}</span>
      <button type="button" class="qd-link" onClick={() => store.stop()}>
        {words.buttons.stop}
      </button>
    </p>
  );
}

/** Where the results are: the cell and the data. */
function Places({ step, fetching }: StepProps): VNode | null {
  const { hosted } = usePanelContext();
  const { cell_id, cell_place, cell_state, frame_key } = step;
  const waiting = step.state === 'running' && cell_state === 'waiting';
  const inNotebook = hosted && cell_id && cell_place === 'notebook';
  if (!frame_key && !inNotebook && !waiting && cell_place !== 'kernel') {
    return null;
  }
  return (
    <div class="qd-places">
      {frame_key && <FrameChip step={step} fetching={fetching} />}
      {inNotebook && <CellLink cellId={cell_id} number={step.cell_number} />}
      {waiting && <span class="qd-quiet">{words.step.waiting}</span>}
      {cell_place === 'kernel' && <span class="qd-quiet">{words.step.withoutCell}</span>}
    </div>
  );
}

function CellLink({ cellId, number: counted }: { cellId: string; number: number | null }): VNode {
  const { host } = usePanelStore();
  const [missed, setMissed] = useState(false);
  return (
    <>
      <button type="button" class="qd-link" onClick={() => setMissed(!host.reveal(cellId))}>
        {counted === null ? words.step.inCell : words.step.inCellNumber({ n: String(counted) })}
      </button>
      <span class="qd-quiet" role="status">
        {missed && words.step.cellGone}
      </span>
    </>
  );
}

function FrameChip({ step, fetching }: StepProps): VNode {
  const { store, dataName, showFrame } = usePanelContext();
  const key = step.frame_key ?? '';
  const about = step.frame_gone ? words.step.gone : found(step);
  const chip = (
    <button
      type="button"
      class="qd-chip"
      data-gone={step.frame_gone ? '' : undefined}
      title={words.step.showInData}
      onClick={() => showFrame(key)}
    >
      <code>{handle(key, dataName)}</code>
      {about && <span> · {about}</span>}
    </button>
  );
  if (!step.frame_gone) {
    return chip;
  }
  return (
    <>
      {chip}
      <button type="button" class="qd-link" disabled={fetching} onClick={() => store.fetch(step.call_id)}>
        {fetching ? words.buttons.fetching : words.buttons.fetchAgain}
      </button>
    </>
  );
}

function Details({ step }: { step: StepBlock }): VNode {
  const { is_language_model } = usePanelStore().view.state.about;
  const receiver = is_language_model ? words.step.sent : words.step.readByPlanner;
  return (
    <>
      {step.hint && <p>{step.hint}</p>}
      <Part title={words.step.tool}>
        <code>{step.name}</code>
      </Part>
      <Part title={words.step.arguments}>
        <Lines text={JSON.stringify(step.arguments, null, 2)} wrap />
      </Part>
      {step.sources.length > 0 && (
        <Part title={words.step.readFrom}>
          <ul class="qd-sources">
            {step.sources.map((source, index) => (
              <li key={index}>
                <code>{source.collection}</code> · {words.format.records({ n: source.count })} · {source.filter}
                {source.ids.length > 0 && <span class="qd-quiet"> · {examples(source)}</span>}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {step.code && (
        <Part title={words.step.code} copy={step.code}>
          <Lines text={step.code} language="python" />
        </Part>
      )}
      {typeof step.sent === 'string' && (
        <Part title={`${receiver} · ${words.format.characters({ n: step.sent.length })}`} copy={step.sent}>
          <Lines text={step.sent} wrap />
        </Part>
      )}
    </>
  );
}

/** Ids by which its documents are found in QDash. */
function examples({ ids, count: all }: SourceInWords): string {
  const listed = ids.join(', ');
  return ids.length < all ? words.step.forExample({ ids: listed }) : listed;
}

interface PartProps {
  readonly title: string;
  readonly copy?: string;
  readonly children: ComponentChildren;
}

function Part({ title, copy, children }: PartProps): VNode {
  return (
    <section>
      <div class="qd-part-head">
        <span>{title}</span>
        {copy !== undefined && <CopyButton label={words.step.copy({ title: title.split(' · ')[0] ?? '' })} text={() => copy} />}
      </div>
      {children}
    </section>
  );
}

/** What the fold says instead of its steps. */
export function folded(steps: readonly StepBlock[]): string {
  return words.step.folded({ n: steps.length, time: duration(spent(steps)) });
}

/** Seconds in which at least one of the steps ran, in the order of their starts: some run side by side. */
function spent(steps: readonly StepBlock[]): number {
  let [seconds, end] = [0, 0];
  for (const step of steps) {
    const began = step.started_at / 1000;
    const start = Math.max(end, began);
    end = Math.max(start, began + (step.elapsed_s ?? 0));
    seconds += end - start;
  }
  return seconds;
}
