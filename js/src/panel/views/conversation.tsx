import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Turn } from '../../shared/wire';
import type { ViewState } from '../panel-store';
import { hasStep, isRunning } from '../state';
import { words } from '../words';
import { AskedAgain, isAskedAgain } from './asked-again';
import { Greeting } from './greeting';
import { ErrorBoundary } from './error-boundary';
import { ArrowDown } from './icons';
import { InitializationIssues } from './issues';
import { usePanelStore } from './panel-context';
import { PendingTurn, TurnView } from './turn';

/** Nearer to a place than this the reader is taken to be there. */
const NEAR_PX = 24;

const NONE: readonly string[] = [];

/** The next steps of the last turn, without those that were taken before. */
function unasked(turns: readonly Turn[]): readonly string[] {
  return turns.at(-1)?.next_steps.filter(step => turns.every(({ question }) => question !== step)) ?? NONE;
}

/** A turn that was looked for, until it is in view. */
export interface Sought {
  readonly conversation: string;
  readonly turn: string;
}

interface ConversationProps {
  readonly view: ViewState;
  readonly sought: RefObject<Sought | null>;
  readonly fill: (text: string) => void;
}

/** What the view is held at: the last question, with as much of its answer as there is room for; the end; or a turn. */
type Held = 'question' | 'end' | HTMLElement | null;

/**
 * The turns, in the panel's one scroll area. It follows the end until the last question has come to the top and stays
 * there, so that an answer is read from its first words; and further for a reader who has gone to the end.
 */
export function Conversation({ view, sought, fill }: ConversationProps): VNode {
  const store = usePanelStore();
  const { state, pending } = view;
  const blocked = store.blocked !== null || store.busy;
  const area = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const held = useRef<Held>('question');
  const isLive = state.turns.some(isRunning) || pending !== null;
  const asks = state.turns.some(turn => isRunning(turn) && hasStep(turn, ({ approval }) => approval?.state === 'asked'));
  const wasLive = useRef(false);
  const [hasNew, setHasNew] = useState(false);

  /** Of the scroll area, where that place is. */
  const placeOf = (what: Held): number => {
    const { scrollHeight = 0, clientHeight = 0 } = area.current ?? {};
    const end = scrollHeight - clientHeight;
    const top = what === 'question' ? content.current?.lastElementChild : what;
    return top instanceof HTMLElement ? Math.min(end, top.offsetTop) : end;
  };
  const hold = (what: Held = held.current): void => {
    held.current = what;
    if (area.current && what) {
      area.current.scrollTop = placeOf(what);
    }
  };
  const isAtEnd = (): boolean => placeOf('end') - (area.current?.scrollTop ?? 0) < NEAR_PX;
  // One's own question is what one wants to see.
  useLayoutEffect(() => {
    if (pending) {
      hold('question');
    }
  }, [pending]);
  useLayoutEffect(() => {
    hold();
    if (isAtEnd()) {
      setHasNew(false);
    } else if (isLive || wasLive.current) {
      setHasNew(true);
    }
    wasLive.current = isLive;
  }, [state.turns, pending]);
  // It comes with the conversation, which may take a while to be there.
  useLayoutEffect(() => {
    const { conversation, turn = '' } = sought.current ?? {};
    const found = content.current?.querySelector<HTMLElement>(`[data-turn="${CSS.escape(turn)}"]`);
    if (found && state.conversation === conversation) {
      sought.current = null;
      hold(found);
    }
  }, [state.conversation, state.turns]);
  // What waits for a yes must be seen, by whoever has not gone elsewhere.
  useLayoutEffect(() => {
    if (asks && held.current) {
      hold('end');
      setHasNew(false);
    }
  }, [asks]);
  useEffect(() => {
    const scroller = area.current;
    if (!scroller || !content.current) {
      return undefined;
    }
    // Charts and formulas take their room later than the text around them, and the panel's edges can be dragged.
    const observer = new ResizeObserver(() => hold());
    observer.observe(scroller);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);
  const scrolled = (): void => {
    const { scrollTop = 0 } = area.current ?? {};
    const isNear = (what: Held): boolean => Math.abs(scrollTop - placeOf(what)) < NEAR_PX;
    held.current = [held.current, 'question' as const, 'end' as const].find(what => what && isNear(what)) ?? null;
    if (isAtEnd()) {
      setHasNew(false);
    }
  };

  const nextSteps = useMemo(() => (pending ? NONE : unasked(state.turns)), [state.turns, pending]);
  const empty = state.turns.length === 0 && !pending;
  return (
    <div class="qd-body">
      <div ref={area} class="qd-transcript" tabIndex={0} role="region" aria-label={words.conversation.name} onScroll={scrolled}>
        <div ref={content} class="qd-turns" data-empty={empty}>
          {state.about.state === 'ready' && <InitializationIssues issues={state.about.issues} />}
          {empty && <Greeting about={state.about} starters={state.starters} fill={fill} />}
          {state.turns.map((turn, index) => (
            <ErrorBoundary key={turn.turn_id} of={turn}>
              {isAskedAgain(turn, state.turns[index + 1]?.question ?? pending?.text) ? (
                <AskedAgain turn={turn} blocked={blocked} fetching={view.fetching} fill={fill} />
              ) : (
                <TurnView
                  turn={turn}
                  live={isRunning(turn) ? view : null}
                  blocked={blocked}
                  fetching={view.fetching}
                  newest={index === state.turns.length - 1 && !pending}
                  nextSteps={index === state.turns.length - 1 ? nextSteps : NONE}
                  fill={fill}
                />
              )}
            </ErrorBoundary>
          ))}
          {pending && <PendingTurn pending={pending} live={view} />}
        </div>
      </div>
      {hasNew && (
        <button type="button" class="qd-news" onClick={() => hold('end')}>
          {words.conversation.new} <ArrowDown />
        </button>
      )}
    </div>
  );
}
