/**
 * What one view of the panel shows and does: the conversation as the kernel has it, and what is only this page's own,
 * such as a question that is on its way. Views read `shown` and call the methods; every change replaces `shown`.
 */
import { Channel } from './channel';
import { Clock } from './clock';
import { Commands } from './commands';
import { Host } from './host';
import { initialState, running } from './state';
import { ofCell, type Subject } from './subject';
import type { Ack, Command, Link, Model, State } from './wire';

export interface Shown {
  readonly state: State;
  /** Nothing was heard of the link yet, or there is no labextension. */
  readonly link: Link | null;
  /** Whether there is a labextension; null until the panel stands in the page. */
  readonly hosted: boolean | null;
  /** The sidebar around the panel says by itself what has become of the kernel. */
  readonly in_sidebar: boolean;
  /** A question that was sent and is no turn yet. */
  readonly pending: Pending | null;
  /** A stop was asked for, and the turn still runs. */
  readonly stopping: boolean;
  /** Why the kernel refused a command. */
  readonly refusal: string | null;
  /** A question that was refused: its text goes back into the box. */
  readonly returned: { readonly text: string } | null;
  /** Steps whose data are being fetched again. */
  readonly fetching: readonly string[];
  /** What the next question will be about. */
  readonly subject: Subject | null;
}

export interface Question {
  readonly text: string;
  readonly subject: Subject | null;
}

export interface Pending {
  /** As it will stand over the answer. */
  readonly text: string;
  readonly sent_at: number;
  /** What the last turn was then. */
  readonly after: string | undefined;
}

export class Desk {
  readonly clock = new Clock();
  readonly host: Host;

  shown: Shown = {
    state: initialState,
    link: null,
    hosted: null,
    in_sidebar: false,
    pending: null,
    stopping: false,
    refusal: null,
    returned: null,
    fetching: [],
    subject: null,
  };

  private readonly channel: Channel;
  private readonly commands: Commands;
  private readonly watchers = new Set<() => void>();
  /** The questions that are not yet acknowledged, by `ask_id`. */
  private readonly asked = new Map<string, Question>();
  private readonly leave: (() => void)[] = [];

  constructor(
    readonly root: HTMLElement,
    model: Model,
  ) {
    this.host = new Host(root);
    this.commands = new Commands(this.host, model);
    this.channel = new Channel(
      model,
      state => this.stateChanged(state),
      ops => this.clock.observe(ops),
    );
  }

  open(): void {
    this.leave.push(
      this.host.listen({
        link: link => this.linkChanged(link),
        ack: ack => this.acknowledged(ack),
        chosen: cell => this.choose(ofCell(cell)),
      }),
      this.commands.listen(ack => this.acknowledged(ack)),
      this.host.announce(hosted => this.show({ hosted, in_sidebar: this.host.sidebar !== null })),
      () => this.channel.close(),
      () => this.host.close(),
    );
    this.channel.open();
  }

  close(): void {
    for (const each of this.leave.splice(0)) {
      each();
    }
    this.watchers.clear();
  }

  watch(changed: () => void): () => void {
    this.watchers.add(changed);
    return () => this.watchers.delete(changed);
  }

  /** Whether a question is on its way or being answered. */
  get busy(): boolean {
    const { link, pending, state } = this.shown;
    return link?.state !== 'lost' && (pending !== null || running(state) !== undefined);
  }

  ask(text: string): void {
    const ask_id = id();
    const { subject } = this.shown;
    this.asked.set(ask_id, { text, subject });
    this.begin(text || (subject?.question ?? ''), null);
    const { analysis = null, cell = null } = subject ?? {};
    this.commands.send({ type: 'ask', ask_id, text, analysis, cell });
  }

  /** Asks the next question about this; null is about nothing but its words. */
  choose(subject: Subject | null): void {
    this.show({ subject });
  }

  retry(turn_id: string): void {
    const turn = this.shown.state.turns.find(each => each.turn_id === turn_id);
    this.begin(turn?.question ?? '', this.shown.subject);
    this.commands.send({ type: 'retry', turn_id });
  }

  stop(): void {
    this.show({ stopping: true });
    this.commands.send({ type: 'stop', turn_id: running(this.shown.state)?.turn_id ?? null });
  }

  fetch(turn_id: string, call_id: string): void {
    this.show({ refusal: null, fetching: [...this.shown.fetching, call_id] });
    this.commands.send({ type: 'fetch', turn_id, call_id });
  }

  send(command: Command): void {
    this.show({ refusal: null });
    this.commands.send(command);
  }

  dismiss(): void {
    this.show({ refusal: null });
  }

  private begin(text: string, subject: Subject | null): void {
    const { turns } = this.shown.state;
    this.show({
      subject,
      pending: { text, sent_at: Date.now(), after: turns[turns.length - 1]?.turn_id },
      stopping: false,
      refusal: null,
      returned: null,
    });
  }

  private acknowledged(ack: Ack): void {
    if (!this.commands.settle(ack)) {
      return; // another view's
    }
    const question = this.asked.get(String(ack.of));
    this.asked.delete(String(ack.of));
    if (!ack.ok) {
      this.refused(ack.message || 'The kernel refused it and did not say why.', question);
    }
  }

  private refused(refusal: string, question?: Question): void {
    this.show({
      refusal,
      pending: null,
      stopping: this.shown.stopping && running(this.shown.state) !== undefined,
      fetching: [],
      returned: question ?? this.shown.returned,
      subject: question?.subject ?? this.shown.subject,
    });
  }

  private linkChanged(link: Link): void {
    const before = this.shown.link?.state;
    this.show({ link, hosted: true });
    if (link.state === 'lost') {
      for (const [ask_id, question] of this.asked) {
        this.asked.delete(ask_id);
        this.refused('The kernel stopped before it took the question.', question);
      }
      this.show({ pending: null, stopping: false, fetching: [] });
    } else if (before === 'connecting' && link.state !== 'connecting') {
      this.channel.resync(); // what was sent meanwhile is lost
    }
  }

  private stateChanged(state: State): void {
    const { pending, stopping, fetching } = this.shown;
    const last = state.turns[state.turns.length - 1];
    const runs = running(state) !== undefined;
    const begun = runs || (last !== undefined && last.turn_id !== pending?.after);
    this.show({
      state,
      pending: begun ? null : pending,
      stopping: stopping && (runs || (pending !== null && !begun)),
      fetching: fetching.length > 0 ? fetching.filter(call_id => isGone(state, call_id)) : fetching,
    });
  }

  private show(change: Partial<Shown>): void {
    this.shown = { ...this.shown, ...change };
    for (const changed of this.watchers) {
      changed();
    }
  }
}

/** Whether the data of that step are (still) not there. */
function isGone(state: State, call_id: string): boolean {
  return state.turns.some(turn =>
    turn.blocks.some(block => block.kind === 'step' && block.call_id === call_id && block.frame_gone),
  );
}

function id(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
