/** Outputs that the kernel replaces after their cell has ended: the finished answer of a `%%copilot` cell. */
import type { Notebook } from '@jupyterlab/notebook';

import type { SetOutputs } from '../../shared/wire';
import { isRecord } from '../link/messages';
import { cellOf, isCode, KEY } from './agent-cell';

/** Only where the cell still shows the answer of that turn. Through the model, so that the notebook saves them. */
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
