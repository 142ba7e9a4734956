import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { copy } from '../../shared/clipboard';
import { words } from '../words';
import { Check, Copy, Cross } from './icons';

const SHOWN_MS = 1500;

interface IconButtonProps {
  readonly label: string;
  readonly icon: () => VNode;
  readonly onClick: () => void;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
}

/** Every icon has its words, to be heard and to be seen on hover. */
export function IconButton({ label, icon: Icon, onClick, pressed, disabled }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class="qd-icon-button"
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon />
    </button>
  );
}

interface CopyButtonProps {
  readonly label: string;
  /** Asked only on a click: some texts are long to make. */
  readonly text: () => string;
  readonly children?: ComponentChildren;
}

/** Copies, and shows for a moment whether that went well. */
export function CopyButton({ label, text, children }: CopyButtonProps): VNode {
  const [done, setDone] = useState<boolean | null>(null);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const click = async (): Promise<void> => {
    setDone(await copy(text()));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDone(null), SHOWN_MS);
  };
  const Icon = done === null ? Copy : done ? Check : Cross;
  const said = done === null ? label : done ? words.buttons.copied : words.buttons.notCopied;
  return (
    <button
      type="button"
      class={children ? 'qd-text-button' : 'qd-icon-button'}
      aria-label={said}
      title={said}
      onClick={() => void click()}
    >
      <Icon />
      {children}
    </button>
  );
}
