/** What crosses the wire. Written by scripts/wire_types.py from qdash_jupyter/domain/wire: change it there. */

export const PROTOCOL = 1;

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** What is in use, or why nothing is. */
export interface About {
  readonly state: 'connecting' | 'ready' | 'failed';
  readonly database: string;
  /** Its id; empty where none is chosen. */
  readonly chip: string;
  /** That of the chip. */
  readonly project: string;
  readonly qubits: number;
  readonly model: string;
  readonly endpoint: string;
  readonly is_language_model: boolean;
  /** Whether pictures are sent to the model. */
  readonly sees: boolean;
  /** Values of the database that could not be read. */
  readonly problems: number;
  /** Where code of the model runs, and what confines it. */
  readonly code: string;
  /** What the settings say before the first question. */
  readonly greeting: string;
  readonly models: readonly ModelChoice[];
  /** Nothing is asked before it was agreed to. */
  readonly look: Look | null;
  /** Of the project, or of all projects where none is set; empty where there are too many to choose from. */
  readonly chips: readonly ChipChoice[];
  readonly issues: readonly Issue[];
  readonly message: string;
  readonly hint: string;
}

/** A command was taken or refused. */
export interface Ack {
  readonly type: 'ack';
  /** The `ask_id` of a question, the `n` of any other command. */
  readonly of: string | number;
  readonly ok: boolean;
  readonly turn_id: string | null;
  /** Why it was refused. */
  readonly message: string | null;
}

/** The cells of a turn in the notebook. */
export interface AddedCells {
  readonly count: number;
  /** Id of the first of them. */
  readonly first: string;
  /** `unseen`: they ran in the kernel, without standing in a notebook. */
  readonly state: 'added' | 'kept' | 'undone' | 'unseen';
  /** What became otherwise than one expects; empty when all is well. */
  readonly note: string;
}

/** A cell that the notebook's metadata say is the copilot's, and that nobody has edited since. */
export interface AgentCell {
  readonly cell_id: string;
  readonly code: string;
}

/** The user has seen what goes to this endpoint. */
export interface Agree {
  readonly n?: number;
  readonly type: 'agree';
  readonly endpoint: string;
}

/** The data of the announcing comm: the copilot is loaded. */
export interface Announcement {
  readonly instance: string;
  readonly version: string;
}

/** Code that waits for a yes or no, or has got one. `hash` is that of the step's code. `runs` is where it would run: in the copilot's confined session, in the user's kernel, or as a call of a tool. */
export interface Approval {
  readonly proposal_id: string;
  readonly hash: string;
  readonly runs: 'session' | 'kernel' | 'tool';
  readonly effects: readonly EffectInWords[];
  readonly state: 'asked' | 'approved' | 'rejected' | 'edited';
  readonly by: string;
  readonly reason: string;
}

/** A question, typed into the panel. About a result or a cell it may have no words. */
export interface Ask {
  readonly type: 'ask';
  readonly ask_id: string;
  readonly text: string;
  readonly analysis?: ChosenResult | null;
  readonly cell?: ChosenCell | null;
}

export type Assessment = 'good' | 'warning' | 'bad';

/** The number of the last message, sent a few times when nothing more has come for a while. */
export interface Beat {
  readonly type: 'beat';
  readonly seq: number;
}

export type Block = SubjectBlock | ThoughtBlock | StepBlock | TextBlock | ChartBlock | ImageBlock | TableBlock | EditBlock | ErrorBlock;

/** Replaces the block of that id, or adds one at the end. */
export interface BlockOp {
  readonly op: 'block';
  readonly turn_id: string;
  readonly block: Block;
}

/** The user has deleted the cell before it ended. */
export interface CellDeleted {
  readonly type: 'cell_deleted';
  readonly req_id: string;
  readonly cell_id?: string;
}

/** Whether the change of a cell is written: not in one that has another text by now, or is gone. */
export interface CellEdited {
  readonly type: 'cell_edited';
  readonly n: number;
  readonly outcome: 'written' | 'changed' | 'gone';
}

/** The cell is in the notebook. */
export interface CellInserted {
  readonly type: 'cell_inserted';
  readonly req_id: string;
  readonly cell_id: string;
  readonly index?: number;
}

export type CellMessage = RunCell | CellOutputs | RemoveCell | SetOutputs | EndTurn | TakeOut | PutIn | EditCell;

/** What a cell of the copilot's shows. A page that has heard `n` - 1 before replaces its outputs from `unchanged` on, any other all of them, where it is told all. */
export interface CellOutputs {
  readonly type: 'cell_outputs';
  readonly cell_id: string;
  /** 1, 2, … for this cell. */
  readonly n: number;
  readonly state: 'waiting' | 'running' | 'ended';
  /** What an interrupt of the kernel reaches, and what it does not. */
  readonly runs_in: 'session' | 'kernel';
  /** Which of the cell's outputs the first one here is; 0 in the message in which it has ended. */
  readonly first: number;
  /** So many of the cell's outputs are as they were told before; `first` or more. */
  readonly unchanged: number;
  /** In the form of nbformat. */
  readonly outputs: readonly JsonObject[];
  readonly execution_count: number | null;
  /** What the end of its text becomes, unless somebody has changed it; null: it stays. */
  readonly rewritten: Rewritten | null;
  /** Names that it has bound in the session alone. */
  readonly stays: readonly string[];
  /** Ids of the earlier cells, in order, that have to run in the kernel before it could. */
  readonly needs: readonly string[];
}

export type CellReport = CellInserted | CellDeleted | CellsTaken | CellEdited;

/** These cells of a turn are out of the notebook, or in it again; those stay as they are. */
export interface CellsTaken {
  readonly type: 'cells_taken';
  readonly n: number;
  readonly taken?: readonly string[];
  readonly left?: readonly string[];
}

/** Take the cells of a turn out of the notebook, put them in again, or leave them and say no more of it. */
export interface ChangeCells {
  readonly n?: number;
  readonly type: 'undo' | 'redo' | 'keep';
  readonly turn_id: string;
}

/** A chart of the answer. */
export interface ChartBlock {
  readonly id: string;
  readonly kind: 'chart';
  readonly figure: Figure;
  readonly title: string;
  /** Draws the same in a cell of the notebook; empty where nobody wrote such. */
  readonly code: string;
}

/** A chip of the database. */
export interface ChipChoice {
  readonly id: string;
  readonly project: string;
  readonly qubits: number;
  readonly status: string;
  readonly current: boolean;
}

/** The cell that a question is about, with the text that it shows. */
export interface ChosenCell {
  /** Its place: `[7]`. */
  readonly label: string;
  readonly code: string;
  readonly output: string;
  /** PNG as base64. */
  readonly pictures?: readonly string[];
  /** Why something is not among them. */
  readonly left_out?: readonly string[];
  readonly cell_id?: string;
  /** It failed, and is to be mended. */
  readonly fix?: boolean;
  /** `code` are lines that the user selected, `label` says in what. */
  readonly selected?: boolean;
}

/** The result that a question is about. */
export interface ChosenResult {
  readonly task: string;
  readonly qid: string;
  readonly execution_id?: string | null;
  readonly task_id?: string | null;
}

/** The first words of a page: who it is, and which notebook it shows. */
export interface ClientOpened {
  readonly client_id: string;
  readonly path?: string;
  /** Id, from the notebook's metadata. */
  readonly conversation?: string | null;
  readonly agent_cells?: readonly AgentCell[];
  /** Those of the user in JupyterLab, as in copilot.yaml. */
  readonly settings?: { readonly [name: string]: JsonValue };
  /** Of its words: `en`, `ja`; of an older page it is empty. */
  readonly language?: string;
}

export type Command = Ask | DropFile | Unqueue | Stop | New | UndoNew | Fetch | LookAtData | Refresh | Discard | Retry | Find | ListMentions | ListConversations | Resume | Rename | Delete | Export | LoadPlotly | FindModels | UseModel | UseChip | Agree | ChangeCells | DecideEdit | Decide | Revoke | SignIn;

/** What questions in one language are completed with, without asking the kernel. */
export interface Completion {
  readonly language: string;
  /** The question that lists all that can be asked. */
  readonly help: string;
  /** Words without a meaning. */
  readonly fillers: readonly string[];
  /** The parts of each form, which can stand in any order; the usual forms first. */
  readonly forms: readonly (readonly (readonly FormPiece[])[])[];
  /** The words of each list, each with its synonyms. Those of `qubit` and `coupling` are mentions, `number` is any. */
  readonly words: { readonly [name: string]: readonly (readonly string[])[] };
}

/** Those that are kept. */
export interface Conversations {
  /** What they were looked for by. */
  readonly words: string;
  readonly state: 'reading' | 'ready' | 'failed';
  /** Newest first. */
  readonly rows: readonly Kept[];
  readonly message: string;
}

/** Approve code that waits, or reject or edit it; `hash` is that of the code that was shown. */
export interface Decide {
  readonly n?: number;
  readonly type: 'decide';
  readonly proposal_id: string;
  readonly hash: string;
  readonly verdict: 'approved' | 'rejected' | 'edited';
  /** All calls of this tool in this conversation. */
  readonly standing?: boolean;
  readonly reason?: string;
  readonly code?: string;
}

/** Write the change of a cell that was proposed, or leave the cell as it is. */
export interface DecideEdit {
  readonly n?: number;
  readonly type: 'accept_edit' | 'reject_edit';
  readonly turn_id: string;
  readonly edit_id: string;
}

/** Forget a conversation for good. */
export interface Delete {
  readonly n?: number;
  readonly type: 'delete';
  readonly id: string;
}

/** A line of a change; `gap` stands for lines that stay and are left out. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap';
  readonly text: string;
}

/** Delete a stored result. */
export interface Discard {
  readonly n?: number;
  readonly type: 'discard';
  readonly key: string;
}

/** A table that the user dropped on the panel: CSV or Parquet. */
export interface DropFile {
  readonly n?: number;
  readonly type: 'file';
  readonly name: string;
  /** As base64. */
  readonly data: string;
}

/** Removes a block. */
export interface DropOp {
  readonly op: 'drop';
  readonly turn_id: string;
  readonly block_id: string;
}

/** A change of a cell that is proposed. */
export interface EditBlock {
  readonly id: string;
  readonly kind: 'edit';
  readonly edit_id: string;
  /** Empty where no notebook has the cell. */
  readonly cell_id: string;
  /** Its place: `[7]`. */
  readonly label: string;
  readonly why: string;
  readonly lines: readonly DiffLine[];
  /** The whole new text. */
  readonly after: string;
  readonly state: EditState;
}

/** Write this text into a cell that still has that one, and say what came of it: `cell_edited`. */
export interface EditCell {
  readonly type: 'edit_cell';
  readonly n: number;
  readonly cell_id: string;
  readonly before: string;
  readonly after: string;
}

export type EditState = 'proposed' | 'written' | 'rejected' | 'changed' | 'gone';

/** What code would do beyond reading and computing: `calls awg.output_on()`; `note` may be empty. */
export interface EffectInWords {
  readonly does: string;
  readonly what: string;
  readonly kind: string;
  readonly note: string;
}

/** The turn has ended: its cells are ordinary ones from now on, and this stands above them. */
export interface EndTurn {
  readonly type: 'end_turn';
  readonly turn_id: string;
  readonly heading: string | null;
}

/** Why there is no answer. */
export interface ErrorBlock {
  readonly id: string;
  readonly kind: 'error';
  readonly title: string;
  readonly hint: string;
}

/** Send a conversation as a notebook or as Markdown, in `file` messages of this `file_id`. */
export interface Export {
  readonly n?: number;
  readonly type: 'export';
  readonly file_id: string;
  /** Of a kept conversation; empty: the one that goes on. */
  readonly id?: string;
  readonly format?: 'ipynb' | 'md';
}

/** Call the tool of a restored step again. */
export interface Fetch {
  readonly n?: number;
  readonly type: 'fetch';
  readonly turn_id: string;
  readonly call_id: string;
}

/** A figure of Plotly. */
export interface Figure {
  readonly data: readonly JsonObject[];
  readonly layout: JsonObject;
}

/** A part of the file that a view has asked for by `export` or `plotly`; the others let it pass. */
export interface FilePart {
  readonly type: 'file';
  readonly file_id: string;
  readonly text: string;
  /** So many parts follow. */
  readonly left: number;
}

/** List the newest results that fit these words: of a task, a qubit or coupling, a status. */
export interface Find {
  readonly n?: number;
  readonly type: 'find';
  readonly words?: string;
}

/** Look for servers of models on this machine: nothing is sent to any of them before. */
export interface FindModels {
  readonly n?: number;
  readonly type: 'find_models';
}

/** Words of a form, or a slot in it. */
export interface FormPiece {
  /** Of a slot what is in it unless another is chosen; empty where it may stay empty. */
  readonly text: string;
  /** The list of words that fit the slot; empty for words that stay. */
  readonly words: string;
}

/** A stored table, or the main one of a result that a restored step had. */
export interface Frame {
  readonly key: string;
  /** Its name in the result; empty where that is gone. */
  readonly table: string;
  readonly main: boolean;
  readonly rows: number;
  readonly columns: readonly string[];
  readonly units: { readonly [name: string]: string };
  /** The tool. */
  readonly source: string;
  /** The call as one writes it: `get_chip_summary()`. */
  readonly call: string;
  readonly fetched_at: number;
  /** What came of fetching it again; empty where it never was. */
  readonly note: string;
  readonly gone: boolean;
  /** It is being fetched again. */
  readonly fetching: boolean;
}

/** The kernel's words about itself, after a page's opening and whenever one of them changes. */
export interface Hello {
  readonly type: 'hello';
  readonly instance: string;
  readonly version: string;
  /** Null where the panel cannot be shown; then `problem` says why. */
  readonly model_id: string | null;
  readonly problem: string | null;
  /** To be noted in the notebook. */
  readonly conversation: string | null;
  /** Who interrupts the agent's cell on Stop: `page` where commands cannot reach a busy kernel. */
  readonly interrupts: 'kernel' | 'page';
}

/** A picture that a cell drew; `data` in base64. */
export interface ImageBlock {
  readonly id: string;
  readonly kind: 'image';
  readonly mime: string;
  readonly data: string;
}

/** Something that could not be prepared, and why. */
export interface Issue {
  readonly stage: 'connect' | 'tools' | 'skills' | 'context' | 'prompt';
  readonly name: string;
  readonly message: string;
  /** Whether something that was asked for is missing altogether. */
  readonly hard: boolean;
}

export type JsonValue = Json;

/** A conversation on disk. */
export interface Kept {
  readonly id: string;
  readonly title: string;
  /** Seconds since 1970. */
  readonly changed_at: number;
  readonly notebook: string;
  readonly chip: string;
  /** What was asked or answered there with a word that was looked for; empty where the title has it. */
  readonly snippet: string;
  /** Its turn. */
  readonly turn_id: string;
}

export type KernelMessage = Hello | KernelPing | Ack | CellMessage;

/** Is the page there? Yes, the kernel is. */
export interface KernelPing {
  readonly type: 'ping' | 'pong';
  readonly n: number;
}

/** List the conversations that are kept, newest first: those in which all of these words stand. */
export interface ListConversations {
  readonly n?: number;
  readonly type: 'conversations';
  readonly words?: string;
}

/** List what a question may name by `@`. */
export interface ListMentions {
  readonly n?: number;
  readonly type: 'mentions';
}

/** Send the script that draws charts, as base64 of its gzip, in `file` messages of this id. */
export interface LoadPlotly {
  readonly n?: number;
  readonly type: 'plotly';
  readonly file_id: string;
}

/** What goes to a model's server that was not asked before, in words, and what does not. */
export interface Look {
  readonly endpoint: string;
  readonly model: string;
  readonly goes: readonly string[];
  readonly stays: string;
}

/** List the stored tables as they are now, and show the first rows of this one, if one is named. */
export interface LookAtData {
  readonly n?: number;
  readonly type: 'preview';
  readonly key?: string;
  readonly table?: string;
}

/** What a question may name by `@`, and what it is in words. */
export interface Mention {
  readonly name: string;
  readonly kind: 'variable' | 'data' | 'qubit' | 'coupling';
  readonly about: string;
  /** Of a stored result. */
  readonly rows: number | null;
}

/** What a turn was made with. */
export interface Meta {
  readonly model: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

/** A model of the settings. */
export interface ModelChoice {
  readonly name: string;
  readonly label: string;
  readonly endpoint: string;
  /** The one that is asked. */
  readonly asked: boolean;
}

/** Begin an empty conversation. */
export interface New {
  readonly n?: number;
  readonly type: 'new';
}

export type Op = SetOp | TurnOp | BlockOp | TextOp | DropOp;

export type PageMessage = Ask | DropFile | Unqueue | Stop | New | UndoNew | Fetch | LookAtData | Refresh | Discard | Retry | Find | ListMentions | ListConversations | Resume | Rename | Delete | Export | LoadPlotly | FindModels | UseModel | UseChip | Agree | ChangeCells | DecideEdit | Decide | Revoke | SignIn | CellInserted | CellDeleted | CellsTaken | CellEdited | Resync | Ping;

export type PanelMessage = Patch | Snapshot | Beat | FilePart;

/** A cell of the agent's that has run. */
export interface PastCell {
  readonly cell_id: string;
  readonly code: string;
  readonly step: number;
  readonly purpose: string;
  readonly outputs: readonly JsonObject[];
  readonly execution_count: number | null;
}

/** Changes, to be made in their order. */
export interface Patch {
  readonly type: 'patch';
  readonly seq: number;
  readonly ops: readonly Op[];
}

/** A page asks whether the kernel hears it, or answers the same. */
export interface Ping {
  readonly type: 'ping' | 'pong';
  readonly n?: number;
  readonly running?: number;
}

/** The first rows of a stored table: at most 20 of 12 columns, long cells cut. */
export interface Preview {
  readonly key: string;
  readonly table: string;
  readonly state: 'reading' | 'ready' | 'failed';
  /** With their units. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Json[])[];
  readonly total_rows: number;
  readonly total_columns: number;
  /** Somebody changed it since it was fetched. */
  readonly changed: boolean;
  /** What its call has read: `3,908 documents of task_result_history`. */
  readonly read: readonly string[];
  readonly message: string;
}

/** Insert cells of a turn that have run, and do not run them. */
export interface PutIn {
  readonly type: 'put_in';
  readonly n: number;
  readonly turn_id: string;
  readonly asked_in: string | null;
  readonly setup: readonly string[];
  readonly heading: string | null;
  readonly cells: readonly PastCell[];
}

/** A question that waits for the end of the running one, as it was asked. */
export interface Queued {
  readonly ask_id: string;
  readonly text: string;
  readonly analysis: ChosenResult | null;
  readonly cell: ChosenCell | null;
  /** It stays until the user sends it: the question before it was stopped or failed. */
  readonly held: boolean;
}

/** Fetch the results of these keys again by the same calls; without any, all that went with an earlier kernel. */
export interface Refresh {
  readonly n?: number;
  readonly type: 'refresh';
  readonly keys?: readonly string[];
}

/** Delete a cell that never ran and never will. */
export interface RemoveCell {
  readonly type: 'remove_cell';
  readonly cell_id: string;
}

/** Give a conversation another title; an empty one is its first question again. */
export interface Rename {
  readonly n?: number;
  readonly type: 'rename';
  readonly id: string;
  readonly title?: string;
}

/** One run of a task on a qubit or coupling. */
export interface Result {
  readonly task: string;
  readonly qid: string;
  /** The qubit as people write it. */
  readonly label: string;
  readonly status: string;
  readonly excluded: boolean;
  readonly started: string;
  readonly execution_id: string;
  readonly task_id: string;
  /** Its first outputs, with units. */
  readonly values: readonly string[];
}

/** What was found to choose from. */
export interface Results {
  /** What they were looked for by. */
  readonly words: string;
  readonly state: 'reading' | 'ready' | 'failed';
  /** Newest first. */
  readonly rows: readonly Result[];
  /** There are more than these. */
  readonly more: boolean;
  readonly message: string;
}

/** Go on with this conversation. */
export interface Resume {
  readonly n?: number;
  readonly type: 'resume';
  readonly id: string;
}

/** A view wants the whole state, in the language of its words: `en`, `ja`; of an older one it is empty. */
export interface Resync {
  readonly type: 'resync';
  readonly language?: string;
}

/** Ask the question of a turn again. */
export interface Retry {
  readonly n?: number;
  readonly type: 'retry';
  readonly turn_id: string;
  readonly ask_id?: string | null;
}

/** Take back what was approved for the whole conversation. */
export interface Revoke {
  readonly n?: number;
  readonly type: 'revoke';
  readonly id: string;
}

/** A text in place of another one. */
export interface Rewritten {
  readonly before: string;
  readonly after: string;
}

/** Insert this cell; `cell_outputs` says what it shows. */
export interface RunCell {
  readonly type: 'run_cell';
  readonly req_id: string;
  readonly turn_id: string;
  readonly cell_id: string;
  readonly code: string;
  /** Lines for its top, each unless it stands in the notebook above. */
  readonly setup: readonly string[];
  /** Id of the cell with the question. */
  readonly asked_in: string | null;
  /** Id of a cell that it replaces, unless somebody has changed that. */
  readonly instead_of: string | null;
  /** Markdown for a cell above the first of the turn. */
  readonly heading: string | null;
  /** 1, 2, … in the turn. */
  readonly step: number;
  readonly purpose: string;
}

/** Replaces a field of the state. */
export interface SetOp {
  readonly op: 'set';
  readonly key: string;
  readonly value: Json;
}

/** Replace the outputs of a `%%copilot` cell by these, in the form of nbformat. */
export interface SetOutputs {
  readonly type: 'set_outputs';
  readonly cell_id: string;
  readonly turn_id: string;
  readonly outputs: readonly JsonObject[];
}

/** The keys that the user typed for the servers of `sign_in`, by variable; none: go on without. */
export interface SignIn {
  readonly n?: number;
  readonly type: 'sign_in';
  readonly keys?: { readonly [name: string]: string };
}

/** A server that wants a key, and the variable in place of which that is kept. The key itself is never shown. */
export interface SignInServer {
  readonly server: string;
  readonly address: string;
  readonly variable: string;
}

/** Everything, on a panel's `resync`. */
export interface Snapshot {
  readonly type: 'snapshot';
  readonly seq: number;
  readonly state: State;
}

/** One read of the database: `count` records of a collection, up to three of their ids. */
export interface SourceInWords {
  readonly collection: string;
  readonly filter: string;
  readonly count: number;
  readonly ids: readonly string[];
}

/** What the newest question took, in tokens of the model; `filled` is the size of its last request and reply. */
export interface Spent {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly filled: number;
  /** Tokens that a request may hold. */
  readonly window: number | null;
  /** The server did not count. */
  readonly estimated: boolean;
  /** In the currency of the settings' prices; empty where they have none. */
  readonly cost: string;
}

/** A tool that was approved for the whole conversation; `id` names it in a `revoke`. */
export interface Standing {
  readonly id: string;
  readonly does: string;
  readonly what: string;
}

/** A question to begin with, and the words of its button. */
export interface Starter {
  readonly label: string;
  readonly prompt: string;
}

/** Everything that the panel shows. */
export interface State {
  readonly v: number;
  readonly instance: string;
  readonly about: About;
  readonly starters: readonly Starter[];
  readonly conversation: string | null;
  readonly frames: readonly Frame[];
  /** By what Python reaches the results: `data`, or `copilot.data` where `data` is the user's; empty where neither is the copilot's. */
  readonly data_name: string;
  /** Null until one was asked for. */
  readonly preview: Preview | null;
  readonly standing: readonly Standing[];
  /** Null where no server waits for a key. */
  readonly sign_in: readonly SignInServer[] | null;
  /** Null before the first question, and where no language model answers. */
  readonly spent: Spent | null;
  /** Null until something was looked for. */
  readonly results: Results | null;
  /** Null until they were looked at. */
  readonly conversations: Conversations | null;
  readonly queue: readonly Queued[];
  /** As they were when they were asked for last. */
  readonly mentions: readonly Mention[];
  /** Empty where a language model answers. */
  readonly completions: readonly Completion[];
  readonly turns: readonly Turn[];
}

/** A call of a tool, with the cell that it ran. */
export interface StepBlock {
  readonly id: string;
  readonly kind: 'step';
  readonly call_id: string;
  readonly label: string;
  readonly about: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly state: 'running' | 'done' | 'failed';
  readonly started_at: number;
  readonly elapsed_s: number | null;
  readonly rows: number | null;
  readonly frame_key: string | null;
  readonly frame_gone: boolean;
  /** Exactly what the model got. */
  readonly sent: string | null;
  /** Where the numbers come from. */
  readonly sources: readonly SourceInWords[];
  readonly error: string | null;
  readonly hint: string | null;
  /** Its cell runs long or takes much memory; in words, while it does. */
  readonly warning: string | null;
  readonly cell_id: string | null;
  readonly cell_state: 'inserted' | 'waiting' | 'running' | 'finished' | null;
  /** `kernel`: it ran without a cell. */
  readonly cell_place: 'notebook' | 'kernel' | null;
  /** As it stands beside the cell, in brackets. */
  readonly cell_number: number | null;
  readonly code: string | null;
  readonly approval: Approval | null;
}

/** Stop the turn; without a `turn_id` whichever runs. */
export interface Stop {
  readonly n?: number;
  readonly type: 'stop';
  readonly turn_id?: string | null;
}

/** The result or the cell that the question is about. */
export interface SubjectBlock {
  readonly id: string;
  readonly kind: 'subject';
  readonly title: string;
  readonly details: string;
  readonly figures: readonly SubjectFigure[];
}

/** A picture of what the question is about; where it was left out, `data` is empty and `left_out` says why. */
export interface SubjectFigure {
  readonly title: string;
  readonly mime: string;
  readonly data: string;
  readonly left_out: string;
}

/** The head of a table. */
export interface TableBlock {
  readonly id: string;
  readonly kind: 'table';
  readonly frame_key: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Json[])[];
  readonly total_rows: number;
}

/** Delete the cells of a turn that nobody has changed, and say which: `cells_taken`. */
export interface TakeOut {
  readonly type: 'take_out';
  readonly n: number;
  readonly turn_id: string;
}

/** Markdown. */
export interface TextBlock {
  readonly id: string;
  readonly kind: 'text';
  readonly text: string;
}

/** Adds to the end of a block's text. */
export interface TextOp {
  readonly op: 'text';
  readonly turn_id: string;
  readonly block_id: string;
  readonly append: string;
}

/** The model's own summary of its reasoning, in Markdown; `elapsed_s` is null while it goes on. */
export interface ThoughtBlock {
  readonly id: string;
  readonly kind: 'thought';
  readonly text: string;
  readonly elapsed_s: number | null;
}

/** A question and its answer. */
export interface Turn {
  readonly turn_id: string;
  readonly question: string;
  /** `waiting`: a cell of it waits for the kernel, or for the user. */
  readonly state: 'thinking' | 'waiting' | 'done' | 'stopped' | 'error';
  readonly status: string;
  readonly status_since: number;
  readonly asked_at: number;
  readonly elapsed_s: number | null;
  readonly assessment: Assessment | null;
  /** Replies to a question back, each a text to be sent as it is. */
  readonly choices: readonly string[];
  /** What each of them stands under; empty where they have no headings. */
  readonly headings: readonly string[];
  /** Questions that one may ask next. */
  readonly next_steps: readonly string[];
  readonly meta: Meta;
  readonly cells: AddedCells | null;
  /** The kernel ended before the turn did. */
  readonly broken_off: boolean;
  /** In the order of reading: steps as they happened, then the answer. */
  readonly blocks: readonly Block[];
}

/** Changes fields of a turn, or adds one without blocks. */
export interface TurnOp {
  readonly op: 'turn';
  readonly turn_id: string;
  readonly set: Partial<Turn>;
}

/** Go back to the conversation before `new`. */
export interface UndoNew {
  readonly n?: number;
  readonly type: 'undo_new';
}

/** Take a question out that waits for the end of another. */
export interface Unqueue {
  readonly n?: number;
  readonly type: 'unqueue';
  readonly ask_id: string;
}

/** This chip is the current one from now on. */
export interface UseChip {
  readonly n?: number;
  readonly type: 'use_chip';
  readonly project: string;
  readonly chip: string;
}

/** Ask this model from now on. */
export interface UseModel {
  readonly n?: number;
  readonly type: 'use_model';
  readonly name: string;
}

/** Of a panel that has heard nothing yet. */
export const initialState: State = {
  "v": 1,
  "instance": "",
  "about": {
    "state": "connecting",
    "database": "",
    "chip": "",
    "project": "",
    "qubits": 0,
    "model": "",
    "endpoint": "",
    "is_language_model": true,
    "sees": false,
    "problems": 0,
    "code": "",
    "greeting": "",
    "models": [],
    "look": null,
    "chips": [],
    "issues": [],
    "message": "",
    "hint": ""
  },
  "starters": [],
  "conversation": null,
  "frames": [],
  "data_name": "data",
  "preview": null,
  "standing": [],
  "sign_in": null,
  "spent": null,
  "results": null,
  "conversations": null,
  "queue": [],
  "mentions": [],
  "completions": [],
  "turns": []
};
