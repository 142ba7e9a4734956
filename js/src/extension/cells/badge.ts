/** The small header on the agent's cells. It is drawn by the style sheet; the notebook's model never changes for it. */
import type { Cell } from '@jupyterlab/cells';

import { words } from '../words';
import { noteOf } from './agent-cell';

const TEXT = '--qdash-step';

/** Brings the header up to date with the cell's metadata. */
export function drawBadge({ node, model }: Cell): void {
  const { step, purpose } = noteOf(model) ?? { step: null, purpose: '' };
  if (step === null) {
    delete node.dataset.qdashStep;
    node.style.removeProperty(TEXT);
    return;
  }
  const text = [words.cells.badge(step), purpose].filter(Boolean).join(' · ');
  node.dataset.qdashStep = String(step);
  // A string of CSS is quoted as one of JSON, but for control characters.
  node.style.setProperty(TEXT, JSON.stringify(text.replace(/[\s\p{Cc}]+/gu, ' ')));
}
