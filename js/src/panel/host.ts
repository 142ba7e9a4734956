/** What the panel asks of the page around it, by DOM events; without the extension nobody answers. */
import type { Drawing } from '../shared/answer/figure';
import type { Ack, ChosenCell, Command } from '../shared/wire';
import {
  NAME,
  PLOTLY_MIME,
  type CellName,
  type CellNames,
  type Highlighting,
  type Insertion,
  type Link,
  type MimeBundle,
  type Pressed,
  type Rendering,
  type WantedCell,
} from '../shared/page';
import { draw, purge, type AskForScript } from './plotly';

/** What the page does for a panel that is alone. */
const DRAWING = new Set(['render', 'unrender', 'typeset', 'highlight', 'open']);

/** From a key to its command: an editor that has the focus may hold it for up to a second. */
const KEY_TAKES_MS = 1500;

export class Host {
  private readonly rendered = new Set<HTMLElement>();
  /** When a person pressed a key or clicked last, anywhere in the page. */
  private touchedAt = -Infinity;
  private pressing = false;

  /** A panel that is `alone` is no concern of the page's but for what it draws: the page's copilot is another one. */
  constructor(
    private readonly root: HTMLElement,
    private readonly alone: boolean,
    private readonly askForScript: AskForScript,
  ) {}

  /** The sidebar around the panel; null in the output of a cell. */
  get sidebar(): Element | null {
    return this.root.closest(`[role=region][aria-label="${NAME}"]:not(.qdash-panel)`);
  }

  /** Tells the page that the panel is there once it stands in the document; `found` hears whether there is an extension. */
  announce(found: (hosted: boolean) => void): () => void {
    const settle = (): void => {
      if (!this.sidebar) {
        // In the sidebar the panel fills it; elsewhere it has a height and a name of its own.
        this.root.dataset.place = 'output';
        this.root.setAttribute('role', 'region');
        this.root.setAttribute('aria-label', NAME);
      }
      found(this.emit(this.root, 'mounted'));
    };
    // A widget is drawn before the notebook puts it in its place.
    const observer = new MutationObserver(() => {
      if (this.root.isConnected) {
        observer.disconnect();
        settle();
      }
    });
    if (this.root.isConnected) {
      settle();
    } else {
      observer.observe(document, { childList: true, subtree: true });
    }
    return () => observer.disconnect();
  }

  /** Hears what the extension sends; the function that it returns ends that. */
  listen(on: {
    link(link: Link): void;
    ack(ack: Ack): void;
    chosen(cell: ChosenCell): void;
    pressed(pressed: Pressed): void;
  }): () => void {
    const end = new AbortController();
    const { signal } = end;
    const touched = (event: Event): void => {
      if (event.isTrusted) {
        this.touchedAt = performance.now();
      }
    };
    for (const type of ['keydown', 'mouseup', 'click']) {
      // In the window and first: JupyterLab's keys, palette and menus end some of these events.
      window.addEventListener(type, touched, { signal, capture: true });
    }
    this.root.addEventListener('qdash:link', event => on.link((event as CustomEvent<Link>).detail), { signal });
    this.root.addEventListener('qdash:ack', event => on.ack((event as CustomEvent<Ack>).detail), { signal });
    this.root.addEventListener('qdash:chosen', event => on.chosen((event as CustomEvent<ChosenCell>).detail), { signal });
    this.root.addEventListener('qdash:pressed', event => on.pressed((event as CustomEvent<Pressed>).detail), { signal });
    return () => end.abort();
  }

  /** Whether somebody took the command, and the number under which it is acknowledged. */
  command(command: Command): { readonly taken: boolean; readonly n: number | undefined } {
    const detail: Command & { n?: number } = { ...command };
    const taken = this.emit(this.root, 'command', detail);
    return { taken, n: detail.n };
  }

  /** Draws a chart with the notebook's own renderer, else with the kernel's Plotly. Rejects with `NoRenderer`. */
  render(node: HTMLElement, plan: Drawing): Promise<void> {
    const rendering: Rendering = { node, data: { [PLOTLY_MIME]: plan } };
    if (this.emit(node, 'render', rendering)) {
      this.rendered.add(node);
      return rendering.done ?? Promise.resolve();
    }
    return draw(node, plan, this.askForScript);
  }

  /** From the root: the node itself may be out of the document already. */
  unrender(node: HTMLElement): void {
    if (this.rendered.delete(node)) {
      this.emit(this.root, 'unrender', { node });
    } else {
      purge(node);
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

  /** Gives code the host's colours, in its own time. */
  highlight(node: HTMLElement, code: string, language: string): void {
    const highlighting: Highlighting = { node, code, language };
    this.emit(node, 'highlight', highlighting);
  }

  /** Puts code below the cells that it is about, and runs it; the id of the new one, null where there is none. */
  insert(code: string, about: string | null, run = false): string | null {
    const insertion: Insertion = { code, about, run };
    return this.emit(this.root, 'insert', insertion) ? (insertion.cell_id ?? null) : null;
  }

  /** The code cells of the notebook. */
  cells(): readonly CellName[] {
    const asked: CellNames = {};
    this.emit(this.root, 'cells', asked);
    return asked.cells ?? [];
  }

  /** A cell as a question about it takes it; null where it is gone. */
  cell(cellId: string): ChosenCell | null {
    const wanted: WantedCell = { cell_id: cellId };
    this.emit(this.root, 'cell', wanted);
    return wanted.cell ?? null;
  }

  /** Goes to a cell of the notebook; false where there is none of that id. */
  reveal(cellId: string): boolean {
    return this.emit(this.root, 'reveal', { cell_id: cellId });
  }

  /** Of the panels in the page that show this conversation, the one that asks for a yes: that of the sidebar, or the first. */
  asks(): boolean {
    const { instance } = this.root.dataset;
    const panels = [...document.querySelectorAll<HTMLElement>('.qdash-panel')].filter(
      panel => panel === this.root || (instance !== undefined && panel.dataset.instance === instance),
    );
    return (panels.find(panel => panel.dataset.place !== 'output') ?? panels[0] ?? this.root) === this.root;
  }

  /** Whether a person has made this event, or has just pressed the key for it; a script of the page has made any other. */
  isByPerson(event: Event): boolean {
    return event.isTrusted || this.pressing;
  }

  /** For a key that was just pressed: approves what the user sees; where it is out of sight they get to see it first. */
  approve(): void {
    if (performance.now() - this.touchedAt > KEY_TAKES_MS) {
      return;
    }
    this.touchedAt = -Infinity;
    const button = this.root.querySelector<HTMLElement>('[data-approves]');
    const { left = 0, top = 0, width = 0, height = 0 } = button?.getBoundingClientRect() ?? {};
    if (button?.contains(document.elementFromPoint(left + width / 2, top + height / 2))) {
      this.pressing = true;
      button.click();
      this.pressing = false;
    } else if (button) {
      this.attend();
      button.scrollIntoView({ block: 'nearest' });
    }
  }

  /** Has the panel come into sight: somebody is waited for. */
  attend(): void {
    this.emit(this.root, 'attend');
  }

  /** Opens a bundle in a tab of its own. */
  open(node: HTMLElement, title: string, data: MimeBundle): void {
    this.emit(node, 'open', { node, title, data });
  }

  private emit(node: Element, name: string, detail?: object): boolean {
    if (this.alone && !DRAWING.has(name)) {
      return false;
    }
    const event = new CustomEvent(`qdash:${name}`, { bubbles: true, cancelable: true, composed: true, detail });
    node.dispatchEvent(event);
    return event.defaultPrevented;
  }
}
