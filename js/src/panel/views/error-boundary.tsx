import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';

import { words } from '../words';

/** Keeps a part that cannot be drawn from taking the panel with it; it is tried again when `of` changes. */
export function ErrorBoundary({ of, children }: { of: unknown; children: ComponentChildren }): VNode {
  const [error, reset] = useErrorBoundary(reason => {
    console.error('A part of the copilot panel cannot be drawn.', reason);
  }) as readonly [unknown, () => void];
  useEffect(() => {
    if (error) {
      reset();
    }
  }, [of]);
  return error ? <p class="qd-quiet">{words.notices.undrawable}</p> : <>{children}</>;
}
