import type { VNode } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { CellName } from '../../shared/page';
import { fitting, writtenAt, type Option, type Written } from '../mentions';
import { words } from '../words';
import { usePanelStore } from './panel-context';

interface NameListProps {
  readonly id: string;
  readonly options: readonly Option[];
  /** Which of them Enter takes. */
  readonly active: number;
  readonly choose: (option: Option) => void;
}

export function optionId(listId: string, place: number): string {
  return `${listId}-${place}`;
}

/** Over the question box: what fits behind the `@`. The focus stays in the box. */
export function NameList({ id, options, active, choose }: NameListProps): VNode {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active, options]);
  return (
    <ul ref={list} id={id} class="qd-menu-list qd-names" role="listbox" aria-label={words.composer.names}>
      {options.map((option, place) => (
        <li
          key={`${option.name} ${option.cellId}`}
          id={optionId(id, place)}
          role="option"
          aria-selected={place === active}
          title={`${option.name} · ${option.about}`}
          onMouseDown={event => event.preventDefault()}
          onClick={() => choose(option)}
        >
          <span>{option.cellId === null ? <code>{option.name}</code> : option.name}</span>
          <span class="qd-quiet">{option.about}</span>
        </li>
      ))}
    </ul>
  );
}

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
