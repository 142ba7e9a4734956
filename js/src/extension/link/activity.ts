/** What a kernel is executing. */
import type { IKernelConnection, Message, StatusContent } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';

/**
 * Follows the execute requests of a kernel, of whichever client.
 *
 * The kernel's own status says less: the end of any other message (a ping on a subshell) makes it `idle` while a cell
 * runs.
 */
export class Activity {
  readonly changed = new Signal<this, void>(this);

  /** The message that runs; `unknown` where it began before this page was there. */
  private request: string | null;

  constructor(private readonly kernel: IKernelConnection) {
    this.request = kernel.status === 'busy' ? 'unknown' : null;
    kernel.iopubMessage.connect((_, message) => this.onMessage(message), this);
    kernel.statusChanged.connect(() => this.onStatus(), this);
  }

  get isBusy(): boolean {
    return this.request !== null;
  }

  dispose(): void {
    Signal.clearData(this);
  }

  private onMessage({ header, parent_header: parent, content }: Message): void {
    if (parent.msg_type !== 'execute_request') {
      return;
    }
    if (header.msg_type === 'execute_input') {
      this.set(parent.msg_id ?? 'unknown');
    } else if (header.msg_type === 'status' && (content as StatusContent).execution_state === 'idle') {
      this.set(null);
    }
  }

  private onStatus(): void {
    const { status } = this.kernel;
    if (status !== 'busy' && (this.request === 'unknown' || status !== 'idle')) {
      this.set(null);
    }
  }

  private set(request: string | null): void {
    if (request !== this.request) {
      this.request = request;
      this.changed.emit();
    }
  }
}
