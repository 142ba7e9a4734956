import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface SearchBoxProps {
  readonly label: string;
  readonly placeholder: string;
  /** What was looked for last. */
  readonly words: string;
  readonly find: (words: string) => void;
}

/** How long one stops typing before the kernel looks. */
const PAUSE_MS = 250;

/** Has the focus when it appears, and looks for what is typed. */
export function SearchBox({ label, placeholder, words, find }: SearchBoxProps): VNode {
  const [typed, setTyped] = useState(words);
  const box = useRef<HTMLInputElement>(null);
  const pause = useRef<number | undefined>(undefined);
  const type = (wanted: string): void => {
    setTyped(wanted);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => find(wanted), PAUSE_MS);
  };
  useLayoutEffect(() => {
    box.current?.focus(); // not after the paint: the next key is meant for it
    return () => clearTimeout(pause.current);
  }, []);
  return (
    <input
      ref={box}
      class="qd-find"
      type="search"
      value={typed}
      aria-label={label}
      placeholder={placeholder}
      onInput={event => type(event.currentTarget.value)}
      onKeyDown={event => event.stopPropagation()}
    />
  );
}
