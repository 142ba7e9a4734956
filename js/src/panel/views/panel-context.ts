import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import type { PanelStore } from '../panel-store';

export interface PanelContextValue {
  readonly store: PanelStore;
  /** Whether there is an extension; null as long as that is not known. */
  readonly hosted: boolean | null;
  /** Whether a notebook is there to take cells. */
  readonly hasNotebook: boolean;
  /** By what Python reaches the results; empty where both names are the user's. */
  readonly dataName: string;
  /** Shows a result in the list of them. */
  readonly showFrame: (key: string) => void;
  /** Another number after each change of the theme. */
  readonly theme: number;
}

export const PanelContext = createContext<PanelContextValue | null>(null);

/** What a view stands in. */
export function usePanelContext(): PanelContextValue {
  const context = useContext(PanelContext);
  if (!context) {
    throw new Error('A view stands outside of a panel');
  }
  return context;
}

export function usePanelStore(): PanelStore {
  return usePanelContext().store;
}

/** Whole seconds since that moment of the kernel's, counting as long as `running`. */
export function useSeconds(sinceMs: number | null | undefined, running: boolean): number {
  const { clock } = usePanelStore();
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) {
      return undefined;
    }
    const timer = setInterval(() => tick(n => n + 1), 1000);
    return () => clearInterval(timer);
  }, [running, sinceMs]);
  return typeof sinceMs === 'number' ? clock.seconds(sinceMs) : 0;
}
