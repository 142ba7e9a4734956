import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ScrollerProps {
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Room for what is wider than the panel: it scrolls by itself, with a fade where it goes on. */
export function Scroller({ label, children }: ScrollerProps): VNode {
  const node = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = node.current;
    if (!box) {
      return undefined;
    }
    const mark = (): void => {
      // A column that stays between others stops at the one in front of all.
      box.style.setProperty('--qd-first', `${box.getElementsByTagName('th')[0]?.offsetWidth ?? 0}px`);
      const beyond = box.scrollWidth - box.clientWidth - box.scrollLeft;
      box.toggleAttribute('data-left', box.scrollLeft > 1);
      box.toggleAttribute('data-right', beyond > 1);
      // What can be scrolled must be reached by the keyboard.
      box.tabIndex = box.scrollWidth > box.clientWidth + 1 ? 0 : -1;
    };
    const observer = new ResizeObserver(mark);
    observer.observe(box);
    for (const child of box.children) {
      observer.observe(child);
    }
    box.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', mark);
    };
  }, []);
  return (
    <div ref={node} class="qd-scroller" tabIndex={-1} {...(label ? { role: 'region', 'aria-label': label } : {})}>
      {children}
    </div>
  );
}
