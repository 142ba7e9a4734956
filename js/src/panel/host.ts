/** What the panel asks of the page around it, by DOM events; without the labextension nobody answers. */
import type { Ack, Bundle, ChosenCell, Command, Link } from './wire';

/** What the panel is called, and the sidebar around it. */
export const NAME = 'QDash Copilot';

interface Rendering {
  readonly node: HTMLElement;
  readonly data: Bundle;
  readonly metadata: Bundle;
  /** Set by the handler. */
  done?: Promise<unknown>;
}

export class Host {
  private readonly rendered = new Set<HTMLElement>();

  constructor(private readonly root: HTMLElement) {}

  /** The sidebar around the panel; null in the output of a cell. */
  get sidebar(): Element | null {
    return this.root.closest(`[role=region][aria-label="${NAME}"]:not(.qdash-panel)`);
  }

  /** Says that the panel is there once it stands in the document; `found` hears whether there is a labextension. */
  announce(found: (hosted: boolean) => void): () => void {
    if (this.root.isConnected) {
      found(this.emit(this.root, 'mounted'));
      return () => {};
    }
    // A widget is drawn before the notebook puts it in its place.
    const observer = new MutationObserver(() => {
      if (this.root.isConnected) {
        observer.disconnect();
        found(this.emit(this.root, 'mounted'));
      }
    });
    observer.observe(document, { childList: true, subtree: true });
    return () => observer.disconnect();
  }

  /** Hears what the labextension says; the function that it returns ends that. */
  listen(heard: { link(link: Link): void; ack(ack: Ack): void; chosen(cell: ChosenCell): void }): () => void {
    const link = (event: Event): void => heard.link((event as CustomEvent<Link>).detail);
    const ack = (event: Event): void => heard.ack((event as CustomEvent<Ack>).detail);
    const chosen = (event: Event): void => heard.chosen((event as CustomEvent<ChosenCell>).detail);
    this.root.addEventListener('qdash:chosen', chosen);
    this.root.addEventListener('qdash:link', link);
    this.root.addEventListener('qdash:ack', ack);
    return () => {
      this.root.removeEventListener('qdash:chosen', chosen);
      this.root.removeEventListener('qdash:link', link);
      this.root.removeEventListener('qdash:ack', ack);
    };
  }

  /** Whether somebody took the command, and the number under which it is acknowledged. */
  command(command: Command): { readonly taken: boolean; readonly n: number | undefined } {
    const detail: Command & { n?: number } = { ...command };
    const taken = this.emit(this.root, 'command', detail);
    return { taken, n: detail.n };
  }

  /** Draws a MIME bundle with the notebook's own renderer; null if there is none. */
  render(node: HTMLElement, data: Bundle): Promise<unknown> | null {
    const rendering: Rendering = { node, data, metadata: {} };
    if (!this.emit(node, 'render', rendering)) {
      return null;
    }
    this.rendered.add(node);
    return rendering.done ?? Promise.resolve();
  }

  /** From the root: the node itself may be out of the document already. */
  unrender(node: HTMLElement): void {
    if (this.rendered.delete(node)) {
      this.emit(this.root, 'unrender', { node });
    }
  }

  /** Gives back all that was drawn. */
  close(): void {
    for (const node of this.rendered) {
      this.unrender(node);
    }
  }

  /** Sets the formulas in a node. */
  typeset(node: Element): void {
    this.emit(node, 'typeset', { node });
  }

  /** Goes to a cell of the notebook. */
  reveal(cell_id: string): void {
    this.emit(this.root, 'reveal', { cell_id });
  }

  /** Opens a bundle in a tab of its own. */
  open(node: HTMLElement, title: string, data: Bundle): void {
    this.emit(node, 'open', { node, title, data });
  }

  private emit(node: Element, name: string, detail?: object): boolean {
    const event = new CustomEvent(`qdash:${name}`, { bubbles: true, cancelable: true, composed: true, detail });
    node.dispatchEvent(event);
    return event.defaultPrevented;
  }
}
