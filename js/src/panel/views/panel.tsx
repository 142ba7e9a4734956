import type { VNode } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';

import type { Result, Turn } from '../../shared/wire';
import type { PanelStore, ViewState } from '../panel-store';
import { isRunning } from '../state';
import { ofResult } from '../subject';
import { words } from '../words';
import { StandingApprovals } from './approval';
import { Composer, type ComposerHandle } from './composer';
import { Conversation, type Sought } from './conversation';
import { Frames } from './frames';
import { Header } from './header';
import { Kept } from './kept';
import { isComposing } from './keys';
import { LookCard } from './look-card';
import { Notices, Refusal } from './notices';
import { PanelContext } from './panel-context';
import { Queue } from './queue';
import { Results } from './results';
import { SignInCard } from './sign-in';

/** What may stand where the conversation stands. */
type Other = 'data' | 'results' | 'kept';

/** The whole panel; in another language it is another one. */
export function Panel({ store }: { store: PanelStore }): VNode {
  const view = useView(store);
  return <Whole key={view.language} store={store} view={view} />;
}

function Whole({ store, view }: { store: PanelStore; view: ViewState }): VNode {
  const { state, hosted, theme, refusal, sending } = view;
  const [place, setPlace] = useState<'conversation' | Other>('conversation');
  const [announcement, announce] = useState('');
  const composer = useRef<ComposerHandle>(null);
  const hasNotebook = hosted === true && typeof store.view.link?.notebook === 'string';
  const [chosen, setChosen] = useState<string | null>(null);
  const sought = useRef<Sought | null>(null);
  const { data_name: dataName } = state;
  const context = useMemo(() => {
    const showFrame = (key: string): void => {
      setChosen(key);
      setPlace('data');
    };
    return { store, hosted, hasNotebook, theme, dataName, showFrame };
  }, [store, hosted, hasNotebook, theme, dataName]);
  useOutcome(state.turns.at(-1), announce);
  useEscape(store);
  useDrop(store);

  const fill = useCallback((text: string) => composer.current?.fill(text), []);
  const toggle = (other: Other): void => {
    setChosen(null);
    setPlace(place === other ? 'conversation' : other);
  };
  const choose = (result: Result): void => {
    store.setSubject(ofResult(result));
    setPlace('conversation');
    composer.current?.focus();
  };
  return (
    <PanelContext.Provider value={context}>
      <Header
        showsData={place === 'data'}
        toggleData={() => toggle('data')}
        showsKept={place === 'kept'}
        toggleKept={() => toggle('kept')}
        announce={announce}
      />
      <Notices view={store.view} />
      {place === 'conversation' ? (
        <Conversation view={store.view} sought={sought} fill={fill} />
      ) : (
        <div class="qd-body">
          <div class="qd-transcript" tabIndex={0} role="region" aria-label={nameOf(place)}>
            {place === 'data' && <Frames frames={state.frames} preview={state.preview} chosen={chosen} />}
            {place === 'results' && <Results results={state.results} choose={choose} />}
            {place === 'kept' && (
              <Kept
                found={state.conversations}
                current={state.conversation}
                leave={(conversation, turn) => {
                  sought.current = turn ? { conversation, turn } : null;
                  setPlace('conversation');
                }}
              />
            )}
          </div>
        </div>
      )}
      {refusal && <Refusal text={refusal} />}
      {state.about.look && <LookCard look={state.about.look} />}
      {state.sign_in && <SignInCard servers={state.sign_in} />}
      <StandingApprovals standing={state.standing} />
      <Queue queue={state.queue} sending={sending} announce={announce} edited={() => composer.current?.focus()} />
      <Composer
        handle={composer}
        choosing={place === 'results'}
        toggleChoosing={() => toggle('results')}
        sent={() => setPlace('conversation')}
      />
      <div class="qd-sr" aria-live="polite">
        {announcement}
      </div>
    </PanelContext.Provider>
  );
}

function useView(store: PanelStore): ViewState {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  // Not as an effect after the paint: what comes before that would be drawn late.
  useLayoutEffect(() => store.subscribe(() => redraw(undefined)), [store]);
  return store.view;
}

/** Escape is Stop, wherever in the panel the focus is. */
function useEscape(store: PanelStore): void {
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !isComposing(event) && store.busy) {
        event.preventDefault();
        event.stopPropagation();
        store.stop();
      }
    };
    store.root.addEventListener('keydown', key);
    return () => store.root.removeEventListener('keydown', key);
  }, [store]);
}

/** Files may be dropped anywhere on the panel; elsewhere the browser would leave the page for them. */
function useDrop(store: PanelStore): void {
  useEffect(() => {
    const { root } = store;
    const end = new AbortController();
    const over = (isOver: boolean): void => {
      root.toggleAttribute('data-dropping', isOver);
    };
    const on = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void): void =>
      root.addEventListener(type, event => event.dataTransfer?.types.includes('Files') && act(event), end);
    on('dragover', event => {
      event.preventDefault();
      event.stopPropagation();
      over(true);
    });
    on('dragleave', event => over(event.relatedTarget instanceof Node && root.contains(event.relatedTarget)));
    on('drop', event => {
      event.preventDefault();
      event.stopPropagation();
      over(false);
      void store.takeFiles([...(event.dataTransfer?.files ?? [])]);
    });
    return () => end.abort();
  }, [store]);
}

function nameOf(place: Other): string {
  const { data, results, conversations } = words.header;
  return { data, results, kept: conversations }[place];
}

function outcomeOf({ state, broken_off }: Turn): string {
  const { answerReady, stopped, failed, interrupted } = words.conversation;
  const outcomes: Readonly<Record<string, string>> = { done: answerReady, stopped, error: failed };
  return broken_off ? interrupted : (outcomes[state] ?? '');
}

/** Announces how a turn ended that was seen running; not each of its words. */
function useOutcome(turn: Turn | undefined, announce: (text: string) => void): void {
  const watched = useRef<string | null>(null);
  useEffect(() => {
    if (!turn) {
      return;
    }
    if (isRunning(turn)) {
      watched.current = turn.turn_id;
      announce('');
    } else if (watched.current === turn.turn_id) {
      watched.current = null;
      announce(outcomeOf(turn));
    }
  }, [turn]);
}
