/** Where a cell of the agent's goes, and what the reader sees of it. */
import type { Notebook } from '@jupyterlab/notebook';

import { noteOf } from './agent-cell';

/** How long the notebook may take to lay out a new cell. */
const LAYOUT_MS = 1000;

/** For a new cell: below `after`, else below the turn's last cell, else below the active one, else at the end. */
export function indexFor(notebook: Notebook, turn: string, after: string | null, active: string | null): number {
  const { widgets } = notebook;
  const ids = widgets.map(cell => cell.model.id);
  const ofTurn = widgets.map(cell => noteOf(cell.model)?.turnId === turn).lastIndexOf(true);
  const found = [ids.indexOf(after ?? ''), ofTurn, ids.indexOf(active ?? '')].find(index => index >= 0);
  return (found ?? widgets.length - 1) + 1;
}

/**
 * Inserts by `insert`, and leaves what the reader looks at where it is on the screen. Only a cell that comes right
 * below one in view is scrolled into view, and not while the user types in the notebook.
 */
export function insertQuietly(notebook: Notebook, index: number, insert: () => void): void {
  const { outerNode: scroller } = notebook;
  const view = scroller.getBoundingClientRect();
  const boxes = notebook.widgets.map(({ node }) => (node.isConnected ? node.getBoundingClientRect() : null));
  const isSeen = boxes.map(box => box !== null && box.height > 0 && box.bottom > view.top && box.top < view.bottom);
  const anchor = notebook.widgets[isSeen.indexOf(true)];
  const top = anchor?.node.getBoundingClientRect().top ?? 0;
  const isTyping = notebook.mode === 'edit' && notebook.node.contains(document.activeElement);
  insert();
  if (isSeen[index - 1] && !isTyping) {
    // A later request to scroll takes this one's place and rejects it.
    notebook.scrollToItem(index).catch(() => undefined);
  } else if (anchor) {
    hold(scroller, () => (anchor.node.isConnected ? anchor.node.getBoundingClientRect().top - top : null));
  }
}

/** Scrolls back by what the anchor moves while the notebook lays out. Null: there is nothing more to hold. */
function hold(scroller: HTMLElement, moved: () => number | null): void {
  const end = performance.now() + LAYOUT_MS;
  const over = new AbortController();
  // Whatever the reader does from now on is meant.
  for (const gesture of ['wheel', 'pointerdown', 'keydown', 'touchmove']) {
    scroller.addEventListener(gesture, () => over.abort(), { signal: over.signal, passive: true });
  }
  const step = () => {
    const by = moved();
    if (over.signal.aborted || by === null || performance.now() > end) {
      over.abort();
      return;
    }
    if (Math.abs(by) >= 1) {
      scroller.scrollTop += by;
    }
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
