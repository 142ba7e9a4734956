import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';

import type { Desk, Shown } from '../desk';
import { isRunning } from '../state';
import { ofResult } from '../subject';
import type { Result, Turn } from '../wire';
import { Composer, type ComposerHandle } from './composer';
import { Conversation } from './conversation';
import { SurroundingsContext } from './desk';
import { Frames } from './frames';
import { Header } from './header';
import { Notices, Refusal } from './notices';
import { Results } from './results';

/** The whole panel. `theme` is another number after each change of the theme. */
export function Panel({ desk, theme }: { desk: Desk; theme: number }): VNode {
  const shown = useShown(desk);
  const [place, setPlace] = useState<'conversation' | 'data' | 'results'>('conversation');
  const [said, setSaid] = useState('');
  const composer = useRef<ComposerHandle>(null);
  const { state, hosted } = shown;
  const surroundings = useMemo(() => ({ desk, hosted, theme }), [desk, hosted, theme]);
  const questions = useMemo(() => state.turns.map(turn => turn.question), [state.turns]);
  const last = state.turns[state.turns.length - 1];
  useOutcome(last, setSaid);
  useEscape(desk);

  const blocked = reason(shown);
  const ask = (text: string): void => {
    setPlace('conversation');
    desk.ask(text);
  };
  const toggle = (other: 'data' | 'results'): void => setPlace(place === other ? 'conversation' : other);
  const choose = (result: Result): void => {
    desk.choose(ofResult(result));
    setPlace('conversation');
    composer.current?.focus();
  };
  return (
    <SurroundingsContext.Provider value={surroundings}>
      <Header shown={shown} data={place === 'data'} toggleData={() => toggle('data')} said={setSaid} />
      <Notices shown={shown} />
      {place !== 'conversation' ? (
        <div class="qd-body">
          <div class="qd-transcript" tabIndex={0} role="region" aria-label={place === 'data' ? 'Data' : 'Results'}>
            {place === 'data' ? (
              <Frames frames={state.frames} />
            ) : (
              <Results results={state.results} choose={choose} />
            )}
          </div>
        </div>
      ) : (
        <Conversation
          shown={shown}
          blocked={blocked !== null || desk.busy}
          fill={text => composer.current?.fill(text)}
        />
      )}
      {shown.refusal && <Refusal words={shown.refusal} />}
      <Composer
        handle={composer}
        conversation={state.conversation ?? state.instance}
        returned={shown.returned}
        questions={questions}
        placeholder={`Ask about ${state.about.chip?.split(' (')[0] || 'the chip'}`}
        blocked={blocked}
        busy={desk.busy}
        about={state.about}
        subject={shown.subject}
        leaveSubject={() => desk.choose(null)}
        choosing={place === 'results'}
        toggleChoosing={() => toggle('results')}
        send={ask}
        stop={() => desk.stop()}
      />
      <div class="qd-sr" aria-live="polite">
        {said}
      </div>
    </SurroundingsContext.Provider>
  );
}

function useShown(desk: Desk): Shown {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  // Not as an effect after the paint: what comes before that would be drawn late.
  useLayoutEffect(() => desk.watch(() => redraw(undefined)), [desk]);
  return desk.shown;
}

/** Escape is Stop, wherever in the panel the focus is. */
function useEscape(desk: Desk): void {
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.isComposing && event.keyCode !== 229 && desk.busy) {
        event.preventDefault();
        event.stopPropagation();
        desk.stop();
      }
    };
    desk.root.addEventListener('keydown', key);
    return () => desk.root.removeEventListener('keydown', key);
  }, [desk]);
}

const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'Answer ready',
  stopped: 'Stopped',
  error: 'The question failed',
};

/** Says how a turn ended that was seen running; not each of its words. */
function useOutcome(turn: Turn | undefined, say: (words: string) => void): void {
  const watched = useRef<string | null>(null);
  useEffect(() => {
    if (turn && isRunning(turn)) {
      watched.current = turn.turn_id;
      say('');
    } else if (turn && watched.current === turn.turn_id) {
      watched.current = null;
      say(turn.broken_off ? 'Interrupted' : (OUTCOMES[turn.state] ?? ''));
    }
  }, [turn]);
}

/** Why no command can be sent now. */
function reason({ link, state: { about } }: Shown): string | null {
  switch (link?.state) {
    case 'lost':
      return 'Not connected to the copilot';
    case 'connecting':
      return 'Connecting to the kernel…';
    default:
      return about.state === 'failed' ? 'Not connected: the reason stands above' : null;
  }
}
