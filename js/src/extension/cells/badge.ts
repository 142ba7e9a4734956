/** The small header on the agent's cells. It is drawn by the style sheet; the notebook's model never changes for it. */
import type { Cell } from '@jupyterlab/cells';

import { words } from '../words';
import { type AgentNote, noteOf } from './agent-cell';

const TEXT = '--qdash-step';

/** Brings the header up to date with the cell's metadata. */
export function drawBadge({ node, model }: Cell): void {
  const note = noteOf(model);
  if (note?.step == null) {
    delete node.dataset.qdashStep;
    node.style.removeProperty(TEXT);
    return;
  }
  node.dataset.qdashStep = String(note.step);
  // A string of CSS is quoted as one of JSON, but for control characters.
  node.style.setProperty(TEXT, JSON.stringify(badgeText(note)));
}

/** One line. */
export function badgeText({ step, purpose }: AgentNote): string {
  return [words.cells.badge({ step: step ?? 0 }), purpose].filter(Boolean).join(' · ').replace(/[\s\p{Cc}]+/gu, ' ');
}
