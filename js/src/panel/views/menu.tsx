import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Dots } from './icons';

export interface Choice {
  readonly label: string;
  readonly choose: () => void;
  readonly disabled?: boolean;
}

/** A button with a menu below, for mouse and keyboard. */
export function Menu({ label, choices }: { label: string; choices: readonly Choice[] }): VNode {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) {
      return undefined;
    }
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
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

  const back = (): void => {
    setOpen(false);
    root.current?.querySelector<HTMLElement>('button')?.focus();
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (open && step) {
      const items = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
      const next = items.indexOf(document.activeElement as HTMLElement) + step;
      items[(next + items.length) % items.length]?.focus();
    } else if (open && event.key === 'Escape') {
      back();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="qd-menu" ref={root} onKeyDown={key}>
      <button
        type="button"
        class="qd-icon-button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        <Dots />
      </button>
      {open && (
        <div class="qd-menu-list" role="menu" aria-label={label}>
          {choices.map(choice => (
            <button
              key={choice.label}
              type="button"
              role="menuitem"
              disabled={choice.disabled}
              onClick={() => {
                back();
                choice.choose();
              }}
            >
              {choice.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
