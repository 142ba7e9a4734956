import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { Check, Dots } from './icons';

export interface Choice {
  readonly label: string;
  readonly choose: () => void;
  readonly disabled?: boolean;
  /** Said quietly beside the label. */
  readonly detail?: string;
  /** Of choices that exclude each other, whether it is this one. */
  readonly checked?: boolean;
}

interface MenuProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly class?: string;
  /** What the button shows, with words in it; three dots unless told. */
  readonly children?: ComponentChildren;
  /** In place of the dots, where it has no words. */
  readonly icon?: () => VNode;
}

/** A button with a menu, for mouse and keyboard. */
export function Menu({ label, choices, class: also = '', children, icon: Icon = Dots }: MenuProps): VNode {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  // Not after the paint: the next key is meant for the menu.
  useLayoutEffect(() => {
    if (!open) {
      return undefined;
    }
    items()[0]?.focus();
    const close = (event: Event): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) {
        setOpen(false);
      }
    };
    document.addEventListener('pointerdown', close, true);
    document.addEventListener('focusin', close, true);
    return () => {
      document.removeEventListener('pointerdown', close, true);
      document.removeEventListener('focusin', close, true);
    };
  }, [open]);

  const items = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const back = (): void => {
    setOpen(false);
    root.current?.querySelector<HTMLElement>('button')?.focus();
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (open && step) {
      const all = items();
      const next = all.indexOf(document.activeElement as HTMLElement) + step;
      all[(next + all.length) % all.length]?.focus();
    } else if (open && event.key === 'Escape') {
      back();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class={`qd-menu ${also}`} ref={root} onKeyDown={key}>
      <button
        type="button"
        class={children ? 'qd-text-button' : 'qd-icon-button'}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {children ?? <Icon />}
      </button>
      {open && (
        <div class="qd-menu-list" role="menu" aria-label={label}>
          {choices.map(choice => (
            <button
              key={choice.label}
              type="button"
              role={choice.checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={choice.checked}
              disabled={choice.disabled}
              onClick={() => {
                back();
                choice.choose();
              }}
            >
              {choice.checked !== undefined && <span class="qd-checked">{choice.checked && <Check />}</span>}
              {choice.label}
              {choice.detail && <span class="qd-quiet">{choice.detail}</span>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
