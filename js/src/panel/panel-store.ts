/**
 * What one view of the panel shows and does: the conversation as the kernel has it, and what is only this page's own,
 * such as a question that is on its way. Components read `view` and call the methods; every change replaces `view`.
 */
import { initialState, type Ack, type Command, type FilePart, type Frame, type Queued, type State } from '../shared/wire';
import type { Link, Pressed } from '../shared/page';
import { download } from '../shared/download';
import { randomId } from '../shared/random-id';
import type { Language } from '../shared/words/language';
import { Channel, type Model } from './channel';
import { Clock } from './clock';
import { Commands } from './commands';
import { asPng, base64, isTooLarge, kindOf, MOST_MB } from './files';
import { Host } from './host';
import { NoRenderer } from './plotly';
import { hasStep, running } from './state';
import { ofCell, subjectOf, withPicture, wordsOf, type Subject } from './subject';
import { followTheme } from './theme';
import type { TableLook } from './reading';
import { language, speak, words } from './words';

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
  /** Questions that were sent while another ran, until the kernel has them. */
  readonly sending: readonly Queued[];
  /** A stop was asked for, and the turn still runs. */
  readonly stopping: boolean;
  /** Why the kernel refused a command. */
  readonly refusal: string | null;
  /** A question that was refused: its text goes back into the box. */
  readonly returned: Question | null;
  /** A table that was dropped, by the name that it has got: it goes into the box. */
  readonly named: { readonly name: string } | null;
  /** Steps whose data are being fetched again. */
  readonly fetching: readonly string[];
  /** What the next question will be about. */
  readonly subject: Subject | null;
  /** A conversation was left a moment ago, and can be had back. */
  readonly mayGoBack: boolean;
  readonly language: Language;
  /** Another number after each change of the theme. */
  readonly theme: number;
}

const MIME = { ipynb: 'application/x-ipynb+json', md: 'text/markdown' };
const WAY_BACK_MS = 10_000;
/** 2 MB in parts, over a slow link. */
const SCRIPT_MS = 60_000;
/** What the kernel says in a tool's place of a table that was dropped. */
const FILE = 'file';

interface Question {
  readonly text: string;
  readonly subject: Subject | null;
}

export interface Pending {
  readonly askId: string | null;
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
    sending: [],
    stopping: false,
    refusal: null,
    returned: null,
    named: null,
    fetching: [],
    subject: null,
    mayGoBack: false,
    language,
    theme: 0,
  };

  private readonly channel: Channel;
  private readonly commands: Commands;
  private readonly listeners = new Set<() => void>();
  /** The questions that are not yet acknowledged, by `ask_id`. */
  private readonly asked = new Map<string, Question>();
  /** What is to be done once a command is acknowledged, by its name. */
  private readonly afterwards = new Map<string | number, () => void>();
  /** What has come of the files that this view has asked for. */
  private readonly files = new Map<string, { text: string; readonly whole: (text: string) => void }>();
  /** What is to be done where a command is refused that the user has not given, by its name. */
  private readonly refusals = new Map<string | number, () => void>();
  /** The subject is to be asked about as soon as that is possible, without more words. */
  private isToBeSent = false;
  /** A table was sent, and has no name yet. */
  private awaitsFile = false;
  private readonly disposers: (() => void)[] = [];
  private wayBack: number | undefined;

  constructor(
    readonly root: HTMLElement,
    model: Model,
  ) {
    root.lang = language;
    this.host = new Host(root, model.get?.('alone') === true, () => this.script());
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
        pressed: pressed => this.onPressed(pressed),
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
        return words.blocked.lost;
      case 'connecting':
        return words.blocked.connecting;
      default:
        return state.about.state === 'failed'
          ? words.blocked.failed
          : state.about.look
            ? words.blocked.look
            : null;
    }
  }

  /** Asks it now, or has it wait for the end of the running question. */
  ask(text: string): void {
    this.askAbout(this.view.subject, text);
    this.update({ subject: null });
  }

  /** Takes a question out of the queue, back into the box. */
  editQueued(queued: Queued): void {
    this.unqueue(queued, () => this.update({ returned: { text: queued.text, subject: null }, subject: subjectOf(queued) }));
  }

  /** Sends a question that was held back. */
  sendQueued(queued: Queued): void {
    this.unqueue(queued, () => this.askAbout(subjectOf(queued), queued.text));
  }

  removeQueued(queued: Queued): void {
    this.unqueue(queued);
  }

  /** Asks the next question about this; null is about nothing but its words. */
  setSubject(subject: Subject | null): void {
    this.isToBeSent = false;
    this.update({ subject });
  }

  /** Has the kernel say what a question may name. */
  listMentions(): void {
    if (!this.blocked) {
      this.commands.send({ type: 'mentions' });
    }
  }

  /** Takes files in: tables go to the kernel, pictures along with the next question. */
  async takeFiles(files: readonly File[]): Promise<void> {
    this.dismissRefusal();
    for (const file of files) {
      const why = await this.take(file).catch(() => words.refusals.unreadable({ file: file.name }));
      if (why) {
        this.update({ refusal: why });
      }
    }
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
    this.begin(turn?.question ?? '');
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

  /** Has the kernel make a file of a conversation, the one of now or that of the id; the browser saves it under this name. */
  saveConversation(name: string, format: 'ipynb' | 'md', id = ''): void {
    const fileId = randomId();
    this.files.set(fileId, { text: '', whole: text => download(name, text, MIME[format]) });
    this.send({ type: 'export', file_id: fileId, id, format });
  }

  /** Has the kernel send the script that draws charts. Rejects where it does not. */
  private script(): Promise<string> {
    return new Promise((resolve, reject) => {
      const fileId = randomId();
      const fail = (): void => reject(new NoRenderer());
      this.files.set(fileId, { text: '', whole: resolve });
      this.refusals.set(this.commands.send({ type: 'plotly', file_id: fileId }), fail);
      setTimeout(fail, SCRIPT_MS);
    });
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

  /** Why it is not taken, if so. */
  private async take(file: File): Promise<string | null> {
    const { about } = this.view.state;
    const kind = kindOf(file);
    if (kind === 'other') {
      return words.refusals.unknownFile({ file: file.name });
    }
    if (isTooLarge(file)) {
      return words.refusals.tooLarge({ file: file.name, mb: MOST_MB });
    }
    if (kind === 'table') {
      if (this.blocked) {
        return this.blocked;
      }
      this.awaitsFile = true;
      this.commands.send({ type: 'file', name: file.name, data: await base64(file) });
      return null;
    }
    if (!about.sees) {
      return about.is_language_model
        ? words.refusals.seesNot(about)
        : words.refusals.plannerSeesNot;
    }
    const subject = withPicture(this.view.subject, file.name, await base64(await asPng(file)));
    if (typeof subject === 'string') {
      return subject;
    }
    this.setSubject(subject);
    return null;
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

  private askAbout(subject: Subject | null, text: string): void {
    const askId = randomId();
    const { analysis = null, cell = null } = subject ?? {};
    const wasBusy = this.busy;
    this.asked.set(askId, { text, subject });
    if (wasBusy) {
      const queued = { ask_id: askId, text, analysis, cell, held: false };
      this.update({ sending: [...this.view.sending, queued], refusal: null, returned: null });
    } else {
      this.begin(text || (subject?.question ?? ''), askId);
    }
    this.commands.send({ type: 'ask', ask_id: askId, text, analysis, cell });
  }

  private unqueue({ ask_id }: Queued, afterwards?: () => void): void {
    this.dismissRefusal();
    const name = this.commands.send({ type: 'unqueue', ask_id });
    if (afterwards) {
      this.afterwards.set(name, afterwards);
    }
  }

  private begin(text: string, askId: string | null = null): void {
    const pending = { askId, text, sentAt: Date.now(), after: this.view.state.turns.at(-1)?.turn_id };
    this.update({ pending, stopping: false, refusal: null, returned: null, mayGoBack: false });
  }

  /** Of several panels one acts. */
  private onPressed(pressed: Pressed): void {
    if (!this.host.asks()) {
      return;
    }
    if (pressed === 'approve') {
      this.host.approve();
    } else if (this.busy) {
      this.stop();
    }
  }

  private onAck(ack: Ack): void {
    if (!this.commands.settle(ack)) {
      return; // another view's
    }
    const question = this.asked.get(String(ack.of));
    const afterwards = this.afterwards.get(ack.of);
    this.asked.delete(String(ack.of));
    this.afterwards.delete(ack.of);
    const refused = this.refusals.get(ack.of);
    if (ack.ok) {
      afterwards?.();
    } else if (refused) {
      refused();
    } else {
      this.refuse(ack.message ?? words.refusals.noReason, question);
    }
  }

  private refuse(refusal: string, question?: Question): void {
    this.awaitsFile = false;
    this.update({
      refusal,
      pending: null,
      sending: this.view.sending.filter(({ ask_id }) => this.asked.has(ask_id)),
      stopping: this.view.stopping && running(this.view.state) !== undefined,
      fetching: [],
      returned: question ?? this.view.returned,
      subject: question?.subject ?? this.view.subject,
    });
  }

  private onLink(link: Link): void {
    const { link: last, language: spoken } = this.view;
    speak(link.language ?? language);
    this.root.lang = language;
    this.update({ link, hosted: true, language });
    if (link.state === 'lost') {
      this.takeBack();
      this.update({ pending: null, stopping: false, fetching: [] });
    } else if (spoken !== language || (last?.state === 'connecting' && link.state !== 'connecting')) {
      this.channel.resync(); // the kernel has words of its own; what was sent meanwhile is lost
    }
    this.sendIfReady();
  }

  /** The kernel has gone: what it has not taken, and what waited there, goes back into the box, of one panel only. */
  private takeBack(): void {
    const { state } = this.view;
    const waited = this.host.asks() ? state.queue.map(each => ({ text: wordsOf(each), subject: subjectOf(each) })) : [];
    const questions = [...waited, ...this.asked.values()];
    this.asked.clear();
    this.afterwards.clear();
    if (questions.length > 0) {
      const subject = questions.find(each => each.subject)?.subject ?? null;
      const text = questions.map(each => each.text).filter(Boolean).join('\n');
      const { stoppedWithQueue, stoppedWithQuestion } = words.refusals;
      this.refuse(waited.length > 0 ? stoppedWithQueue : stoppedWithQuestion, { text, subject });
    }
    this.update({ state: { ...state, queue: [] } });
  }

  private onFile({ file_id: fileId, text, left }: FilePart): void {
    const file = this.files.get(fileId);
    if (file) {
      file.text += text;
      if (left === 0) {
        this.files.delete(fileId);
        file.whole(file.text);
      }
    }
  }

  private onState(state: State): void {
    const { pending, stopping, fetching, sending, state: before } = this.view;
    const isNew = ({ key, fetched_at }: Frame): boolean =>
      before.frames.every(each => each.key !== key || each.fetched_at !== fetched_at);
    const taken = this.awaitsFile ? state.frames.find(each => each.source === FILE && isNew(each)) : undefined;
    this.awaitsFile &&= !taken;
    const waits = (askId: string | null | undefined): boolean => state.queue.some(({ ask_id }) => ask_id === askId);
    const last = state.turns.at(-1);
    const runs = running(state) !== undefined;
    const begun = runs || (last !== undefined && last.turn_id !== pending?.after);
    this.root.dataset.instance = state.instance;
    const isGone = (callId: string): boolean =>
      state.turns.some(turn => hasStep(turn, step => step.call_id === callId && step.frame_gone));
    this.update({
      state,
      named: taken ? { name: taken.key } : this.view.named,
      pending: begun || waits(pending?.askId) ? null : pending,
      sending: sending.filter(({ ask_id }) => this.asked.has(ask_id) && !waits(ask_id)),
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
