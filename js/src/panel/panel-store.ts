/**
 * What one view of the panel shows and does: the conversation as the kernel has it, and what is only this page's own,
 * such as a question that is on its way. Components read `view` and call the methods; every change replaces `view`.
 */
import { initialState, type Ack, type Command, type File, type State } from '../shared/wire';
import type { Link } from '../shared/page';
import { download } from '../shared/download';
import { randomId } from '../shared/random-id';
import { Channel, type Model } from './channel';
import { Clock } from './clock';
import { Commands } from './commands';
import { Host } from './host';
import { hasStep, running } from './state';
import { ofCell, type Subject } from './subject';
import { followTheme } from './theme';
import type { TableLook } from './reading';

export interface ViewState {
  readonly state: State;
  /** Nothing was heard of the link yet, or there is no extension. */
  readonly link: Link | null;
  /** Whether there is an extension; null until the panel stands in the page. */
  readonly hosted: boolean | null;
  /** The sidebar around the panel tells by itself what has become of the kernel. */
  readonly inSidebar: boolean;
  /** A question that was sent and is no turn yet. */
  readonly pending: Pending | null;
  /** A stop was asked for, and the turn still runs. */
  readonly stopping: boolean;
  /** Why the kernel refused a command. */
  readonly refusal: string | null;
  /** A question that was refused: its text goes back into the box. */
  readonly returned: Question | null;
  /** Steps whose data are being fetched again. */
  readonly fetching: readonly string[];
  /** What the next question will be about. */
  readonly subject: Subject | null;
  /** A conversation was left a moment ago, and can be had back. */
  readonly mayGoBack: boolean;
  /** Another number after each change of the theme. */
  readonly theme: number;
}

const WAY_BACK_MS = 10_000;

interface Question {
  readonly text: string;
  readonly subject: Subject | null;
}

export interface Pending {
  /** As it will stand over the answer. */
  readonly text: string;
  readonly sentAt: number;
  /** What the last turn was then. */
  readonly after: string | undefined;
}

export class PanelStore {
  readonly clock = new Clock();
  readonly host: Host;
  /** How the reader has left the tables, by their names. */
  readonly tables = new Map<string, TableLook>();

  view: ViewState = {
    state: initialState,
    link: null,
    hosted: null,
    inSidebar: false,
    pending: null,
    stopping: false,
    refusal: null,
    returned: null,
    fetching: [],
    subject: null,
    mayGoBack: false,
    theme: 0,
  };

  private readonly channel: Channel;
  private readonly commands: Commands;
  private readonly listeners = new Set<() => void>();
  /** The questions that are not yet acknowledged, by `ask_id`. */
  private readonly asked = new Map<string, Question>();
  /** What has come of the files that this view has asked for. */
  private readonly files = new Map<string, { readonly name: string; text: string }>();
  /** The subject is to be asked about as soon as that is possible, without more words. */
  private isToBeSent = false;
  private readonly disposers: (() => void)[] = [];
  private wayBack: number | undefined;

  constructor(
    readonly root: HTMLElement,
    model: Model,
  ) {
    this.host = new Host(root);
    this.commands = new Commands(this.host, model);
    this.channel = new Channel(
      model,
      state => this.onState(state),
      ops => this.clock.observe(ops),
      part => this.onFile(part),
    );
  }

  open(): void {
    this.disposers.push(
      followTheme(this.root, () => this.update({ theme: this.view.theme + 1 })),
      this.host.listen({
        link: link => this.onLink(link),
        ack: ack => this.onAck(ack),
        chosen: cell => {
          this.setSubject(ofCell(cell));
          this.isToBeSent = cell.fix === true;
          this.sendIfReady();
        },
      }),
      this.commands.listen(ack => this.onAck(ack)),
      this.host.announce(hosted => this.update({ hosted, inSidebar: this.host.sidebar !== null })),
      () => this.channel.close(),
      () => this.host.close(),
    );
    this.channel.open();
  }

  close(): void {
    clearTimeout(this.wayBack);
    for (const dispose of this.disposers.splice(0)) {
      dispose();
    }
    this.listeners.clear();
  }

  /** Calls back after each change of `view`; the function that it returns ends that. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether a question is on its way or being answered. */
  get busy(): boolean {
    const { link, pending, state } = this.view;
    return link?.state !== 'lost' && (pending !== null || running(state) !== undefined);
  }

  /** Why no command can be sent now. */
  get blocked(): string | null {
    const { link, state } = this.view;
    switch (link?.state) {
      case 'lost':
        return 'Not connected to the copilot';
      case 'connecting':
        return 'Connecting to the kernel…';
      default:
        return state.about.state === 'failed' ? 'Not connected: the reason stands above' : null;
    }
  }

  ask(text: string): void {
    const askId = randomId();
    const { subject } = this.view;
    this.asked.set(askId, { text, subject });
    this.begin(text || (subject?.question ?? ''), null);
    const { analysis = null, cell = null } = subject ?? {};
    this.commands.send({ type: 'ask', ask_id: askId, text, analysis, cell });
  }

  /** Asks the next question about this; null is about nothing but its words. */
  setSubject(subject: Subject | null): void {
    this.isToBeSent = false;
    this.update({ subject });
  }

  /** Begins an empty conversation; for a while there is a way back. */
  beginAnew(): void {
    clearTimeout(this.wayBack);
    if (this.view.state.turns.length > 0) {
      this.update({ mayGoBack: true });
      this.wayBack = setTimeout(() => this.update({ mayGoBack: false }), WAY_BACK_MS);
    }
    this.send({ type: 'new' });
  }

  goBack(): void {
    this.update({ mayGoBack: false });
    this.send({ type: 'undo_new' });
  }

  retry(turnId: string): void {
    const turn = this.view.state.turns.find(each => each.turn_id === turnId);
    this.begin(turn?.question ?? '', this.view.subject);
    this.commands.send({ type: 'retry', turn_id: turnId });
  }

  stop(): void {
    this.update({ stopping: true });
    this.commands.send({ type: 'stop', turn_id: running(this.view.state)?.turn_id ?? null });
  }

  /** Fetches the data of a step again. */
  fetch(callId: string): void {
    const turn = this.view.state.turns.find(each => hasStep(each, step => step.call_id === callId));
    this.update({ fetching: [...this.view.fetching, callId] });
    this.send({ type: 'fetch', turn_id: turn?.turn_id ?? '', call_id: callId });
  }

  /** Has the kernel make a notebook of the conversation, which the browser saves under this name. */
  saveNotebook(name: string): void {
    const fileId = randomId();
    this.files.set(fileId, { name, text: '' });
    this.send({ type: 'export', file_id: fileId });
  }

  /** Takes the cells of an answer out of the notebook, puts them in again, or says that they are kept. */
  changeCells(type: 'undo' | 'redo' | 'keep', turnId: string): void {
    this.send({ type, turn_id: turnId });
  }

  send(command: Command): void {
    this.dismissRefusal();
    this.commands.send(command);
  }

  dismissRefusal(): void {
    this.update({ refusal: null });
  }

  private sendIfReady(): void {
    const { link, subject, state } = this.view;
    if (this.isToBeSent && subject && link && !this.blocked && state.about.state === 'ready') {
      this.isToBeSent = false;
      if (!this.busy) { // else it stays in the box, for the user to send
        this.ask('');
      }
    }
  }

  private begin(text: string, subject: Subject | null): void {
    const pending = { text, sentAt: Date.now(), after: this.view.state.turns.at(-1)?.turn_id };
    this.update({ subject, pending, stopping: false, refusal: null, returned: null, mayGoBack: false });
  }

  private onAck(ack: Ack): void {
    if (!this.commands.settle(ack)) {
      return; // another view's
    }
    const question = this.asked.get(String(ack.of));
    this.asked.delete(String(ack.of));
    if (!ack.ok) {
      this.refuse(ack.message ?? 'The kernel refused it and did not say why.', question);
    }
  }

  private refuse(refusal: string, question?: Question): void {
    this.update({
      refusal,
      pending: null,
      stopping: this.view.stopping && running(this.view.state) !== undefined,
      fetching: [],
      returned: question ?? this.view.returned,
      subject: question?.subject ?? this.view.subject,
    });
  }

  private onLink(link: Link): void {
    const before = this.view.link?.state;
    this.update({ link, hosted: true });
    if (link.state === 'lost') {
      for (const [askId, question] of this.asked) {
        this.asked.delete(askId);
        this.refuse('The kernel stopped before it took the question.', question);
      }
      this.update({ pending: null, stopping: false, fetching: [] });
    } else if (before === 'connecting' && link.state !== 'connecting') {
      this.channel.resync(); // what was sent meanwhile is lost
    }
    this.sendIfReady();
  }

  private onFile({ file_id: fileId, text, left }: File): void {
    const file = this.files.get(fileId);
    if (file) {
      file.text += text;
      if (left === 0) {
        this.files.delete(fileId);
        download(file.name, file.text, 'application/x-ipynb+json');
      }
    }
  }

  private onState(state: State): void {
    const { pending, stopping, fetching } = this.view;
    const last = state.turns.at(-1);
    const runs = running(state) !== undefined;
    const begun = runs || (last !== undefined && last.turn_id !== pending?.after);
    this.root.dataset.instance = state.instance;
    const isGone = (callId: string): boolean =>
      state.turns.some(turn => hasStep(turn, step => step.call_id === callId && step.frame_gone));
    this.update({
      state,
      pending: begun ? null : pending,
      stopping: stopping && (runs || (pending !== null && !begun)),
      fetching: fetching.length > 0 ? fetching.filter(isGone) : fetching,
    });
    this.sendIfReady();
  }

  private update(change: Partial<ViewState>): void {
    this.view = { ...this.view, ...change };
    for (const listener of this.listeners) {
      listener();
    }
  }
}
