import { useId, useMemo, useRef, useState } from 'preact/hooks';

import type { CellName } from '../../shared/page';
import { fitting, writtenAt, type Option, type Written } from '../mentions';
import { usePanelStore } from './panel-context';

export interface Names {
  readonly id: string;
  readonly open: boolean;
  readonly options: readonly Option[];
  readonly active: number;
  readonly written: Written | null;
  /** Looks whether a name is being written; a list that is not open opens only while somebody types. */
  look(types: boolean): void;
  close(): void;
  /** Whether the key was for the list. */
  took(event: KeyboardEvent, choose: (option: Option, written: Written) => void): boolean;
}

/** What of the list behind an `@` is to be seen, and which keys it takes. */
export function useNames(box: { readonly current: HTMLTextAreaElement | null }): Names {
  const store = usePanelStore();
  const id = useId();
  const [written, setWritten] = useState<Written | null>(null);
  const [cells, setCells] = useState<readonly CellName[]>([]);
  const [active, setActive] = useState(0);
  /** Where the `@` is whose list was closed by Escape: it stays closed. */
  const dismissed = useRef<number | null>(null);
  const { mentions } = store.view.state;
  const options = useMemo(() => (written ? fitting(mentions, cells, written.word) : []), [mentions, cells, written]);
  const open = options.length > 0;
  const look = (types: boolean): void => {
    const { value = '', selectionStart = 0 } = box.current ?? {};
    const at = writtenAt(value, selectionStart);
    if (at?.start !== dismissed.current) {
      dismissed.current = null;
    }
    const found = dismissed.current === null && (types || written) ? at : null;
    if (found && !written) {
      store.listMentions();
      setCells(store.host.cells());
    }
    if (found?.word !== written?.word || found?.start !== written?.start) {
      setWritten(found);
      setActive(0);
    }
  };
  const close = (): void => setWritten(null);
  const took: Names['took'] = (event, choose) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = options[active];
    if (!written || !option) {
      return false;
    }
    if (step) {
      setActive((active + step + options.length) % options.length);
    } else if (event.key === 'Escape') {
      dismissed.current = written.start;
      close();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      choose(option, written);
    } else {
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { id, open, options, active: Math.min(active, options.length - 1), written, look, close, took };
}
