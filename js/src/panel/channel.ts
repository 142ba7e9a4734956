/** The panel's end of the panel channel: messages in their order, none twice, everything again after a gap. */
import { initialState, PROTOCOL, type FilePart, type Op, type PanelMessage, type Patch, type Snapshot, type State } from '../shared/wire';
import { apply, restored } from './state';
import { language, words } from './words';

/** How long a message may be late before everything is asked for again. */
const GAP_MS = 200;

/** A snapshot may be lost as well: it is asked for again, ever more rarely. */
const ASK_AGAIN_MS = 3_000;
const ASK_AGAIN_LIMIT_MS = 30_000;

/** The part of anywidget's model that the panel uses. */
export interface Model {
  on(name: 'msg:custom', callback: (message: unknown) => void): void;
  off(name: 'msg:custom', callback: (message: unknown) => void): void;
  send(message: unknown): void;
  get?(name: string): unknown;
}

function newer(): State {
  const { newerKernel: message, saveAndReload: hint } = words.notices;
  return { ...initialState, about: { ...initialState.about, state: 'failed', message, hint } };
}

export class Channel {
  state: State = initialState;

  /** Until the first snapshot there is nothing that a patch could change. */
  private lastSeq: number | null = null;
  private readonly ahead = new Map<number, Patch>();
  private gapTimer: number | undefined;
  private resyncTimer: number | undefined;

  /** `onState` is called after each message that changed the state; `onOps` and `onFile` get the ops and the parts of files as they come. */
  constructor(
    private readonly model: Model,
    private readonly onState: (state: State) => void,
    private readonly onOps: (ops: readonly Op[]) => void,
    private readonly onFile: (part: FilePart) => void,
  ) {}

  open(): void {
    this.model.on('msg:custom', this.receive);
    this.resync();
  }

  close(): void {
    this.model.off('msg:custom', this.receive);
    clearTimeout(this.gapTimer);
    clearTimeout(this.resyncTimer);
  }

  /** Asks for everything, until it comes. */
  resync(againMs = ASK_AGAIN_MS): void {
    clearTimeout(this.resyncTimer);
    this.resyncTimer = setTimeout(() => this.resync(Math.min(2 * againMs, ASK_AGAIN_LIMIT_MS)), againMs);
    try {
      this.model.send({ v: PROTOCOL, type: 'resync', language });
    } catch {
      // The model's kernel is gone. What was shown stays readable; a new kernel comes with a new model.
      clearTimeout(this.resyncTimer);
    }
  }

  private readonly receive = (raw: unknown): void => {
    const message = raw as PanelMessage;
    if (message.type === 'beat' && this.lastSeq !== null && message.seq > this.lastSeq && this.resyncTimer === undefined) {
      this.resync(); // the last message before it was lost: no later one would tell
      return;
    }
    if (message.type === 'file') {
      this.onFile(message);
      return;
    }
    if (!['patch', 'snapshot'].includes(message.type) || (this.lastSeq !== null && message.seq <= this.lastSeq)) {
      return;
    }
    const before = this.state;
    if (message.type === 'snapshot') {
      this.restore(message);
    } else {
      this.ahead.set(message.seq, message as Patch);
    }
    this.catchUp();
    if (this.state !== before) {
      this.onState(this.state);
    }
  };

  private restore({ seq, state }: Snapshot): void {
    clearTimeout(this.resyncTimer);
    this.resyncTimer = undefined;
    this.lastSeq = seq;
    this.state = state.v === PROTOCOL ? restored(this.state, state) : newer();
  }

  /** Applies what is next in order; if something is left over, a message is missing before it. */
  private catchUp(): void {
    if (this.lastSeq === null) {
      return;
    }
    for (const seq of this.ahead.keys()) {
      if (seq <= this.lastSeq) {
        this.ahead.delete(seq);
      }
    }
    for (let next = this.ahead.get(this.lastSeq + 1); next; next = this.ahead.get(this.lastSeq + 1)) {
      this.ahead.delete(next.seq);
      this.lastSeq = next.seq;
      this.state = next.ops.reduce(apply, this.state);
      this.onOps(next.ops);
    }
    if (this.ahead.size === 0) {
      clearTimeout(this.gapTimer);
      this.gapTimer = undefined;
    } else if (this.gapTimer === undefined && this.resyncTimer === undefined) {
      this.gapTimer = setTimeout(() => {
        this.gapTimer = undefined;
        this.resync();
      }, GAP_MS);
    }
  }
}
