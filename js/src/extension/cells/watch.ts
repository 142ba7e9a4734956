/** Keeps an eye on the cells of a notebook, whichever come and go. */
import type { Cell } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';

import { languageChanged } from '../words';
import { takeOver } from './agent-cell';
import { drawBadge } from './badge';

/** Draws the header of the agent's cells, and hands a cell over to the user who edits it. */
export class CellWatch {
  private readonly watched = new WeakSet<Cell>();

  constructor(private readonly notebook: Notebook) {
    notebook.modelChanged.connect(() => this.onModel(), this);
    languageChanged.connect(() => notebook.widgets.forEach(drawBadge), this);
    notebook.disposed.connect(() => Signal.clearData(this), this);
    this.onModel();
  }

  private onModel(): void {
    this.notebook.model?.cells.changed.connect(() => this.onCells(), this);
    this.onCells();
  }

  private onCells(): void {
    for (const cell of this.notebook.widgets) {
      if (!this.watched.has(cell)) {
        this.watch(cell);
      }
    }
  }

  private watch(cell: Cell): void {
    this.watched.add(cell);
    drawBadge(cell);
    const { model } = cell;
    model.metadataChanged.connect(() => drawBadge(cell), this);
    // A cell comes with its source: whatever changes it afterwards is the user.
    model.sharedModel.changed.connect((_, { sourceChange }) => {
      if (sourceChange) {
        takeOver(model);
      }
    }, this);
  }
}
