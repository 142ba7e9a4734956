/**
 * The few JupyterLab 4 interfaces in use, declared by hand: its own typings are some 480 packages to install.
 *
 * Only what is called stands here. Add what a new plugin needs, under the package that JupyterLab exports it from.
 */

declare module '@lumino/coreutils' {
  /** Names a service; `T` is what its provider hands out. */
  export class Token<T> {
    constructor(name: string, description?: string);
    readonly name: string;
    private readonly _type: T;
  }
}

declare module '@lumino/signaling' {
  export interface ISignal<Sender, Args> {
    connect(slot: (sender: Sender, args: Args) => void): boolean;
    disconnect(slot: (sender: Sender, args: Args) => void): boolean;
  }
}

declare module '@lumino/commands' {
  export class CommandRegistry {
    addCommand(id: string, options: CommandOptions): { dispose(): void };
    notifyCommandChanged(id?: string): void;
  }

  export interface CommandOptions {
    label: string;
    caption?: string;
    execute(args: object): unknown;
    isEnabled?(args: object): boolean;
  }
}

declare module '@jupyterlab/application' {
  import type { CommandRegistry } from '@lumino/commands';
  import type { Token } from '@lumino/coreutils';

  export interface JupyterFrontEnd {
    readonly commands: CommandRegistry;
  }

  export interface JupyterFrontEndPlugin<Provided = void> {
    id: string;
    description?: string;
    autoStart?: boolean;
    requires?: Token<unknown>[];
    optional?: Token<unknown>[];
    provides?: Token<Provided>;
    // Anything: the services come in the order of `requires`, then `optional`, and only that order tells their types.
    activate(app: JupyterFrontEnd, ...services: any[]): Provided | Promise<Provided>;
  }
}

declare module '@jupyterlab/apputils' {
  import type { Token } from '@lumino/coreutils';

  export interface ICommandPalette {
    addItem(item: { command: string; category: string; rank?: number }): { dispose(): void };
  }
  export const ICommandPalette: Token<ICommandPalette>;

  export interface ISessionContext {
    readonly ready: Promise<void>;
    readonly session: { readonly kernel: import('@jupyterlab/services').IKernelConnection | null } | null;
  }

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

declare module '@jupyterlab/notebook' {
  import type { ISessionContext } from '@jupyterlab/apputils';
  import type { Token } from '@lumino/coreutils';
  import type { ISignal } from '@lumino/signaling';

  export interface NotebookPanel {
    readonly id: string;
    readonly sessionContext: ISessionContext;
  }

  export interface INotebookTracker {
    readonly currentWidget: NotebookPanel | null;
    readonly currentChanged: ISignal<INotebookTracker, NotebookPanel | null>;
  }
  export const INotebookTracker: Token<INotebookTracker>;
}

declare module '@jupyterlab/services' {
  export interface IKernelConnection {
    readonly info: Promise<{ readonly language_info: { readonly name: string } }>;
    requestExecute(content: {
      code: string;
      silent?: boolean;
      store_history?: boolean;
      stop_on_error?: boolean;
    }): { readonly done: Promise<{ readonly content: ExecuteReply }> };
  }

  export type ExecuteReply =
    | { readonly status: 'ok' }
    | { readonly status: 'aborted' }
    | { readonly status: 'error'; readonly ename: string; readonly evalue: string };
}
