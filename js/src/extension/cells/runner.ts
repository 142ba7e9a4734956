/** Inserts the agent's cells into a notebook: `run_cell` of docs/protocol.md. */
import type { Cell } from '@jupyterlab/cells';
import type { NewCell, Notebook, NotebookPanel } from '@jupyterlab/notebook';

import type { CellMessage, EditCell, EndTurn, PastCell, PutIn, RemoveCell, RunCell, TakeOut } from '../../shared/wire';
import type { Copilot } from '../link/copilot';
import { PACKAGE } from '../link/load-copilot';
import { cellOf, isCode, isUntouched, metadataOf, noteOf, write } from './agent-cell';
import { indexFor, insertQuietly, missingLines, setupLines } from './insertion';
import { replaceOutputs } from './outputs';
import { SessionCells } from './session-cells';

export class CellRunner {
  private readonly panel: NotebookPanel;
  private readonly sessionCells: SessionCells;

  constructor(private readonly copilot: Copilot) {
    this.panel = copilot.panel;
    this.sessionCells = new SessionCells(copilot);
    copilot.cellRequested.connect((_, message) => this.handle(message), this);
  }

  /** The user has interrupted the kernel. Where none of their cells runs in it, they mean ours in the session. */
  onInterrupt(): void {
    const { turnId } = this.sessionCells;
    if (turnId !== null && !this.copilot.isKernelBusy) {
      this.copilot.command({ type: 'stop', turn_id: turnId });
    }
  }

  /** A cell with our magic has run. In a new kernel, where no button was clicked, it needs a line above that loads it. */
  loadAbove({ model }: Cell): void {
    const { widgets, model: cells } = this.notebook;
    const index = widgets.findIndex(each => each.model === model);
    const load = missingLines(this.notebook, index + 1, [`%load_ext ${PACKAGE}`]);
    if (load.length > 0 && /^\s*%%?copilot\b/m.test(model.sharedModel.getSource()) && cells?.readOnly === false) {
      cells.sharedModel.insertCell(index, { cell_type: 'code', source: load.join(''), metadata: { trusted: true } });
    }
  }

  private get notebook(): Notebook {
    return this.panel.content;
  }

  private handle(message: CellMessage): void {
    switch (message.type) {
      case 'run_cell':
        this.run(message);
        break;
      case 'cell_outputs':
        this.sessionCells.show(message);
        break;
      case 'remove_cell':
        this.remove(message);
        break;
      case 'set_outputs':
        replaceOutputs(this.notebook, message);
        break;
      case 'end_turn':
        this.end(message);
        break;
      case 'take_out':
        this.takeOut(message);
        break;
      case 'put_in':
        this.putIn(message);
        break;
      case 'edit_cell':
        this.edit(message);
        break;
    }
  }

  private run(request: RunCell): void {
    const { req_id, cell_id } = request;
    if (!cellOf(this.notebook, cell_id)) {
      this.insert(request);
    }
    const cell = cellOf(this.notebook, cell_id);
    if (!isCode(cell)) {
      this.copilot.report({ type: 'cell_deleted', req_id, cell_id });
      return;
    }
    this.sessionCells.expect(request);
    this.copilot.report({ type: 'cell_inserted', req_id, cell_id, index: this.notebook.widgets.indexOf(cell) });
  }

  private insert(request: RunCell): void {
    const replaced = this.notebook.widgets.findIndex(({ model }) => model.id === request.instead_of);
    const above = this.notebook.widgets[replaced]?.model;
    const replaces = above !== undefined && isUntouched(above);
    const begins = this.ofTurn(request.turn_id).length === 0;
    const heading = replaces ? [] : this.missingHeading(request);
    const index = replaces ? replaced : indexFor(this.notebook, request);
    if (replaces) {
      this.notebook.model?.sharedModel.deleteCell(replaced);
    }
    const source = [...missingLines(this.notebook, index, request.setup), request.code].join('\n');
    const cell = { cell_type: 'code', id: request.cell_id, source, metadata: metadataOf(request) } as const;
    insertQuietly(this.notebook, index, [...heading, cell], begins);
  }

  /** The first cell of a turn gets one. */
  private missingHeading({ heading, turn_id, asked_in }: Pick<RunCell, 'turn_id' | 'asked_in' | 'heading'>): readonly NewCell[] {
    const isThere = heading === null || this.ofTurn(turn_id).length > 0;
    return isThere ? [] : [{ cell_type: 'markdown', source: heading, metadata: metadataOf({ turn_id, asked_in }) }];
  }

  private ofTurn(turn: string): readonly Cell[] {
    return this.notebook.widgets.filter(({ model }) => noteOf(model)?.turnId === turn);
  }

  private end({ turn_id, heading }: EndTurn): void {
    for (const { model } of this.ofTurn(turn_id)) {
      if (model.type === 'markdown' && heading !== null && isUntouched(model)) {
        write(() => model.sharedModel.setSource(heading));
      }
    }
  }

  private takeOut({ n, turn_id }: TakeOut): void {
    const taken: string[] = [];
    const left: string[] = [];
    for (const cell of this.ofTurn(turn_id)) {
      const { model } = cell;
      if (isCode(cell)) {
        (isUntouched(model) ? taken : left).push(model.id);
      }
    }
    const lines = new Set<string>();
    for (const cell of this.ofTurn(turn_id)) {
      const { model } = cell;
      if (taken.includes(model.id) || (model.type === 'markdown' && left.length === 0 && isUntouched(model))) {
        setupLines(model.sharedModel.getSource()).forEach(line => lines.add(line));
        this.delete(cell);
      }
    }
    this.setUp([...lines]);
    this.copilot.report({ type: 'cells_taken', n, taken, left });
  }

  /** The notebook goes on to load the extension: the first cell of the agent's that is left does. */
  private setUp(lines: readonly string[]): void {
    const { widgets } = this.notebook;
    const index = widgets.findIndex(cell => isCode(cell) && isUntouched(cell.model));
    const missing = index < 0 ? [] : missingLines(this.notebook, index + 1, lines);
    const model = widgets[index]?.model.sharedModel;
    if (model && missing.length > 0) {
      write(() => model.setSource([...missing, model.getSource()].join('\n')));
    }
  }

  private putIn(message: PutIn): void {
    const { n, cells, ...place } = message;
    const isThere = (cell: PastCell) => cellOf(this.notebook, cell.cell_id) !== undefined;
    const left = cells.filter(isThere).map(({ cell_id }) => cell_id);
    const taken = cells.filter(cell => !isThere(cell)).map(cell => {
      const { cell_id: id, code, outputs, execution_count } = cell;
      const begins = this.ofTurn(place.turn_id).length === 0;
      const heading = this.missingHeading(place);
      const index = indexFor(this.notebook, place);
      const source = [...missingLines(this.notebook, index, place.setup), code].join('\n');
      const metadata = metadataOf({ ...place, ...cell });
      const inserted = { cell_type: 'code', id, source, metadata, outputs, execution_count } as const;
      insertQuietly(this.notebook, index, [...heading, inserted], begins);
      return id;
    });
    this.copilot.report({ type: 'cells_taken', n, taken, left });
  }

  /** A change that the user has accepted: theirs from then on, and for the cell's own undo. */
  private edit({ n, cell_id, before, after }: EditCell): void {
    const text = cellOf(this.notebook, cell_id)?.model.sharedModel;
    const source = text?.getSource();
    if (source === before) {
      text?.updateSource(0, before.length, after);
    }
    const outcome = source === undefined ? 'gone' : source === before || source === after ? 'written' : 'changed';
    this.copilot.report({ type: 'cell_edited', n, outcome });
  }

  private remove({ cell_id }: RemoveCell): void {
    const cell = cellOf(this.notebook, cell_id);
    if (cell && isUntouched(cell.model)) {
      const turn = noteOf(cell.model)?.turnId ?? '';
      this.delete(cell);
      const left = this.ofTurn(turn);
      if (left.every(({ model }) => model.type === 'markdown' && isUntouched(model))) {
        left.forEach(heading => this.delete(heading)); // with nothing below it
      }
    }
  }

  private delete(cell: Cell): void {
    this.notebook.model?.sharedModel.deleteCell(this.notebook.widgets.indexOf(cell));
  }
}
