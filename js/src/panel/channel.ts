/** The panel's end of the panel channel: messages in their order, none twice, everything again after a gap. */
import { apply, initialState, restored } from './state';
import { PROTOCOL, type Beat, type Model, type Op, type Patch, type Snapshot, type State } from './wire';

/** How long a message may be late before everything is asked for again. */
const GAP_MS = 200;

/** A snapshot may be lost as well: it is asked for again, ever more rarely. */
const ASK_AGAIN_MS = 3_000;
const ASK_AGAIN_LIMIT_MS = 30_000;

const NEWER: State['about'] = {
  ...initialState.about,
  state: 'failed',
  message: 'The kernel runs a newer version of the copilot than this page.',
  hint: 'Save the notebook and reload the page.',
};

export class Channel {
  state: State = initialState;

  /** Until the first snapshot there is nothing that a patch could change. */
  private seen: number | null = null;
  private readonly early = new Map<number, Patch>();
  private late: number | undefined;
  private missing: number | undefined;

  /** `changed` is called after each message that changed the state; `patched` sees the ops as they come. */
  constructor(
    private readonly model: Model,
    private readonly changed: (state: State) => void,
    private readonly patched: (ops: readonly Op[]) => void = () => {},
  ) {}

  open(): void {
    this.model.on('msg:custom', this.receive);
    this.resync();
  }

  close(): void {
    this.model.off('msg:custom', this.receive);
    clearTimeout(this.late);
    clearTimeout(this.missing);
  }

  /** Asks for everything, until it comes. */
  resync(again_ms = ASK_AGAIN_MS): void {
    clearTimeout(this.missing);
    this.missing = setTimeout(() => this.resync(Math.min(2 * again_ms, ASK_AGAIN_LIMIT_MS)), again_ms);
    try {
      this.model.send({ v: PROTOCOL, type: 'resync' });
    } catch {
      // The model's kernel is gone. What was shown stays readable; a new kernel comes with a new model.
      clearTimeout(this.missing);
    }
  }

  private readonly receive = (message: unknown): void => {
    const { type, seq } = message as Patch | Snapshot | Beat;
    if (type === 'beat' && this.seen !== null && seq > this.seen && this.missing === undefined) {
      this.resync(); // the last message before it was lost: no later one would tell
      return;
    }
    if ((type !== 'patch' && type !== 'snapshot') || (this.seen !== null && seq <= this.seen)) {
      return;
    }
    const before = this.state;
    if (type === 'snapshot') {
      this.restore(message as Snapshot);
    } else {
      this.early.set(seq, message as Patch);
    }
    this.catchUp();
    if (this.state !== before) {
      this.changed(this.state);
    }
  };

  private restore({ seq, state }: Snapshot): void {
    clearTimeout(this.missing);
    this.missing = undefined;
    this.seen = seq;
    this.state = state.v === PROTOCOL ? restored(this.state, state) : { ...initialState, about: NEWER };
  }

  /** Applies what is next in order; if something is left over, a message is missing before it. */
  private catchUp(): void {
    if (this.seen === null) {
      return;
    }
    for (const seq of this.early.keys()) {
      if (seq <= this.seen) {
        this.early.delete(seq);
      }
    }
    for (let next = this.early.get(this.seen + 1); next; next = this.early.get(this.seen + 1)) {
      this.early.delete(next.seq);
      this.seen = next.seq;
      this.state = next.ops.reduce(apply, this.state);
      this.patched(next.ops);
    }
    if (this.early.size === 0) {
      clearTimeout(this.late);
      this.late = undefined;
    } else if (this.late === undefined && this.missing === undefined) {
      this.late = setTimeout(() => {
        this.late = undefined;
        this.resync();
      }, GAP_MS);
    }
  }
}
