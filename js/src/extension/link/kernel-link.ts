/** The link between one kernel and this browser tab: the control comm of docs/protocol.md. */
import type { CommMessage, IComm, IKernelConnection } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';

import { PROTOCOL, type Ack, type CellMessage, type CellReport, type ClientOpened } from '../../shared/wire';
import type { Command, Hello, KernelMessage, Ping } from '../../shared/wire';
import { words } from '../words';
import { Activity } from './activity';
import { ANNOUNCE, createComm, isAnnounced, isKnown } from './comm';
import { isMessage, isRecord } from './messages';
import { Outbox, refusal, type Sent } from './outbox';
import { CLIENT_ID } from './client-id';

/** How long the kernel has for an acknowledgement or a pong. */
const ANSWER_MS = 1000;
/** How often one looks whether the kernel still knows this page. */
const LOOK_MS = 10_000;

/** A kernel that is heard but does not acknowledge a command gets it this often. */
const TRIES = 5;

export type LinkState =
  /** Looking for the copilot, or waiting for its hello. */
  | 'connecting'
  /** The kernel has no copilot. */
  | 'absent'
  | 'open'
  /** A command was not acknowledged in time, and nothing was heard since. */
  | 'silent'
  /** There was a copilot, and it is gone. */
  | 'lost';

/** `crashed`: it died, and the server restarted it. */
export type Loss = 'restarted' | 'crashed' | 'dead' | 'unloaded' | 'disconnected';

/** The first words of a page. */
export type Opening = Omit<ClientOpened, 'client_id'>;

export class KernelLink {
  /** The state, the hello or what the kernel executes. */
  readonly changed = new Signal<this, void>(this);
  readonly acked = new Signal<this, Ack>(this);
  /** The kernel wants something done in the notebook. */
  readonly cellRequested = new Signal<this, CellMessage>(this);

  readonly activity: Activity;
  state: LinkState = 'connecting';
  loss: Loss | null = null;
  /** The last words of the kernel about itself; they stay when it is gone. */
  hello: Hello | null = null;

  private comm: IComm | null = null;
  private readonly outbox = new Outbox();
  private n = 0;
  /** Counts the attempts to connect: an older one that is still under way finds itself outdated. */
  private attempt = 0;
  private tries = 0;
  private isHeard = false;
  private isLooking = false;
  private answer: number | undefined;
  private readonly looking: number;

  /** `opening` gives the first words of the page, when the comm opens. */
  constructor(
    readonly kernel: IKernelConnection,
    private readonly opening: () => Promise<Opening>,
    private readonly running: () => number,
  ) {
    this.activity = new Activity(kernel);
    this.activity.changed.connect(() => this.changed.emit(), this);
    kernel.registerCommTarget(ANNOUNCE, this.onAnnounce);
    kernel.statusChanged.connect(() => this.onStatus(), this);
    kernel.connectionStatusChanged.connect(() => this.onConnection(), this);
    this.looking = setInterval(() => void this.look(), LOOK_MS);
    void this.attach();
  }

  /** Whether a Stop waits for its acknowledgement. */
  get hasStop(): boolean {
    return this.outbox.has('stop');
  }

  /** Looks for the copilot in the kernel and connects to it. */
  async attach(): Promise<void> {
    const attempt = ++this.attempt;
    this.drop();
    if (this.state !== 'lost') {
      this.set('connecting');
    }
    let announced: boolean;
    try {
      announced = await isAnnounced(this.kernel);
    } catch {
      return; // The kernel went away; it will be heard of again.
    }
    if (attempt !== this.attempt) {
      return;
    }
    if (announced) {
      await this.open(attempt);
    } else if (this.hello) {
      this.lose(this.loss ?? 'unloaded');
    } else {
      this.set('absent');
    }
  }

  /** Sends a command of a panel; its acknowledgement comes as a signal. Returns the number it went under. */
  command(command: Command): number {
    const n = ++this.n;
    const sent: Sent = { ...command, n };
    if (this.state === 'lost' || this.state === 'absent') {
      // Not at once: whoever sent it does not know its number yet.
      queueMicrotask(() => this.acked.emit(refusal(sent, words.link.notRunning)));
      return n;
    }
    this.outbox.put(sent);
    this.send(sent);
    this.tries = 0;
    this.expectAnswer();
    return n;
  }

  /** Tells the kernel what became of a cell. */
  report(message: CellReport): void {
    this.send(message);
  }

  dispose(): void {
    this.attempt++;
    clearInterval(this.looking);
    clearTimeout(this.answer);
    this.activity.dispose();
    this.kernel.removeCommTarget(ANNOUNCE, this.onAnnounce);
    if (this.state === 'open' && this.isReachable(this.comm)) {
      this.comm.close();
    }
    this.drop();
    Signal.clearData(this);
  }

  private readonly onAnnounce = (_: IComm, message: CommMessage): void => {
    const { data } = message.content;
    if (!isRecord(data) || (this.comm && this.hello?.instance === data.instance)) {
      return;
    }
    void this.open(++this.attempt);
  };

  private async open(attempt: number): Promise<void> {
    this.drop();
    this.set('connecting');
    const [comm, opening] = await Promise.all([createComm(this.kernel), this.opening()]);
    if (attempt !== this.attempt || this.kernel.isDisposed) {
      comm.dispose();
      return;
    }
    this.comm = comm;
    comm.onMsg = ({ content }) => this.onMessage(comm, content.data);
    comm.onClose = () => {
      if (this.comm === comm) {
        this.comm = null;
        this.lose('unloaded');
        void this.attach();
      }
    };
    comm.open({ v: PROTOCOL, client_id: CLIENT_ID, ...opening });
  }

  private onMessage(comm: IComm, raw: unknown): void {
    if (comm !== this.comm || !isMessage(raw)) {
      return;
    }
    const message = raw as KernelMessage;
    this.isHeard = true;
    if (message.type === 'hello') {
      this.onHello(message);
    } else if (this.hello && this.state !== 'open') {
      this.set('open');
    }
    switch (message.type) {
      case 'ping':
        this.send({ type: 'pong', n: message.n, running: this.running() });
        break;
      case 'ack':
        if (this.outbox.settle(message)) {
          this.tries = 0;
        }
        this.acked.emit(message);
        break;
      case 'run_cell':
      case 'cell_outputs':
      case 'remove_cell':
      case 'set_outputs':
      case 'end_turn':
      case 'take_out':
      case 'edit_cell':
      case 'put_in':
        this.cellRequested.emit(message);
        break;
    }
    this.expectAnswer();
  }

  private onHello(hello: Hello): void {
    const isNew = this.state !== 'open';
    this.hello = hello;
    this.loss = null;
    this.set('open');
    if (isNew) {
      this.refuse(words.link.connectionLost, 'once');
      this.repeat();
    }
    this.changed.emit();
  }

  /** Gives the kernel its time to acknowledge what waits. */
  private expectAnswer(): void {
    clearTimeout(this.answer);
    if (!this.outbox.isEmpty) {
      this.answer = setTimeout(() => this.overdue(), ANSWER_MS);
    }
  }

  private overdue(): void {
    if (this.outbox.isEmpty || this.state === 'connecting') {
      return; // What waits goes out when there is a connection again.
    }
    if (++this.tries > TRIES) {
      this.refuse(words.link.notTaken);
      return;
    }
    this.set('silent');
    this.ping();
    this.repeat();
  }

  private repeat(): void {
    this.outbox.repeatable().forEach(command => this.send(command));
  }

  private refuse(message: string, which?: 'all' | 'once'): void {
    this.outbox.refuse(message, which).forEach(ack => this.acked.emit(ack));
  }

  private ping(): void {
    this.send({ type: 'ping', n: ++this.n });
  }

  /** Tells a kernel that has forgotten us from one that is frozen for a while, and does not answer. */
  private async look(): Promise<void> {
    const { attempt, comm } = this;
    // While a cell runs the end of any other message would make JupyterLab show the kernel as idle.
    if (!comm || !this.hello || this.activity.isBusy || this.isLooking) {
      return;
    }
    if (this.state === 'silent') {
      this.ping();
    }
    this.isLooking = true;
    try {
      if (!(await isKnown(this.kernel, comm)) && attempt === this.attempt) {
        void this.attach();
      }
    } catch {
      // The kernel went away; it will be heard of again.
    } finally {
      this.isLooking = false;
    }
  }

  /** Pings, and connects anew if nothing is heard. */
  private verify(): void {
    const { attempt } = this;
    this.isHeard = false;
    this.ping();
    setTimeout(() => {
      if (attempt === this.attempt && !this.isHeard) {
        void this.attach();
      }
    }, ANSWER_MS);
  }

  private onStatus(): void {
    const { status } = this.kernel;
    if (status === 'restarting') {
      this.lose('restarted');
    } else if (status === 'autorestarting') {
      this.lose('crashed');
    } else if (status === 'dead') {
      this.lose('dead');
    }
  }

  private onConnection(): void {
    const status = this.kernel.connectionStatus;
    if (status === 'connected') {
      if (!this.comm) {
        void this.attach();
      } else if (this.hello) {
        // The server may have kept what the kernel said meanwhile; if not, the pong tells.
        this.verify();
      }
    } else if (status === 'disconnected') {
      this.lose('disconnected');
    } else if (this.state === 'open' || this.state === 'silent') {
      this.set('connecting');
    }
  }

  private lose(loss: Loss): void {
    this.attempt++;
    this.drop();
    if (this.hello) {
      this.loss = loss;
      this.set('lost');
      this.refuse(words.link.stopped);
    } else {
      this.set('connecting');
    }
  }

  private drop(): void {
    this.comm?.dispose();
    this.comm = null;
  }

  private send(message: CellReport | Sent | Ping): void {
    if (this.isReachable(this.comm)) {
      this.comm.send({ v: PROTOCOL, ...message });
    }
  }

  private isReachable(comm: IComm | null): comm is IComm {
    return comm !== null && !comm.isDisposed && !this.kernel.isDisposed && this.kernel.status !== 'dead';
  }

  private set(state: LinkState): void {
    if (state !== this.state) {
      this.state = state;
      this.changed.emit();
    }
  }
}
