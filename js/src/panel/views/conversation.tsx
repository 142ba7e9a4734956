import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Shown } from '../desk';
import { isRunning } from '../state';
import { Greeting } from './greeting';
import { Guard } from './guard';
import { ArrowDown } from './icons';
import { PendingTurn, TurnView } from './turn';

/** Nearer to the end than this the reader is taken to be at the end. */
const AT_END_PX = 24;

interface ConversationProps {
  readonly shown: Shown;
  readonly blocked: boolean;
  readonly fill: (text: string) => void;
}

const NONE: readonly string[] = [];

/** The turns, in the panel's one scroll area. It follows the end as long as the reader is at the end. */
export function Conversation({ shown, blocked, fill }: ConversationProps): VNode {
  const { state, pending, stopping, link, fetching } = shown;
  const area = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [news, setNews] = useState(false);
  const silent = link?.state === 'silent';

  const toEnd = (): void => {
    follows.current = true;
    setNews(false);
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
      setNews(true);
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
      setNews(false);
    }
  };

  const empty = state.turns.length === 0 && !pending;
  return (
    <div class="qd-body">
      <div ref={area} class="qd-transcript" tabIndex={0} role="region" aria-label="Conversation" onScroll={scrolled}>
        <div ref={content} class="qd-turns" data-empty={empty}>
          {empty && <Greeting about={state.about} starters={state.starters} fill={fill} />}
          {state.turns.map(turn => (
            <Guard key={turn.turn_id} of={turn}>
              <TurnView
                turn={turn}
                stopping={stopping && isRunning(turn)}
                silent={silent && isRunning(turn)}
                waits={link?.waits_for_cell === true && isRunning(turn)}
                lost={link?.state === 'lost' && isRunning(turn)}
                blocked={blocked}
                fetching={fetching.length > 0 ? fetching : NONE}
              />
            </Guard>
          ))}
          {pending && (
            <PendingTurn
              question={pending.text}
              sent_at={pending.sent_at}
              stopping={stopping}
              silent={silent}
              waits={link?.waits_for_cell === true}
            />
          )}
        </div>
      </div>
      {news && (
        <button type="button" class="qd-news" onClick={toEnd}>
          New <ArrowDown />
        </button>
      )}
    </div>
  );
}
