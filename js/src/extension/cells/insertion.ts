/** Where a cell of the agent's goes, and what the reader sees of it. */
import type { Cell } from '@jupyterlab/cells';
import type { NewCell, Notebook } from '@jupyterlab/notebook';

import type { Insertion } from '../../shared/page';
import type { RunCell } from '../../shared/wire';
import { isCode, noteOf } from './agent-cell';

/** How long the notebook may take to lay out a new cell. */
const LAYOUT_MS = 1000;

/**
 * For a new cell: below the turn's last cell; else below the cell with the question and what was asked in it before;
 * else below the last cell that is not empty. Never between two cells of another turn.
 */
export function indexFor(notebook: Notebook, { turn_id, asked_in }: Pick<RunCell, 'turn_id' | 'asked_in'>): number {
  const { widgets } = notebook;
  const turns = widgets.map(cell => noteOf(cell.model)?.turnId);
  const isOfCell = ({ model }: Cell) => asked_in !== null && [model.id, noteOf(model)?.askedIn].includes(asked_in);
  const places = [turns.lastIndexOf(turn_id), widgets.findLastIndex(isOfCell), widgets.findLastIndex(hasContent)];
  return below(turns, places.find(place => place >= 0) ?? -1);
}

/** Below that cell, and the others of its turn that follow. */
function below(turns: readonly (string | undefined)[], place: number): number {
  let index = place + 1;
  while (turns[index] !== undefined && turns.indexOf(turns[index]) < index) {
    index++;
  }
  return index;
}

function hasContent(cell: Cell): boolean {
  return cell.model.sharedModel.getSource().trim() !== '' || (isCode(cell) && cell.model.outputs.length > 0);
}

/** The lines at the top of a cell by which the notebook gets its copilot. */
export function setupLines(source: string): readonly string[] {
  const lines = source.split('\n');
  const end = lines.findIndex(line => !/^%(?:load_ext qdash_jupyter|copilot use )/.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

/** Those of the lines that stand in no code cell above. */
export function missingLines(notebook: Notebook, index: number, lines: readonly string[]): readonly string[] {
  const above = notebook.widgets.slice(0, index).filter(({ model }) => model.type === 'code');
  const written = new Set(above.flatMap(({ model }) => model.sharedModel.getSource().split('\n').map(line => line.trim())));
  return lines.filter(line => !written.has(line));
}

/** Notebooks in which the first cells of a turn are just being scrolled into view: JupyterLab attaches them later. */
const arriving = new WeakSet<Notebook>();

/**
 * Inserts cells that belong together, and leaves what the reader looks at where it is on the screen. Only those that begin
 * a turn are scrolled into view, right below a cell in view or in front of an empty one, the first of them on top, and
 * not while the user types in the notebook.
 */
export function insertQuietly(notebook: Notebook, index: number, cells: readonly NewCell[], begins: boolean): void {
  const { outerNode: scroller } = notebook;
  const view = scroller.getBoundingClientRect();
  const boxes = notebook.widgets.map(({ node }) => (node.isConnected ? node.getBoundingClientRect() : null));
  const isSeen = boxes.map(box => box !== null && box.height > 0 && box.bottom > view.top && box.top < view.bottom);
  const anchor = notebook.widgets[isSeen.indexOf(true)];
  const top = anchor?.node.getBoundingClientRect().top ?? 0;
  const below = notebook.widgets[index];
  const isInFront = isSeen[index] === true && below !== undefined && !hasContent(below);
  const isNear = isSeen[index - 1] === true || isInFront;
  const isTyping = notebook.mode === 'edit' && notebook.node.contains(document.activeElement);
  notebook.model?.sharedModel.insertCells(index, cells);
  if (begins && isNear && !isTyping) {
    arriving.add(notebook);
    // A later request to scroll takes this one's place and rejects it.
    void notebook
      .scrollToItem(index)
      .catch(() => undefined)
      .finally(() => arriving.delete(notebook));
  } else if (anchor && !arriving.has(notebook)) {
    hold(scroller, () => (anchor.node.isConnected ? anchor.node.getBoundingClientRect().top - top : null));
  }
}

/**
 * Inserts a cell of the user's own below those that it is about, else below the current one, but never between two of a
 * turn; undefined where the notebook takes none.
 */
export function insertBelow(notebook: Notebook, { code: source, about }: Insertion): Cell | undefined {
  const { model, widgets, activeCellIndex } = notebook;
  if (!model || model.readOnly) {
    return undefined;
  }
  const turns = widgets.map(cell => noteOf(cell.model)?.turnId);
  const isAbout = (cell: Cell, turn: string) => turn === about || (!!about && cell.model.sharedModel.getSource().includes(about));
  const place = widgets.findLastIndex((cell, index) => turns[index] && isAbout(cell, turns[index]));
  const index = below(turns, place < 0 ? activeCellIndex : place);
  // As JupyterLab makes one: its code is the reader's word to run it.
  model.sharedModel.insertCell(index, { cell_type: 'code', source, metadata: { trusted: true } });
  return notebook.widgets[index];
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
