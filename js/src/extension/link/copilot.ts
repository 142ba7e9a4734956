/** The copilot of one open notebook, as this page sees it: its kernel comes and goes, the notebook stays. */
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IKernelConnection } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';

import type { Ack, CellMessage, ChosenCell, Command, Hello } from '../../shared/wire';
import type { Link, Pressed } from '../../shared/page';
import { KEY, runningCells, untouchedCells } from '../cells/agent-cell';
import { language, words } from '../words';
import type { FrontEnd, FrontEndPackage } from './front-end';
import { KernelLink, type Loss, type Opening } from './kernel-link';
import { loadCopilot, PACKAGE, StartError } from './load-copilot';
import { isRecord } from './messages';

/** How far it is from here to an answering copilot. */
export type Stage =
  | 'kernel starts'
  /** It has not said yet what it is: after a reload in the middle of a cell that takes until the cell has ended. */
  | 'kernel unheard'
  | 'no kernel'
  | 'other language'
  /** Another notebook of this page has the same kernel, and with it the comms. */
  | 'shared'
  | 'connecting'
  | 'absent'
  | 'there';

/** So soon a kernel that runs nothing has read a Stop. */
const READS_STOP_MS = 300;

export interface Starting {
  readonly since: number;
  /** Rejects with a StartError. */
  readonly done: Promise<void>;
}

export class Copilot {
  /** Anything that can be read here. */
  readonly changed = new Signal<this, void>(this);
  readonly acked = new Signal<this, Ack>(this);
  /** The user wants to ask about a cell. */
  readonly cellChosen = new Signal<this, ChosenCell>(this);
  /** A key of the user's is for the panel. */
  readonly pressed = new Signal<this, Pressed>(this);
  readonly cellRequested = new Signal<this, CellMessage>(this);
  readonly disposed = new Signal<this, void>(this);

  starting: Starting | null = null;
  failure: StartError | null = null;
  /** Of the kernel; null until it has told. */
  language: string | null = null;

  private link: KernelLink | null = null;
  private followed: IKernelConnection | null = null;

  private kernelName: string | null = null;
  /** The last hello, also of a kernel that this notebook has no more. */
  private last: Hello | null = null;

  constructor(
    readonly panel: NotebookPanel,
    private readonly frontEnd: FrontEnd,
  ) {
    const { sessionContext } = panel;
    sessionContext.kernelChanged.connect(() => this.follow(), this);
    sessionContext.statusChanged.connect(() => this.follow(), this);
    sessionContext.connectionStatusChanged.connect(() => this.changed.emit(), this);
    panel.context.pathChanged.connect(() => this.changed.emit(), this);
    panel.disposed.connect(() => this.dispose(), this);
    void sessionContext.ready.then(() => this.follow());
    this.follow();
  }

  get stage(): Stage {
    const { sessionContext } = this.panel;
    const kernel = sessionContext.session?.kernel;
    if (!kernel || kernel.isDisposed) {
      // What a notebook without a kernel is called, too.
      return sessionContext.kernelDisplayStatus === 'unknown' ? 'no kernel' : 'kernel starts';
    }
    if (this.language === null) {
      return 'kernel unheard';
    }
    if (this.language !== 'python') {
      return 'other language';
    }
    if (!this.link) {
      return 'shared';
    }
    switch (this.link.state) {
      case 'connecting':
        return this.link.hello ? 'there' : 'connecting';
      case 'absent':
      case 'lost':
        return 'absent';
      default:
        return 'there';
    }
  }

  get state(): Link['state'] {
    if (!this.link) {
      return this.stage === 'kernel starts' || this.stage === 'kernel unheard' ? 'connecting' : 'lost';
    }
    const { state, activity } = this.link;
    switch (state) {
      case 'absent':
        return 'lost';
      case 'open':
        return activity.isBusy ? 'busy' : 'live';
      default:
        return state;
    }
  }

  /** What the state means, in words. */
  get message(): string {
    switch (this.state) {
      case 'busy':
        return words.link.busy;
      case 'silent':
        return this.waitsForCell ? words.link.waitsForCell : words.link.silent;
      case 'lost':
        return words.lost[this.loss];
      case 'connecting':
        return words.link.connecting;
      default:
        return '';
    }
  }

  /** How the copilot got lost; `replaced` by another kernel. */
  get loss(): Loss | 'replaced' {
    const kernel = this.panel.sessionContext.session?.kernel;
    if (!kernel || kernel.isDisposed || kernel.status === 'dead') {
      return 'dead';
    }
    return this.link?.loss ?? 'replaced';
  }

  /** What the copilot of the present kernel says of itself. */
  get hello(): Hello | null {
    return this.stage === 'there' ? (this.link?.hello ?? null) : null;
  }

  /** Whether this notebook had a copilot since the page was loaded. */
  get hadCopilot(): boolean {
    return this.last !== null;
  }

  get isKernelBusy(): boolean {
    return this.link?.activity.isBusy ?? false;
  }

  /** Whether commands wait for the end of the user's cell that runs: the kernel has no way past it. */
  get waitsForCell(): boolean {
    const { link } = this;
    return link?.hello?.interrupts === 'page' && link.activity.isBusy;
  }

  get fileName(): string {
    const { path } = this.panel.context;
    return path.slice(path.lastIndexOf('/') + 1);
  }

  get missing(): readonly FrontEndPackage[] {
    return this.frontEnd.missing(this.panel);
  }

  /** Sends a command of a panel. Returns the number it went under, or null where there is no kernel to send it to. */
  command(command: Command): number | null {
    if (!this.link) {
      return null;
    }
    const n = this.link.command(command);
    setTimeout(() => this.interruptIfStopped(), READS_STOP_MS);
    return n;
  }

  /**
   * Ends the agent's cell that runs in the kernel, where that reads the Stop only after it. A kernel that runs none
   * reads it at once, and a cell of the user's is never interrupted.
   */
  private interruptIfStopped(): void {
    const { link } = this;
    if (link?.hello?.interrupts === 'page' && link.hasStop && !link.activity.isBusy) {
      link.kernel.interrupt().catch(() => undefined);
    }
  }

  report(message: Parameters<KernelLink['report']>[0]): void {
    this.link?.report(message);
  }

  /** Loads the copilot into the kernel, once at a time. How it goes is to be read in `starting` and `failure`, too. */
  start(): Promise<void> {
    this.starting ??= { since: Date.now(), done: this.load() };
    this.changed.emit();
    return this.starting.done;
  }

  private async load(): Promise<void> {
    this.failure = null;
    try {
      await loadCopilot(this.panel);
      if (this.stage === 'absent') {
        // The kernel has announced it by now, if it can.
        await this.link?.attach();
      }
      if (this.stage === 'absent') {
        throw new StartError(words.start.noPanel, `%pip install --upgrade ${PACKAGE}`);
      }
    } catch (reason) {
      this.failure = reason as StartError;
      throw reason;
    } finally {
      this.starting = null;
      this.changed.emit();
    }
  }

  /** A new kernel in the place of one that is gone, and the copilot in it. */
  async restart(): Promise<void> {
    if (this.kernelName !== null) {
      await this.panel.sessionContext.changeKernel({ name: this.kernelName });
      await this.start();
    }
  }

  dispose(): void {
    this.disposed.emit();
    this.link?.dispose();
    this.link = null;
    Signal.clearData(this);
  }

  /** Looks whether the notebook has another kernel. */
  private follow(): void {
    const kernel = this.panel.sessionContext.session?.kernel ?? null;
    if (kernel && kernel === this.followed) {
      this.changed.emit();
      return;
    }
    this.followed = kernel;
    this.link?.dispose();
    this.link = null;
    this.language = null;
    this.failure = null;
    if (kernel) {
      this.kernelName = kernel.name;
      void kernel.info.then(({ language_info: language }) => {
        if (kernel === this.followed) {
          this.language = language.name;
          this.connect();
        }
      });
    }
    this.changed.emit();
  }

  private connect(): void {
    const kernel = this.followed;
    if (kernel && !kernel.isDisposed && kernel.handleComms && this.language === 'python') {
      const link = new KernelLink(kernel, () => this.opening(), () => runningCells(this.panel.content));
      this.link = link;
      link.changed.connect(() => this.onLink(), this);
      link.acked.connect((_, ack) => this.acked.emit(ack), this);
      link.cellRequested.connect((_, message) => this.cellRequested.emit(message), this);
    }
    this.changed.emit();
  }

  private onLink(): void {
    const hello = this.link?.hello ?? null;
    if (hello && hello !== this.last) {
      this.last = hello;
      this.failure = null;
      this.noteConversation(hello.conversation);
    }
    this.changed.emit();
  }

  private async opening(): Promise<Opening> {
    const settings = await this.frontEnd.settings;
    return {
      settings,
      language,
      path: this.panel.context.localPath,
      conversation: this.conversation,
      agent_cells: untouchedCells(this.panel.content),
    };
  }

  private get conversation(): string | null {
    const note = this.panel.content.model?.sharedModel.getMetadata(KEY);
    return isRecord(note) && typeof note.conversation === 'string' ? note.conversation : null;
  }

  /** Writes into the notebook which conversation is its own. */
  private noteConversation(conversation: string | null): void {
    const { content, context } = this.panel;
    const isWritable = context.contentsModel?.writable !== false && !content.model?.readOnly;
    if (conversation && conversation !== this.conversation && isWritable) {
      const note = content.model?.sharedModel.getMetadata(KEY);
      content.model?.sharedModel.setMetadata(KEY, { ...(isRecord(note) && note), conversation });
    }
  }
}
