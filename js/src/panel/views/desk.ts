import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import type { Desk } from '../desk';

export interface Surroundings {
  readonly desk: Desk;
  /** Whether there is a labextension; null as long as that is not known. */
  readonly hosted: boolean | null;
  /** Another number after each change of the theme. */
  readonly theme: number;
}

export const SurroundingsContext = createContext<Surroundings | null>(null);

/** What a view stands in. */
export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  if (!surroundings) {
    throw new Error('A view stands outside of a panel');
  }
  return surroundings;
}

export function useDesk(): Desk {
  return useSurroundings().desk;
}

/** Whole seconds since that moment of the kernel's, counting as long as `running`. */
export function useSeconds(since_ms: number | null | undefined, running: boolean): number {
  const { clock } = useDesk();
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) {
      return undefined;
    }
    const timer = setInterval(() => tick(n => n + 1), 1000);
    return () => clearInterval(timer);
  }, [running, since_ms]);
  return typeof since_ms === 'number' ? clock.seconds(since_ms) : 0;
}
