/** Keeps an eye on the cells of a notebook, whichever come and go. */
import type { Cell } from '@jupyterlab/cells';
import type { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import type { Notebook, NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';

import { languageChanged } from '../words';
import { takeOver } from './agent-cell';
import { drawBadge } from './badge';
import { drawFooter } from './footer';
import { runHere } from './run-here';

/** Draws the header and the footer of the agent's cells, and hands a cell over to the user who edits it. */
export class CellWatch {
  private readonly watched = new WeakSet<Cell>();

  constructor(
    private readonly panel: NotebookPanel,
    private readonly languages: IEditorLanguageRegistry | null,
  ) {
    const { notebook } = this;
    notebook.modelChanged.connect(() => this.onModel(), this);
    languageChanged.connect(() => notebook.widgets.forEach(cell => this.draw(cell)), this);
    notebook.disposed.connect(() => Signal.clearData(this), this);
    this.onModel();
  }

  private get notebook(): Notebook {
    return this.panel.content;
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
    this.draw(cell);
    void cell.ready.then(() => this.draw(cell));
    const { model } = cell;
    model.metadataChanged.connect(() => this.draw(cell), this);
    // A cell comes with its source: whatever changes it afterwards is the user.
    model.sharedModel.changed.connect((_, { sourceChange }) => {
      if (sourceChange) {
        takeOver(model);
      }
    }, this);
  }

  private draw(cell: Cell): void {
    if (!cell.isDisposed) {
      drawBadge(cell);
      drawFooter(cell, () => void runHere(this.panel, cell, this.languages));
    }
  }
}
