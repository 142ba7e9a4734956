import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

import { formulasIn } from '../../shared/answer/formulas';
import { usePanelContext } from './panel-context';

/** Has the host set the formulas in a node that is complete, each once. */
export function useFormulas(node: RefObject<Element | null>, settled: boolean, shown: readonly unknown[]): void {
  const { store, hosted } = usePanelContext();
  useEffect(() => {
    if (settled && hosted && node.current) {
      for (const formula of formulasIn(node.current).filter(each => each.childElementCount === 0)) {
        store.host.typeset(formula);
      }
    }
  }, [settled, hosted, ...shown]);
}
