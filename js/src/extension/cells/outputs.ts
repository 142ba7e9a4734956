/** Outputs that do not come from the kernel's execution of their cell. Through the model, so that the notebook saves them. */
import type { CodeCellModel, Output } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';

import type { SetOutputs } from '../../shared/wire';
import { isRecord } from '../link/messages';
import { cellOf, isCode, KEY } from './agent-cell';

/** The finished answer of a `%%copilot` cell, only where the cell still shows the answer of that turn. */
export function replaceOutputs(notebook: Notebook, { cell_id, turn_id, outputs }: SetOutputs): void {
  const cell = cellOf(notebook, cell_id);
  if (!isCode(cell)) {
    return;
  }
  const { outputs: shown } = cell.model;
  for (let index = 0; index < shown.length; index++) {
    const note = shown.get(index).metadata[KEY];
    if (isRecord(note) && note.turn_id === turn_id) {
      shown.fromJSON(outputs);
      return;
    }
  }
}

/** Replaces the outputs from that one on. What stays as it was is not drawn again, and printed text grows where it is. */
export function replaceFrom(model: CodeCellModel, first: number, outputs: readonly NewOutput[]): void {
  const { outputs: shown } = model;
  outputs.forEach((output, index) => {
    const place = first + index;
    const old = place < shown.length ? shown.get(place) : null;
    const isPrinted = output.output_type === 'stream';
    if (old?.streamText && isPrinted && (old.toJSON() as NewOutput).name === output.name) {
      grow(old.streamText, String(output.text));
    } else if (old && !old.streamText && !isPrinted) {
      shown.set(place, output);
    } else {
      cut(model, place);
      if (isPrinted && place > 0) {
        // `add` would take it for more of what was printed last, even where that is gone.
        shown.add({ output_type: 'display_data', data: {}, metadata: {} });
        cut(model, place);
      }
      shown.add(output);
    }
  });
  cut(model, first + outputs.length);
}

/** An output of nbformat. */
type NewOutput = Readonly<Record<string, unknown>>;

/** `remove` of the model takes out the wrong ones of what is saved. */
function cut({ outputs, sharedModel }: CodeCellModel, length: number): void {
  if (length < outputs.length) {
    sharedModel.updateOutputs(length, outputs.length, []);
  }
}

function grow(shown: NonNullable<Output['streamText']>, text: string): void {
  const { text: old } = shown;
  let same = 0;
  while (same < old.length && old[same] === text[same]) {
    same++;
  }
  if (/[\uD800-\uDBFF]/.test(old[same - 1] ?? '')) {
    same--; // the halves of a character stay together
  }
  if (same < old.length) {
    shown.remove(same, old.length);
  }
  if (same < text.length) {
    shown.insert(same, text.slice(same));
  }
}
