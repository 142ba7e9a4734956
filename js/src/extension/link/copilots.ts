/** The copilots of all open notebooks. */
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Token } from '@lumino/coreutils';
import { Signal } from '@lumino/signaling';

import { languageChanged } from '../words';
import { Copilot } from './copilot';
import type { FrontEnd } from './front-end';

export class Copilots {
  readonly added = new Signal<this, Copilot>(this);

  private readonly all = new Map<NotebookPanel, Copilot>();

  constructor(notebooks: INotebookTracker, frontEnd: FrontEnd) {
    const add = (panel: NotebookPanel) => {
      const copilot = new Copilot(panel, frontEnd);
      this.all.set(panel, copilot);
      copilot.disposed.connect(() => this.all.delete(panel));
      this.added.emit(copilot);
    };
    languageChanged.connect(() => this.all.forEach(copilot => copilot.changed.emit()), this);
    notebooks.forEach(add);
    notebooks.widgetAdded.connect((_, panel) => add(panel));
  }

  of(panel: NotebookPanel | null): Copilot | null {
    return (panel && this.all.get(panel)) ?? null;
  }

  /** In the output of a cell, or anywhere else in the notebook. */
  around(node: Element): Copilot | null {
    return [...this.all.values()].find(({ panel }) => panel.node.contains(node)) ?? null;
  }

  /** Does it for every copilot, those that come later included. */
  each(visit: (copilot: Copilot) => void): void {
    this.all.forEach(visit);
    this.added.connect((_, copilot) => visit(copilot));
  }
}

export const ICopilots = new Token<Copilots>('qdash-jupyter:ICopilots');
