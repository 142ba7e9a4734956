import { Fragment, type ComponentChildren, type VNode } from 'preact';
import { useId } from 'preact/hooks';

import type { Block, StepBlock, Turn } from '../../shared/wire';
import type { Pending, ViewState } from '../panel-store';
import { answer } from '../transcript';
import { duration, moment } from '../format';
import { words } from '../words';
import { AddedCells } from './added-cells';
import { AssessmentChip } from './assessment';
import { CopyButton } from './buttons';
import { Chart } from './chart';
import { EditCard } from './edit-card';
import { Choices, Ending, ErrorCard, NextSteps } from './ending';
import { ErrorBoundary } from './error-boundary';
import { memo } from './memo';
import { Picture } from './picture';
import { Status } from './status';
import { Steps } from './steps';
import { Subject } from './subject-card';
import { Table } from './table';
import { Text } from './text';
import { Thought } from './thought';

interface TurnProps {
  readonly turn: Turn;
  /** As long as it runs: drawn again with each change. */
  readonly live: ViewState | null;
  /** Another question runs, or none can be asked. */
  readonly blocked: boolean;
  readonly fetching: readonly string[];
  /** No question was asked after it. */
  readonly newest: boolean;
  /** Questions that one may ask next. */
  readonly nextSteps: readonly string[];
  readonly fill: (text: string) => void;
}

/** A question and its answer: steps as they happen, then what they led to. */
export const TurnView = memo(({ turn, live, blocked, fetching, newest, nextSteps, fill }: TurnProps): VNode => {
  // The copilot is gone, and nothing more is heard of this turn.
  const lost = live?.link?.state === 'lost';
  const running = lost ? null : live;
  const parts = grouped(turn.blocks);
  const last = turn.blocks.at(-1);
  const assessed = turn.assessment && <AssessmentChip assessment={turn.assessment} />;
  const answered = parts.findIndex(part => !isSteps(part) && part.kind !== 'subject' && part.kind !== 'thought');
  return (
    <Article id={turn.turn_id} question={turn.question} state={(turn.broken_off || lost) && isOpen(turn) ? 'stopped' : turn.state}>
      {parts.map((part, index) => (
        <Fragment key={isSteps(part) ? part[0]?.id : part.id}>
          {index === answered && assessed}
          {isSteps(part) ? (
            <Steps steps={part} over={!running} fetching={fetching} />
          ) : (
            <ErrorBoundary of={part}>
              <BlockView block={part} turn={turn} growing={running !== null && part === last} blocked={blocked} />
            </ErrorBoundary>
          )}
        </Fragment>
      ))}
      {answered < 0 && assessed}
      {running && (
        <Status
          text={turn.state === 'waiting' ? turn.status || words.status.waitingForKernel : turn.status}
          sinceMs={turn.status_since}
          live={running}
          writing={last?.kind === 'text'}
          unseen={last?.kind === 'step' && last.state === 'running'}
        />
      )}
      {turn.choices.length > 0 && (newest ? <Choices turn={turn} blocked={blocked} /> : <NextSteps steps={turn.choices} fill={fill} />)}
      {turn.cells && !running && <AddedCells turnId={turn.turn_id} cells={turn.cells} />}
      <Ending turn={turn} blocked={blocked} lost={lost} />
      {nextSteps.length > 0 && <NextSteps steps={nextSteps} fill={fill} />}
      {!running && <About turn={turn} />}
    </Article>
  );
});

/** A question on its way: from the first moment it looks as it will when the kernel has it. */
export function PendingTurn({ pending, live }: { pending: Pending; live: ViewState }): VNode {
  return (
    <Article question={pending.text} state="thinking">
      <Status text={words.status.thinking} sinceMs={pending.sentAt} live={live} />
    </Article>
  );
}

interface ArticleProps {
  readonly id?: string;
  readonly question: string;
  readonly state: string;
  readonly children: ComponentChildren;
}

function Article({ id, question, state, children }: ArticleProps): VNode {
  const heading = useId();
  return (
    <article class="qd-turn" data-turn={id} data-state={state} aria-labelledby={heading}>
      <h3 class="qd-question" id={heading}>
        {question}
      </h3>
      {children}
    </article>
  );
}

interface BlockProps {
  readonly block: Exclude<Block, StepBlock>;
  readonly turn: Turn;
  readonly growing: boolean;
  readonly blocked: boolean;
}

function BlockView({ block, turn, growing, blocked }: BlockProps): VNode | null {
  const name = `${turn.turn_id}.${block.id}`;
  switch (block.kind) {
    case 'text':
      return <Text name={name} text={block.text} growing={growing} />;
    case 'chart':
      return <Chart block={block} name={name} />;
    case 'image':
      return <Picture mime={block.mime} data={block.data} alt={words.conversation.picture} />;
    case 'thought':
      return <Thought thought={block} name={name} />;
    case 'subject':
      return <Subject subject={block} />;
    case 'table':
      return <Table table={block} name={name} />;
    case 'edit':
      return <EditCard edit={block} turnId={turn.turn_id} />;
    case 'error':
      return <ErrorCard error={block} turn={turn} blocked={blocked} />;
    default:
      return null; // of a newer kernel
  }
}

/** When, how long, by which model: seen when the turn is pointed at or focused. */
function About({ turn }: { turn: Turn }): VNode {
  const { model, input_tokens, output_tokens } = turn.meta;
  const parts = [
    turn.asked_at ? moment(turn.asked_at) : '',
    typeof turn.elapsed_s === 'number' ? duration(turn.elapsed_s) : '',
    model ?? '',
    input_tokens ? words.format.tokensInOut({ sent: input_tokens, got: output_tokens ?? 0 }) : '',
  ];
  const copied = answer(turn);
  return (
    <div class="qd-about">
      <span>{parts.filter(Boolean).join(' · ')}</span>
      {copied && <CopyButton label={words.conversation.copyAnswer} text={() => copied} />}
    </div>
  );
}

function isOpen(turn: Turn): boolean {
  return turn.state === 'thinking' || turn.state === 'waiting';
}

type Part = readonly StepBlock[] | Exclude<Block, StepBlock>;

function isSteps(part: Part): part is readonly StepBlock[] {
  return Array.isArray(part);
}

/** Steps that follow each other belong together. */
function grouped(blocks: readonly Block[]): readonly Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const last = parts[parts.length - 1];
    if (block.kind !== 'step') {
      parts.push(block);
    } else if (last && isSteps(last)) {
      parts[parts.length - 1] = [...last, block];
    } else {
      parts.push([block]);
    }
  }
  return parts;
}
