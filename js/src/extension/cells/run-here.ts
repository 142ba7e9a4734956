/** Runs a cell of the copilot's session in the kernel, when the user has seen all that will run and said yes. */
import { Dialog, showErrorMessage } from '@jupyterlab/apputils';
import type { Cell, CodeCell } from '@jupyterlab/cells';
import type { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';

import { highlight } from '../panels/highlight';
import { words } from '../words';
import { badgeText } from './badge';
import { cellOf, isCode, noteOf } from './agent-cell';

/** Also those earlier cells that it needs. None of them where one is another by then than it was when it was shown. */
export async function runHere(panel: NotebookPanel, cell: Cell, languages: IEditorLanguageRegistry | null): Promise<void> {
  const { content: notebook, sessionContext } = panel;
  const ids = [...new Set([...(noteOf(cell.model)?.needs ?? []), cell.model.id])];
  const cells = ids.map(id => cellOf(notebook, id)).filter(isCode);
  const shown = cells.map(({ model }) => ({ id: model.id, source: model.sharedModel.getSource() }));
  const body = bodyOf(cells, cells.length < ids.length, languages);
  if (!(await isConfirmed(body)) || panel.isDisposed) {
    return;
  }
  const same = shown.map(({ id, source }) => {
    const found = cellOf(notebook, id);
    return found?.model.sharedModel.getSource() === source ? found : undefined;
  });
  if (same.every(found => found !== undefined)) {
    await NotebookActions.runCells(notebook, same, sessionContext);
  } else {
    await showErrorMessage(words.runHere.notRun, words.runHere.changed);
  }
}

async function isConfirmed(body: Widget): Promise<boolean> {
  const { title, cancel, run } = words.runHere;
  const buttons = [Dialog.cancelButton({ label: cancel }), Dialog.okButton({ label: run })];
  // A key that is still held must not say yes.
  const dialog = new Dialog({ title, body, buttons, defaultButton: 0 });
  for (const type of ['click', 'keydown']) {
    dialog.node.addEventListener(type, refuseScript, true); // before the dialog's own
  }
  return (await dialog.launch()).button.accept;
}

/** What a script of the page has made is not the user's yes. */
function refuseScript(event: Event): void {
  if (!event.isTrusted) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

function bodyOf(cells: readonly CodeCell[], isGone: boolean, languages: IEditorLanguageRegistry | null): Widget {
  const body = new Widget();
  body.addClass('qdash-RunHere');
  body.node.append(element('p', words.runHere.asIf({ cells: cells.length })));
  if (isGone) {
    body.node.append(element('p', words.runHere.gone));
  }
  for (const { model } of cells) {
    const note = noteOf(model);
    const source = visible(model.sharedModel.getSource());
    const code = element('pre', source);
    body.node.append(element('h4', note ? badgeText(note) : ''), code);
    if (languages) {
      void highlight(languages, { node: code, code: source, language: 'ipython' });
    }
  }
  return body;
}

/** Characters that nobody sees, and that can make other code of what is read, as their numbers. */
function visible(source: string): string {
  return source.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, hidden => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`);
}

function element(name: string, text: string): HTMLElement {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}
