/** The panels of this page: what they ask for by DOM events, and what they are told. See docs/protocol.md. */
import { CodeCell } from '@jupyterlab/cells';
import type { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import type { NotebookPanel } from '@jupyterlab/notebook';

import type { ChosenCell, Command } from '../../shared/wire';
import type { CellNames, Highlighting, Insertion, Link, Pressed, Rendering, Revealing, WantedCell } from '../../shared/page';
import { cellOf, isCode } from '../cells/agent-cell';
import { cellNames, chosen } from '../cells/chosen-cell';
import { insertBelow } from '../cells/insertion';
import type { Copilot } from '../link/copilot';
import { isMessage } from '../link/messages';
import { language } from '../words';
import { Drawings, rendered } from './drawings';
import { highlight } from './highlight';
import { reveal } from './reveal';
import type { Tabs } from './tabs';

export class Panels {
  private readonly drawings = new Drawings();
  /** What each panel was told last. */
  private readonly roots = new Map<Copilot, Map<HTMLElement, string>>();
  /** The cell that a panel is told of when it appears. */
  private readonly chosen = new Map<Copilot, ChosenCell | null>();

  /** `copilotOf` tells whose panel a node belongs to: in the sidebar, or in the output of a notebook's cell. */
  constructor(
    private readonly copilotOf: (node: Element) => Copilot | null,
    private readonly tabs: Tabs,
    /** Brings the panel of this copilot into sight where it is in the sidebar. */
    private readonly attend: (node: Element, copilot: Copilot) => boolean,
    private readonly languages: IEditorLanguageRegistry | null,
  ) {
    const handlers: Readonly<Record<string, (event: CustomEvent, copilot: Copilot) => boolean>> = {
      'qdash:mounted': (event, copilot) => this.mount(event.target as HTMLElement, copilot),
      'qdash:command': ({ detail }, copilot) => command(detail, copilot),
      'qdash:render': ({ detail }, copilot) => this.render(detail as Rendering, copilot),
      'qdash:unrender': ({ detail }) => this.unrender(detail as Rendering),
      'qdash:typeset': ({ detail }, { panel }) => {
        panel.content.rendermime.latexTypesetter?.typeset((detail as Rendering).node);
        return true;
      },
      'qdash:reveal': ({ detail }, { panel }) => {
        const cell = cellOf(panel.content, (detail as Revealing).cell_id);
        if (cell) {
          this.tabs.show(panel);
          void reveal(panel.content, cell);
        }
        return cell !== undefined;
      },
      'qdash:highlight': ({ detail }) => {
        if (this.languages) {
          void highlight(this.languages, detail as Highlighting);
        }
        return this.languages !== null;
      },
      'qdash:insert': ({ detail }, { panel }) => this.insert(detail as Insertion, panel),
      'qdash:cells': ({ detail }, { panel }) => {
        (detail as CellNames).cells = cellNames(panel.content);
        return true;
      },
      'qdash:cell': ({ detail }, { panel }) => {
        const wanted = detail as WantedCell;
        const cell = cellOf(panel.content, wanted.cell_id);
        if (isCode(cell)) {
          wanted.cell = chosen(cell);
        }
        return wanted.cell !== undefined;
      },
      'qdash:attend': (event, copilot) => this.attend(event.target as Element, copilot),
      'qdash:open': ({ detail }, copilot) => this.open(detail as Rendering, copilot),
    };
    for (const [type, handle] of Object.entries(handlers)) {
      document.addEventListener(type, event => {
        const copilot = event.target instanceof Element ? this.copilotOf(event.target) : null;
        // Left alone it tells the panel that there is nobody to do it.
        if (copilot && event instanceof CustomEvent && handle(event, copilot)) {
          event.preventDefault();
        }
      });
    }
  }

  /** Tells the panels of a notebook what has become of their kernel. */
  follow(copilot: Copilot): void {
    copilot.changed.connect(() => this.sendLink(copilot), this);
    copilot.acked.connect((_, ack) => {
      for (const root of this.rootsOf(copilot).keys()) {
        dispatch(root, 'qdash:ack', ack);
      }
    }, this);
    copilot.cellChosen.connect((_, cell) => {
      const roots = this.rootsOf(copilot);
      // A panel that is not there yet is told when it is.
      this.chosen.set(copilot, roots.size === 0 ? cell : null);
      // What is to be asked at once is asked by one of them.
      for (const root of [...roots.keys()].slice(0, cell.fix ? 1 : undefined)) {
        dispatch(root, 'qdash:chosen', cell);
      }
    }, this);
    copilot.pressed.connect((_, pressed) => {
      for (const root of this.rootsOf(copilot).keys()) {
        root.dispatchEvent(new CustomEvent<Pressed>('qdash:pressed', { detail: pressed }));
      }
    }, this);
    copilot.disposed.connect(() => {
      for (const root of this.rootsOf(copilot).keys()) {
        this.drawings.removeWithin(root);
      }
      this.roots.delete(copilot);
      this.chosen.delete(copilot);
    }, this);
  }

  /** A view of the sidebar is about to go. */
  forget(host: HTMLElement): void {
    this.drawings.removeWithin(host);
    for (const roots of this.roots.values()) {
      [...roots.keys()].filter(root => host.contains(root)).forEach(root => roots.delete(root));
    }
  }

  private rootsOf(copilot: Copilot): Map<HTMLElement, string> {
    const roots = this.roots.get(copilot) ?? new Map<HTMLElement, string>();
    this.roots.set(copilot, roots);
    return roots;
  }

  private mount(root: HTMLElement, copilot: Copilot): boolean {
    this.rootsOf(copilot).set(root, '');
    this.sendLink(copilot);
    const cell = this.chosen.get(copilot);
    if (cell) {
      this.chosen.delete(copilot);
      dispatch(root, 'qdash:chosen', cell);
    }
    return true;
  }

  private sendLink(copilot: Copilot): void {
    const { fileName: notebook, state, message } = copilot;
    const kernel = copilot.panel.sessionContext.kernelDisplayName;
    const missing = copilot.missing.map(({ name }) => name);
    const link: Link = { notebook, kernel, state, message, missing, language, waits_for_cell: copilot.waitsForCell };
    const text = JSON.stringify(link);
    const roots = this.rootsOf(copilot);
    for (const [root, told] of roots) {
      if (told !== text) {
        roots.set(root, text);
        dispatch(root, 'qdash:link', link);
      }
    }
  }

  private render(detail: Rendering, { panel }: Copilot): boolean {
    detail.done = this.drawings.draw(detail.node, panel.content.rendermime, detail.data);
    return true;
  }

  private unrender({ node }: Rendering): boolean {
    this.drawings.remove(node);
    return true;
  }

  private insert(detail: Insertion, panel: NotebookPanel): boolean {
    const cell = insertBelow(panel.content, detail);
    if (cell) {
      detail.cell_id = cell.model.id;
      if (detail.run && isCode(cell)) {
        void CodeCell.execute(cell, panel.sessionContext, { recordTiming: panel.content.notebookConfig.recordTiming });
      }
      this.tabs.show(panel);
      void reveal(panel.content, cell);
    }
    return cell !== undefined;
  }

  private open({ data, title }: Rendering, { panel }: Copilot): boolean {
    void rendered(panel.content.rendermime, data).then(
      renderer => this.tabs.open(renderer, title ?? ''),
      () => undefined,
    );
    return true;
  }
}

function command(detail: unknown, copilot: Copilot): boolean {
  const n = isMessage(detail) ? copilot.command(detail as Command) : null;
  if (n !== null) {
    // The acknowledgement names it.
    (detail as { n?: number }).n = n;
  }
  return n !== null;
}

/** Only to the root: it does not bubble, so that no other panel hears it. */
function dispatch(root: HTMLElement, type: string, detail: object): void {
  root.dispatchEvent(new CustomEvent(type, { detail }));
}
