import { useId, useMemo, useRef, useState } from 'preact/hooks';

import { completer, endsWord, type Suggestion } from '../completion';
import { writtenAt } from '../mentions';
import { language, words } from '../words';
import { usePanelStore } from './panel-context';

interface Option extends Suggestion {
  readonly name: string;
  readonly about: string;
}

/** The text of the box with a suggestion in it, and where the cursor is then. */
export interface Taken {
  readonly text: string;
  readonly cursor: number;
}

export interface Completions {
  readonly id: string;
  readonly open: boolean;
  readonly options: readonly Option[];
  /** -1 as long as none is chosen: Enter sends then. */
  readonly active: number;
  /** Looks what may follow the cursor; without a text it is only seen whether the cursor has moved. */
  look(typed?: Taken): void;
  close(): void;
  taken(option: Option): Taken;
  /** Whether the key was for the list. */
  took(event: KeyboardEvent, take: (option: Option) => void): boolean;
}

const NONE: Taken = { text: '', cursor: 0 };

/** What of the list of completions is to be seen, and which keys it takes. It never asks the kernel. */
export function useCompletions(box: { readonly current: HTMLTextAreaElement | null }): Completions {
  const { completions, mentions, about } = usePanelStore().view.state;
  const id = useId();
  const [options, setOptions] = useState<readonly Option[]>([]);
  const [active, setActive] = useState(-1);
  const looked = useRef(NONE);
  /** The text at which the list was closed by Escape: it stays closed for the word. */
  const dismissed = useRef<string | null>(null);
  const complete = useMemo(() => completer(completions, mentions), [completions, mentions]);
  const close = (): void => setOptions([]);
  const find = ({ text, cursor }: Taken): readonly Option[] => {
    const before = text.slice(0, cursor);
    const isWithin = text.slice(cursor).trim() !== '';
    const closed = dismissed.current;
    if (closed !== null && before.startsWith(closed) && !/\s/.test(before.slice(closed.length))) {
      return [];
    }
    dismissed.current = null;
    if (about.is_language_model || writtenAt(text, cursor) || (isWithin && !endsWord(text, cursor))) {
      return [];
    }
    return complete(before, language, isWithin).map(each => {
      const { shown, kind, means } = each;
      return { ...each, name: shown, about: means || (kind && kind !== 'number' ? words.composer.kinds({ kind }) : '') };
    });
  };
  const look: Completions['look'] = typed => {
    if (typed) {
      looked.current = typed;
      setOptions(find(typed));
      setActive(-1);
    } else if (box.current?.value !== looked.current.text || box.current.selectionStart !== looked.current.cursor) {
      close();
    }
  };
  const taken: Completions['taken'] = ({ text, kind }) => {
    const after = looked.current.text.slice(looked.current.cursor);
    // Behind a word another may follow; Japanese has no blanks.
    const blank = kind && !after && /[\w%*]$/.test(text) ? ' ' : '';
    return { text: text + blank + after.trimEnd(), cursor: text.length + blank.length };
  };
  const took: Completions['took'] = (event, take) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isTaken = !event.shiftKey && (event.key === 'Tab' || (event.key === 'Enter' && active >= 0));
    const option = options[Math.max(active, 0)];
    const isOf = box.current?.value === looked.current.text; // a question may have come back into the box
    if (!option || !isOf || !(step || isTaken || event.key === 'Escape')) {
      return false;
    }
    if (step) {
      const places = options.length + 1; // one for none
      setActive(((active + 1 + step + places) % places) - 1);
    } else if (isTaken) {
      take(option);
    } else {
      dismissed.current = looked.current.text.slice(0, looked.current.cursor);
      close();
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { id, open: options.length > 0, options, active, look, close, taken, took };
}
