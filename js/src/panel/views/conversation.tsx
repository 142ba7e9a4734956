import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { ViewState } from '../panel-store';
import { isRunning } from '../state';
import { Greeting } from './greeting';
import { ErrorBoundary } from './error-boundary';
import { ArrowDown } from './icons';
import { InitializationIssues } from './issues';
import { usePanelStore } from './panel-context';
import { PendingTurn, TurnView } from './turn';

/** Nearer to the end than this the reader is taken to be at the end. */
const AT_END_PX = 24;

interface ConversationProps {
  readonly view: ViewState;
  readonly fill: (text: string) => void;
}

/** The turns, in the panel's one scroll area. It follows the end as long as the reader is at the end. */
export function Conversation({ view, fill }: ConversationProps): VNode {
  const store = usePanelStore();
  const { state, pending } = view;
  const blocked = store.blocked !== null || store.busy;
  const area = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [hasNew, setHasNew] = useState(false);

  const toEnd = (): void => {
    follows.current = true;
    setHasNew(false);
    if (area.current) {
      area.current.scrollTop = area.current.scrollHeight;
    }
  };
  // One's own question is what one wants to see.
  useLayoutEffect(() => {
    if (pending) {
      toEnd();
    }
  }, [pending]);
  useLayoutEffect(() => {
    if (follows.current) {
      toEnd();
    } else if (state.turns.some(isRunning)) {
      setHasNew(true);
    }
  }, [state.turns]);
  useEffect(() => {
    const scroller = area.current;
    if (!scroller || !content.current) {
      return undefined;
    }
    // Charts and formulas take their room later than the text around them, and the panel's edges can be dragged.
    const observer = new ResizeObserver(() => {
      if (follows.current) {
        scroller.scrollTop = scroller.scrollHeight;
      }
    });
    observer.observe(scroller);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);
  const scrolled = (): void => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = area.current ?? {};
    follows.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
    if (follows.current) {
      setHasNew(false);
    }
  };

  const empty = state.turns.length === 0 && !pending;
  return (
    <div class="qd-body">
      <div ref={area} class="qd-transcript" tabIndex={0} role="region" aria-label="Conversation" onScroll={scrolled}>
        <div ref={content} class="qd-turns" data-empty={empty}>
          {state.about.state === 'ready' && <InitializationIssues issues={state.about.issues} />}
          {empty && <Greeting about={state.about} starters={state.starters} fill={fill} />}
          {state.turns.map((turn, index) => (
            <ErrorBoundary key={turn.turn_id} of={turn}>
              <TurnView
                turn={turn}
                live={isRunning(turn) ? view : null}
                blocked={blocked}
                fetching={view.fetching}
                newest={index === state.turns.length - 1 && !pending}
              />
            </ErrorBoundary>
          ))}
          {pending && <PendingTurn pending={pending} live={view} />}
        </div>
      </div>
      {hasNew && (
        <button type="button" class="qd-news" onClick={toEnd}>
          New <ArrowDown />
        </button>
      )}
    </div>
  );
}
