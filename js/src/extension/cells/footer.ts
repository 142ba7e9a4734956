/** What stands below a cell of the copilot's session: the names that the kernel does not have, and how to get them there. */
import type { Cell } from '@jupyterlab/cells';

import { words } from '../words';
import { noteOf } from './agent-cell';

const CLASS = 'qdash-SessionFooter';

/** Brings the footer up to date with the cell's metadata, where the cell has one already; `run` is what its button does. */
export function drawFooter(cell: Cell, run: () => void): void {
  // A windowed notebook takes it out of the document with a cell that is out of sight.
  const place = [...cell.children()].find(part => part.hasClass('jp-Cell-footer'))?.node;
  const names = noteOf(cell.model)?.sessionOnly ?? [];
  place?.querySelector(`.${CLASS}`)?.remove();
  if (!place || names.length === 0) {
    return;
  }
  const text = document.createElement('span');
  text.title = names.join(', ');
  text.append(words.cells.sessionOnly, ...names.flatMap((name, index) => [index > 0 ? ', ' : ' ', code(name)]));
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = words.cells.runHere;
  // Enter is for the button: a notebook would take it for its current cell.
  button.dataset.lmSuppressShortcuts = 'true';
  button.addEventListener('click', event => event.isTrusted && run());
  const footer = document.createElement('div');
  footer.className = CLASS;
  footer.append(text, '·', button);
  place.append(footer);
}

function code(text: string): HTMLElement {
  const node = document.createElement('code');
  node.textContent = text;
  return node;
}
