/** Lines that the user has selected, as a question about them takes them. */
import type { Cell } from '@jupyterlab/cells';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { Widget } from '@lumino/widgets';

import type { ChosenCell } from '../../shared/wire';
import { words } from '../words';
import { isCode } from './agent-cell';
import { labelOf } from './chosen-cell';

/** A notebook's panel or a file editor, as far as they are of use here. */
interface Document {
  readonly content?: { readonly activeCell?: Cell | null; readonly editor?: CodeEditor | null };
}

const MOST_LABEL = 40;

/** What is selected in the cell or the file that has the focus; null where nothing is. */
export function selection(current: Widget | null): ChosenCell | null {
  const { activeCell, editor } = (current as Document | null)?.content ?? {};
  const code = selectedIn(activeCell?.editor ?? editor);
  if (!current || !code.trim()) {
    return null;
  }
  const label = (activeCell ? placeOf(activeCell) : current.title.label).slice(0, MOST_LABEL);
  return { label, code, output: '', pictures: [], left_out: [], cell_id: '', fix: false, selected: true };
}

function placeOf(cell: Cell): string {
  return isCode(cell) ? words.cells.cell({ label: labelOf(cell.model.executionCount) }) : words.cells.textCell;
}

function selectedIn(editor: CodeEditor | null | undefined): string {
  if (!editor?.hasFocus()) {
    return '';
  }
  const { start, end } = editor.getSelection();
  return editor.model.sharedModel.getSource().slice(editor.getOffsetAt(start), editor.getOffsetAt(end));
}
