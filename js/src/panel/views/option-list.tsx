import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Shown {
  readonly name: string;
  /** Said quietly beside the name. */
  readonly about: string;
  readonly isCode?: boolean;
}

interface OptionListProps<T extends Shown> {
  readonly id: string;
  readonly label: string;
  readonly options: readonly T[];
  /** Which of them is chosen; -1 for none. */
  readonly active: number;
  readonly choose: (option: T) => void;
}

export function optionId(listId: string, place: number): string {
  return `${listId}-${place}`;
}

/** Over the question box: what may be put into it. The focus stays in the box. */
export function OptionList<T extends Shown>({ id, label, options, active, choose }: OptionListProps<T>): VNode {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active, options]);
  return (
    <ul ref={list} id={id} class="qd-menu-list qd-names" role="listbox" aria-label={label}>
      {options.map((option, place) => (
        <li
          key={`${place} ${option.name}`}
          id={optionId(id, place)}
          role="option"
          aria-selected={place === active}
          title={option.about ? `${option.name} · ${option.about}` : option.name}
          onMouseDown={event => event.preventDefault()}
          onClick={() => choose(option)}
        >
          <span>{option.isCode ? <code>{option.name}</code> : option.name}</span>
          {option.about && <span class="qd-quiet">{option.about}</span>}
        </li>
      ))}
    </ul>
  );
}
