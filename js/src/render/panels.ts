/** The panels of this page: what they ask for by DOM events, and what they are told. See docs/protocol.md. */
import type { MimeBundle } from '@jupyterlab/rendermime';
import { Signal } from '@lumino/signaling';

import { cellOf } from '../cells/agent';
import type { ChosenCell } from '../cells/chosen';
import type { Copilot } from '../link/copilot';
import { asCommand } from '../link/outbox';
import { Drawings, rendered } from './mime';
import { reveal } from './reveal';
import type { Tabs } from './tabs';

interface RenderDetail {
  readonly node: HTMLElement;
  readonly data: MimeBundle;
  readonly metadata?: MimeBundle;
  readonly title?: string;
  done?: Promise<void>;
}

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
  ) {
    const handlers: Readonly<Record<string, (event: CustomEvent, copilot: Copilot) => boolean>> = {
      'qdash:mounted': (event, copilot) => this.mount(event.target as HTMLElement, copilot),
      'qdash:command': ({ detail }, copilot) => command(detail, copilot),
      'qdash:render': ({ detail }, copilot) => this.render(detail as RenderDetail, copilot),
      'qdash:unrender': ({ detail }) => this.unrender(detail as RenderDetail),
      'qdash:typeset': ({ detail }, { panel }) => {
        panel.content.rendermime.latexTypesetter?.typeset((detail as RenderDetail).node);
        return true;
      },
      'qdash:reveal': ({ detail }, { panel }) => {
        const cell = cellOf(panel.content, (detail as { cell_id: string }).cell_id);
        if (cell) {
          this.tabs.show(panel);
          void reveal(panel.content, cell);
        }
        return cell !== undefined;
      },
      'qdash:open': ({ detail }, copilot) => this.open(detail as RenderDetail, copilot),
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
    copilot.changed.connect(() => this.tellLink(copilot), this);
    copilot.acked.connect((_, ack) => {
      for (const root of this.rootsOf(copilot).keys()) {
        tell(root, 'qdash:ack', ack);
      }
    }, this);
    copilot.chose.connect((_, cell) => {
      const roots = this.rootsOf(copilot);
      // A panel that is not there yet is told when it is.
      this.chosen.set(copilot, roots.size === 0 ? cell : null);
      for (const root of roots.keys()) {
        tell(root, 'qdash:chosen', cell);
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

  dispose(): void {
    Signal.clearData(this);
  }

  private rootsOf(copilot: Copilot): Map<HTMLElement, string> {
    const roots = this.roots.get(copilot) ?? new Map<HTMLElement, string>();
    this.roots.set(copilot, roots);
    return roots;
  }

  private mount(root: HTMLElement, copilot: Copilot): boolean {
    this.rootsOf(copilot).set(root, '');
    this.tellLink(copilot);
    const cell = this.chosen.get(copilot);
    if (cell) {
      this.chosen.delete(copilot);
      tell(root, 'qdash:chosen', cell);
    }
    return true;
  }

  private tellLink(copilot: Copilot): void {
    const { fileName: notebook, state, message, waitsForCell: waits_for_cell } = copilot;
    const kernel = copilot.panel.sessionContext.kernelDisplayName;
    const missing = copilot.missing.map(({ name }) => name);
    const link = { notebook, kernel, state, message, missing, waits_for_cell };
    const text = JSON.stringify(link);
    const roots = this.rootsOf(copilot);
    for (const [root, told] of roots) {
      if (told !== text) {
        roots.set(root, text);
        tell(root, 'qdash:link', link);
      }
    }
  }

  private render(detail: RenderDetail, { panel }: Copilot): boolean {
    const { node, data, metadata } = detail;
    detail.done = this.drawings.draw(node, panel.content.rendermime, data, metadata ?? {});
    return true;
  }

  private unrender({ node }: RenderDetail): boolean {
    this.drawings.remove(node);
    return true;
  }

  private open({ data, metadata, title }: RenderDetail, { panel }: Copilot): boolean {
    void rendered(panel.content.rendermime, data, metadata ?? {}).then(
      renderer => this.tabs.open(renderer, title ?? ''),
      () => undefined,
    );
    return true;
  }
}

function command(detail: unknown, copilot: Copilot): boolean {
  const wanted = asCommand(detail);
  const n = wanted && copilot.command(wanted);
  if (n !== null) {
    // The acknowledgement names it.
    (detail as { n?: number }).n = n;
  }
  return n !== null;
}

/** Only to the root: it does not bubble, so that no other panel hears it. */
function tell(root: HTMLElement, type: string, detail: object): void {
  root.dispatchEvent(new CustomEvent(type, { detail }));
}
