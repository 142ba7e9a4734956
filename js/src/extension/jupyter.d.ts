/**
 * The few JupyterLab 4 interfaces in use, declared by hand: its own typings are some 480 packages to install.
 *
 * Only what is called stands here. Add what a new plugin needs, under the package that JupyterLab exports it from.
 */

/** Where JupyterLab looks for the containers of prebuilt extensions. */
interface Window {
  _JUPYTERLAB?: Record<string, FederatedContainer>;
}

interface FederatedContainer {
  /** Hands over the share scope of module federation: name → version → how to get it. */
  init(scope: Readonly<Record<string, Readonly<Record<string, SharedVersion>>>>): void;
  get(module: string): Promise<() => unknown>;
}

interface SharedVersion {
  readonly loaded?: unknown;
  get(): Promise<() => unknown>;
}

declare module '@jupyterlab/application' {
  import type { CommandRegistry } from '@lumino/commands';
  import type { Token } from '@lumino/coreutils';
  import type { Widget } from '@lumino/widgets';

  export interface IShell {
    /** Notebook 7 knows the areas too, but holds one widget in `main` and drops any other. */
    add(widget: Widget, area: 'main' | 'right' | 'down', options?: { rank?: number }): void;
    activateById(id: string): void;
    readonly currentWidget: Widget | null;
  }

  export interface JupyterFrontEnd {
    readonly commands: CommandRegistry;
    readonly contextMenu: { addItem(item: { command: string; selector: string; rank?: number }): unknown };
    /** `JupyterLab`, `Jupyter Notebook` or the name of another application. */
    readonly name: string;
    readonly shell: IShell;
    hasPlugin(id: string): boolean;
  }

  export interface JupyterFrontEndPlugin<Provided = void> {
    id: string;
    description?: string;
    autoStart?: boolean;
    requires?: Token<unknown>[];
    optional?: Token<unknown>[];
    provides?: Token<Provided>;
    // The services come in the order of `requires`, then `optional`, and only that order tells their types.
    activate(app: JupyterFrontEnd, ...services: unknown[]): Provided | Promise<Provided>;
  }

  /** Brings the side areas back as they were before a reload; Notebook 7 does it in its own way. */
  export interface ILayoutRestorer {
    add(widget: Widget, name: string): void;
  }
  export const ILayoutRestorer: Token<ILayoutRestorer>;
}

declare module '@jupyterlab/apputils' {
  import type { IKernelConnection, KernelStatus } from '@jupyterlab/services';
  import type { Token } from '@lumino/coreutils';
  import type { ISignal } from '@lumino/signaling';
  import type { Widget } from '@lumino/widgets';

  export interface ICommandPalette {
    addItem(item: { command: string; category: string; rank?: number }): { dispose(): void };
  }
  export const ICommandPalette: Token<ICommandPalette>;

  export interface ISessionContext {
    readonly ready: Promise<void>;
    readonly kernelDisplayName: string;
    readonly kernelDisplayStatus: string;
    readonly session: { readonly kernel: IKernelConnection | null } | null;
    readonly kernelChanged: ISignal<ISessionContext, unknown>;
    readonly statusChanged: ISignal<ISessionContext, KernelStatus>;
    readonly connectionStatusChanged: ISignal<ISessionContext, unknown>;
    /** A new kernel of that name in place of the old one, without asking. */
    changeKernel(options: { name: string }): Promise<unknown>;
  }

  export interface DialogButton {
    readonly accept: boolean;
  }

  export class Dialog {
    constructor(options: {
      title: string;
      body: Widget;
      buttons: readonly DialogButton[];
      /** The index of that which has the focus at first. */
      defaultButton?: number;
    });
    static cancelButton(options: { label: string }): DialogButton;
    static okButton(options: { label: string }): DialogButton;
    readonly node: HTMLElement;
    /** Fulfils when it is closed, in whatever way. */
    launch(): Promise<{ readonly button: DialogButton }>;
  }

  export function showErrorMessage(title: string, message: string): Promise<void>;

  interface NotificationOptions {
    /** Milliseconds on the screen; `false` until it is closed; 0, the default, not at all. */
    autoClose?: number | false;
  }

  interface Outcome<Argument> {
    message(argument: Argument): string;
    options?: NotificationOptions;
  }

  export namespace Notification {
    /** A notification that moves from `pending` to `success` or `error`; it returns its id. */
    function promise<Result>(
      promise: Promise<Result>,
      texts: { pending: { message: string; options?: NotificationOptions }; success: Outcome<Result>; error: Outcome<unknown> },
    ): string;
  }
}

declare module '@jupyterlab/coreutils' {
  /** What the server has written into the page: labconfig/page_config.json is part of it. */
  export namespace PageConfig {
    /** An option as text, what is no text as JSON; empty where there is none. */
    function getOption(name: string): string;

    namespace Extension {
      /** By the name of an extension or of one of its plugins. */
      function isDisabled(id: string): boolean;
    }
  }
}

declare module '@jupyterlab/settingregistry' {
  import type { Token } from '@lumino/coreutils';
  import type { ISignal } from '@lumino/signaling';

  export interface ISettings {
    /** What differs from the defaults. */
    readonly user: Readonly<Record<string, unknown>>;
    readonly changed: ISignal<ISettings, void>;
  }

  export interface ISettingRegistry {
    /** Rejects where the server has no schema of that plugin. */
    load(plugin: string): Promise<ISettings>;
  }
  export const ISettingRegistry: Token<ISettingRegistry>;
}

declare module '@jupyterlab/translation' {
  import type { Token } from '@lumino/coreutils';

  export interface ITranslator {
    /** `en`, `ja_JP` or `ja-JP`. */
    readonly languageCode: string;
  }
  export const ITranslator: Token<ITranslator>;
}

declare module '@jupyterlab/ui-components' {
  import type { Widget } from '@lumino/widgets';

  /** An icon of JupyterLab's own look, told by its SVG. */
  export class LabIcon {
    constructor(options: { name: string; svgstr: string });
    render(host: HTMLElement): void;
  }

  /** A button of a toolbar that looks and says what its command does. */
  export const CommandToolbarButton: new (options: { commands: object; id: string; label: string }) => Widget;
}

declare module '@jupyterlab/codemirror' {
  import type { Token } from '@lumino/coreutils';

  export interface IEditorLanguage {
    readonly name: string;
  }

  export interface IEditorLanguageRegistry {
    /** By a name, an alias, an extension or a MIME type; plain text where none fits. */
    findBest(language: string): IEditorLanguage | null;
    /** Adds the code to the node, in spans with the classes of the editors' colours. */
    highlight(code: string, language: IEditorLanguage | null, node: HTMLElement): Promise<void>;
  }
  export const IEditorLanguageRegistry: Token<IEditorLanguageRegistry>;
}

declare module '@jupyterlab/codeeditor' {
  export interface Position {
    readonly line: number;
    readonly column: number;
  }

  export interface CodeEditor {
    readonly model: { readonly sharedModel: { getSource(): string } };
    hasFocus(): boolean;
    /** From the first to the last character, however it was made. */
    getSelection(): { readonly start: Position; readonly end: Position };
    getOffsetAt(position: Position): number;
  }
}

declare module '@jupyterlab/rendermime' {
  import type { Widget } from '@lumino/widgets';

  export type MimeBundle = Readonly<Record<string, unknown>>;

  export interface Renderer extends Widget {
    renderModel(model: { readonly data: MimeBundle }): Promise<void>;
  }

  export interface RenderMimeRegistry {
    readonly mimeTypes: readonly string[];
    readonly latexTypesetter: { typeset(node: HTMLElement): void } | null;
    createModel(options: { data: MimeBundle; trusted: boolean }): { readonly data: MimeBundle };
    createRenderer(mimeType: string): Renderer;
  }
}

declare module '@jupyterlab/cells' {
  import type { ISessionContext } from '@jupyterlab/apputils';
  import type { CodeEditor } from '@jupyterlab/codeeditor';
  import type { ExecuteReply, IKernelFuture } from '@jupyterlab/services';
  import type { ISignal } from '@lumino/signaling';
  import type { Widget } from '@lumino/widgets';

  export type Metadata = Readonly<Record<string, unknown>>;

  export interface CellModel {
    readonly id: string;
    readonly type: 'code' | 'markdown' | 'raw';
    readonly isDisposed: boolean;
    readonly sharedModel: {
      readonly changed: ISignal<unknown, { readonly sourceChange?: unknown }>;
      getSource(): string;
      setSource(source: string): void;
      /** Replaces what is between two offsets; the cell's undo takes it back. */
      updateSource(start: number, end: number, value: string): void;
    };
    readonly metadataChanged: ISignal<CellModel, unknown>;
    getMetadata(key: string): unknown;
    setMetadata(key: string, value: unknown): void;
  }

  export interface CodeCellModel extends CellModel {
    readonly type: 'code';
    executionCount: number | null;
    /** Since JupyterLab 4.3. */
    executionState: 'idle' | 'running';
    readonly outputs: Outputs;
    readonly sharedModel: CellModel['sharedModel'] & {
      /** Replaces the outputs from `start` to `end`, which is excluded. */
      updateOutputs(start: number, end: number, outputs: readonly object[]): void;
    };
  }

  export interface Outputs {
    readonly length: number;
    get(index: number): Output;
    /** Appends to the output before, where the one it had before as the last was printed by the same stream. */
    add(output: object): number;
    set(index: number, output: object): void;
    fromJSON(outputs: readonly object[]): void;
  }

  export interface Output {
    readonly metadata: Metadata;
    /** Of printed text. */
    readonly streamText?: {
      readonly text: string;
      insert(index: number, text: string): void;
      remove(start: number, end: number): void;
    };
    /** As nbformat has it; text is one string. */
    toJSON(): object;
  }

  export class Cell extends Widget {
    readonly model: CellModel;
    /** None while it is not drawn. */
    readonly editor: CodeEditor | null;
    /** When its parts are there, the footer among them: it is out of sight until then. */
    readonly ready: Promise<void>;
  }

  export class CodeCell extends Cell {
    override readonly model: CodeCellModel;
    readonly outputArea: { readonly future: IKernelFuture | null | undefined };
    /** Fulfils with nothing where there is no kernel, rejects where the kernel goes away before it has answered. */
    static execute(
      cell: CodeCell,
      sessionContext: ISessionContext,
      metadata?: { deletedCells?: string[]; recordTiming?: boolean },
    ): Promise<{ readonly content: ExecuteReply } | undefined>;
  }
}

declare module '@jupyterlab/notebook' {
  import type { ISessionContext } from '@jupyterlab/apputils';
  import type { Cell, CellModel, Metadata } from '@jupyterlab/cells';
  import type { RenderMimeRegistry } from '@jupyterlab/rendermime';
  import type { Token } from '@lumino/coreutils';
  import type { ISignal } from '@lumino/signaling';
  import type { Widget } from '@lumino/widgets';

  export interface NotebookModel {
    readonly sharedModel: {
      getMetadata(key: string): unknown;
      setMetadata(key: string, value: unknown): void;
      insertCell(index: number, cell: NewCell): void;
      insertCells(index: number, cells: readonly NewCell[]): void;
      deleteCell(index: number): void;
    };
    readonly deletedCells: string[];
    readonly readOnly: boolean;
    readonly cells: Iterable<CellModel> & { readonly changed: ISignal<unknown, unknown> };
  }

  /** A cell of nbformat, as far as one is needed. */
  export interface NewCell {
    readonly cell_type: 'code' | 'markdown';
    readonly id?: string;
    readonly source: string;
    readonly metadata: Metadata;
    readonly outputs?: readonly unknown[];
    readonly execution_count?: number | null;
  }

  export interface Notebook extends Widget {
    readonly model: NotebookModel | null;
    readonly modelChanged: ISignal<Notebook, void>;
    readonly mode: 'command' | 'edit';
    readonly notebookConfig: { readonly recordTiming: boolean };
    readonly rendermime: RenderMimeRegistry;
    /** Every cell in order, also those that are not in the document because the reader is elsewhere. */
    readonly widgets: readonly Cell[];
    readonly activeCell: Cell | null;
    activeCellIndex: number;
    /** What scrolls. */
    readonly outerNode: HTMLElement;
    deselectAll(): void;
    scrollToItem(index: number, align?: 'auto' | 'smart' | 'center' | 'start' | 'end'): Promise<void>;
  }

  export interface NotebookPanel extends Widget {
    readonly content: Notebook;
    readonly toolbar: {
      /** False where there is none of the first name. */
      insertBefore(at: string, name: string, widget: Widget): boolean;
    };
    /** When its toolbar is filled. */
    readonly revealed: Promise<void>;
    readonly context: {
      readonly path: string;
      readonly localPath: string;
      readonly contentsModel: { readonly writable: boolean } | null;
      readonly pathChanged: ISignal<unknown, string>;
    };
    readonly sessionContext: ISessionContext;
  }

  export namespace NotebookActions {
    /** Whoever has cells executed in a notebook: the user, another extension. */
    const executionScheduled: ISignal<unknown, { readonly cell: Cell }>;
    const executed: ISignal<unknown, { readonly cell: Cell; readonly notebook: Notebook; readonly success: boolean }>;
    /** As when the user selects them and presses Shift+Enter. */
    function runCells(notebook: Notebook, cells: readonly Cell[], sessionContext: ISessionContext): Promise<boolean>;
  }

  export interface INotebookTracker {
    readonly currentWidget: NotebookPanel | null;
    readonly currentChanged: ISignal<INotebookTracker, NotebookPanel | null>;
    readonly widgetAdded: ISignal<INotebookTracker, NotebookPanel>;
    forEach(visit: (panel: NotebookPanel) => void): void;
  }
  export const INotebookTracker: Token<INotebookTracker>;
}

declare module '@jupyterlab/services' {
  import type { ISignal } from '@lumino/signaling';

  export type KernelStatus = 'unknown' | 'starting' | 'idle' | 'busy' | 'terminating' | 'restarting' | 'autorestarting' | 'dead';

  export interface Header {
    readonly msg_id: string;
    readonly msg_type: string;
  }

  export interface Message {
    readonly header: Header;
    readonly parent_header: Partial<Header>;
    readonly content: unknown;
  }

  /** Of a `status` message. */
  export interface StatusContent {
    readonly execution_state?: string;
  }

  export interface IKernelFuture {
    readonly msg: { readonly header: Header };
  }

  export interface CommMessage {
    readonly content: { readonly data: unknown };
  }

  export interface IComm {
    readonly commId: string;
    readonly isDisposed: boolean;
    onMsg: (message: CommMessage) => void;
    onClose: (message: CommMessage) => void;
    /** Since JupyterLab 4.4; each assignment starts a subshell of the kernel. */
    commsOverSubshells?: 'disabled' | 'perComm' | 'perCommTarget';
    readonly subshellId?: string | null;
    /** Never fulfilled by a kernel without subshells. */
    readonly subshellStarted?: Promise<void>;
    open(data: object): unknown;
    send(data: object): unknown;
    close(): unknown;
    dispose(): void;
  }

  type CommTarget = (comm: IComm, message: CommMessage) => void;

  export interface IKernelConnection {
    readonly clientId: string;
    readonly name: string;
    readonly username: string;
    readonly status: KernelStatus;
    readonly connectionStatus: 'connected' | 'connecting' | 'disconnected';
    readonly isDisposed: boolean;
    /** False for a second connection of a page to one kernel: two could not share the comms. */
    readonly handleComms: boolean;
    readonly supportsSubshells?: boolean;
    readonly statusChanged: ISignal<IKernelConnection, KernelStatus>;
    readonly connectionStatusChanged: ISignal<IKernelConnection, 'connected' | 'connecting' | 'disconnected'>;
    readonly iopubMessage: ISignal<IKernelConnection, Message>;
    readonly anyMessage: ISignal<IKernelConnection, { readonly msg: Message }>;
    readonly info: Promise<{ readonly language_info: { readonly name: string } }>;
    createComm(target: string): IComm;
    registerCommTarget(target: string, handler: CommTarget): void;
    removeCommTarget(target: string, handler: CommTarget): void;
    requestCommInfo(content: { target_name: string }): Promise<unknown>;
    requestListSubshell?(content: object): { readonly done: Promise<unknown> };
    requestDeleteSubshell?(content: { subshell_id: string }): unknown;
    sendControlMessage(message: object, expectReply: boolean): { readonly done: Promise<unknown> };
    interrupt(): Promise<void>;
    requestExecute(content: { code: string; silent: boolean; store_history: boolean; stop_on_error: boolean }): {
      readonly done: Promise<{ readonly content: ExecuteReply }>;
    };
  }

  export type ExecuteReply = { readonly execution_count?: number | null } & (
    | { readonly status: 'ok' }
    | { readonly status: 'aborted' }
    | { readonly status: 'error'; readonly ename: string; readonly evalue: string }
  );

  export namespace KernelMessage {
    function createMessage(options: {
      channel: 'control';
      msgType: 'comm_info_request';
      content: { target_name: string };
      session: string;
      username: string;
    }): object;
  }
}
