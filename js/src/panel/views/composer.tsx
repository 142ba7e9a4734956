import type { Ref, VNode } from 'preact';
import { useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';

import * as draft from '../draft';
import { completed, type Option, type Written } from '../mentions';
import { ofCell } from '../subject';
import { language, words } from '../words';
import { IconButton } from './buttons';
import { useCompletions, type Taken } from './completions';
import { Cross, Lens, Question, Square } from './icons';
import { isComposing } from './keys';
import { Models } from './models';
import { useNames } from './names';
import { OptionList, optionId } from './option-list';
import { usePanelStore } from './panel-context';

export interface ComposerHandle {
  /** Puts a text into the box, for the user to change and send. */
  fill(text: string): void;
  focus(): void;
}

interface ComposerProps {
  readonly handle: Ref<ComposerHandle>;
  /** Whether a result is being chosen. */
  readonly choosing: boolean;
  readonly toggleChoosing: () => void;
  /** Called when a question was sent. */
  readonly sent: () => void;
}

const MOST_PX = 140;

/** The question box. What was typed in it is never lost. */
export function Composer({ handle, choosing, toggleChoosing, sent }: ComposerProps): VNode {
  const store = usePanelStore();
  const { busy, blocked } = store;
  const { returned, named, subject, state } = store.view;
  const { about } = state;
  // What the draft is kept under; empty as long as that is not known.
  const conversation = state.conversation ?? state.instance;
  const isAskedBack = (state.turns.at(-1)?.choices.length ?? 0) > 0;
  const placeholder = isAskedBack ? words.composer.chooseOrReply : words.composer.askAbout({ chip: about.chip || words.composer.theChip });
  const [text, setText] = useState('');
  /** How often a text was put into the box, with the cursor behind it, or where `cursor` says. */
  const [placed, setPlaced] = useState(0);
  const cursor = useRef<number | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const reason = useId();
  const recalled = useRef<number | null>(null);
  const filled = useRef('');

  const put = (change: (typed: string) => string): void => {
    setText(change);
    setPlaced(times => times + 1);
  };
  // Before the next key or click, not with the next picture: it would move a selection that the user has made by then.
  useLayoutEffect(() => {
    if (placed) {
      const at = cursor.current ?? box.current?.value.length ?? 0;
      cursor.current = null;
      box.current?.focus();
      box.current?.setSelectionRange(at, at);
    }
  }, [placed]);
  const fill = (example: string): void => {
    const last = filled.current;
    filled.current = example;
    // One example takes the place of another, but not of what the user has written.
    put(typed => (typed === '' || typed === last ? example : `${typed}\n${example}`));
  };
  useImperativeHandle(handle, () => ({ fill, focus: () => put(typed => typed) }), []);
  useKeptDraft(conversation, text, setText);
  useEffect(() => {
    if (returned?.text) {
      setText(typed => (typed ? `${returned.text}\n${typed}` : returned.text));
    }
  }, [returned]);
  useEffect(() => {
    if (named) {
      put(typed => `${typed}${/\S$/.test(typed) ? ' ' : ''}@${named.name} `);
    }
  }, [named]);
  useGrowth(box, text);

  const names = useNames(box);
  const choose = (option: Option, written: Written): void => {
    const cell = option.cellId === null ? null : store.host.cell(option.cellId);
    if (cell) {
      store.setSubject(ofCell(cell));
    }
    const { text: whole, cursor: at } = completed(text, written, option);
    cursor.current = at;
    names.close();
    put(() => whole);
  };
  const completions = useCompletions(box);
  const look = (): void => {
    const { value = '', selectionStart: at = 0 } = box.current ?? {};
    completions.look(subject ? undefined : { text: value, cursor: at });
  };
  const take = (option: Parameters<typeof completions.taken>[0]): void => {
    const taken: Taken = completions.taken(option);
    cursor.current = taken.cursor;
    put(() => taken.text);
    completions.look(taken);
  };
  const moved = (): void => {
    names.look(false);
    completions.look();
  };
  const listed = names.open ? names : completions.open ? completions : null;
  const help = !about.is_language_model && state.completions.find(each => each.language === language)?.help;
  const canSend = !blocked && (text.trim() !== '' || subject !== null);
  const send = (): void => {
    if (canSend) {
      store.ask(text.trim());
      sent();
      setText('');
      completions.close();
      recalled.current = null;
    }
  };
  /** Whether the key was for recalling. */
  const recall = (step: -1 | 1): boolean => {
    const questions = state.turns.map(turn => turn.question);
    const at = recalled.current;
    const untouched = at !== null && text === questions[at];
    if (!(text === '' ? step < 0 : untouched)) {
      return false;
    }
    const next = (untouched ? at : questions.length) + step;
    if (next >= 0 && next <= questions.length) {
      recalled.current = next;
      put(() => questions[next] ?? '');
    }
    return true;
  };
  const key = (event: KeyboardEvent): void => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (plain && event.key !== 'Escape') {
      event.stopPropagation(); // in a cell's output, Shift+Enter would run the cell
    }
    if (isComposing(event) || !plain || names.took(event, choose) || completions.took(event, take)) {
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if ((event.key === 'ArrowUp' && recall(-1)) || (event.key === 'ArrowDown' && recall(1))) {
      event.preventDefault();
    }
  };
  /** While a question is answered, for as long as no other is written. */
  const stops = busy && !canSend;
  const paste = (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])];
    // A table copied in a spreadsheet comes with a picture of itself: its text is meant.
    if (files.length > 0 && !event.clipboardData?.types.includes('text/plain')) {
      event.preventDefault();
      void store.takeFiles(files);
    }
  };
  const click = (event: MouseEvent): void => {
    if (!stops) {
      send();
    } else if (event.detail < 2) {
      store.stop(); // the second half of a double click on Send is no Stop
    }
  };
  return (
    <form class="qd-composer" onSubmit={event => event.preventDefault()}>
      {subject && (
        <div class="qd-about-what">
          <span title={subject.title}>{subject.label}</span>
          {subject.cell?.pictures?.map((png, place) => (
            <img key={place} src={`data:image/png;base64,${png}`} alt={words.composer.picture({ n: place + 1 })} />
          ))}
          <IconButton label={words.composer.leaveOut} icon={Cross} onClick={() => store.setSubject(null)} />
        </div>
      )}
      <textarea
        ref={box}
        rows={1}
        value={text}
        aria-label={words.composer.box}
        aria-describedby={blocked ? reason : undefined}
        placeholder={blocked ?? subject?.hint ?? placeholder}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={listed?.id}
        aria-activedescendant={listed && listed.active >= 0 ? optionId(listed.id, listed.active) : undefined}
        onInput={event => {
          setText(event.currentTarget.value);
          names.look(true);
          if (event.isComposing) {
            completions.close();
          } else {
            look();
          }
        }}
        onCompositionEnd={look}
        onKeyUp={moved}
        onClick={moved}
        onBlur={() => {
          names.close();
          completions.close();
        }}
        onPaste={paste}
        onKeyDown={key}
      />
      {names.open ? (
        <OptionList {...names} label={words.composer.names} choose={option => names.written && choose(option, names.written)} />
      ) : (
        completions.open && <OptionList {...completions} label={words.composer.completions} choose={take} />
      )}
      <span class="qd-sr" aria-live="polite">
        {completions.open && words.composer.completionsFound({ n: completions.options.length })}
      </span>
      <div class="qd-composer-foot">
        <IconButton label={words.composer.analyze} icon={Lens} pressed={choosing} onClick={toggleChoosing} />
        {help && <IconButton label={help} icon={Question} disabled={Boolean(blocked)} onClick={() => store.ask(help)} />}
        {blocked && !about.look ? (
          <span class="qd-context" id={reason} title={blocked}>
            {text && blocked}
          </span>
        ) : (
          <Models about={about} />
        )}
        <button
          type="button"
          class={stops ? 'qd-button qd-stop' : 'qd-button qd-send'}
          title={busy && !stops ? words.composer.waitsForRunning : undefined}
          disabled={!stops && !canSend}
          onClick={click}
        >
          {stops && <Square />}
          {stops ? words.buttons.stop : words.buttons.send}
        </button>
      </div>
    </form>
  );
}

/** Keeps the text over a reload, under the conversation's name as soon as it has one. */
function useKeptDraft(conversation: string, text: string, setText: (change: (text: string) => string) => void): void {
  const kept = useRef('');
  // With each change, not with the next picture: the page may be gone by then.
  useLayoutEffect(() => {
    if (!conversation) {
      return;
    }
    if (kept.current !== conversation) {
      kept.current = conversation;
      const stored = draft.load(conversation);
      if (!text && stored) {
        setText(typed => typed || stored);
        return;
      }
    }
    draft.save(conversation, text);
  }, [conversation, text]);
}

/** From one line to six, then it scrolls. */
function useGrowth(box: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  const fit = (): void => {
    const area = box.current;
    if (area) {
      area.style.height = 'auto';
      area.style.height = `${Math.min(area.scrollHeight, MOST_PX)}px`;
    }
  };
  useLayoutEffect(fit, [text]);
  useEffect(() => {
    let width = 0;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width !== width) {
        width = entry.contentRect.width;
        fit();
      }
    });
    if (box.current) {
      observer.observe(box.current);
    }
    return () => observer.disconnect();
  }, []);
}
