/** Commands to the kernel: through the extension where there is one, else on the panel's own channel. */
import { PROTOCOL, type Ack, type Command } from '../shared/wire';
import type { Host } from './host';
import type { Model } from './channel';

/** Pages that share a model must not take each other's acknowledgements for their own. */
let lastN = Math.floor(Math.random() * 2 ** 40);

export class Commands {
  /** The `ask_id` or `n` of the commands that were not refused: other views and pages send some as well. */
  private readonly ours = new Set<string | number>();

  constructor(
    private readonly host: Host,
    private readonly model: Model,
  ) {}

  /** Sends a command; returns the name under which it will be acknowledged. */
  send(command: Command): string | number {
    const { taken, n } = this.host.command(command);
    const name = command.type === 'ask' ? command.ask_id : (n ?? ++lastN);
    this.ours.add(name);
    if (!taken) {
      const rest = command.type === 'ask' ? {} : { n: name };
      this.model.send({ v: PROTOCOL, ...command, ...rest });
    }
    return name;
  }

  /** Whether the acknowledgement is for a command of this view. What was taken may be refused later. */
  settle(ack: Ack): boolean {
    return ack.ok ? this.ours.has(ack.of) : this.ours.delete(ack.of);
  }

  /** Hears the acknowledgements among the model's messages. */
  listen(onAck: (ack: Ack) => void): () => void {
    const receive = (message: unknown): void => {
      const { type } = message as { readonly type: string };
      if (type === 'ack') {
        onAck(message as Ack);
      }
    };
    this.model.on('msg:custom', receive);
    return () => this.model.off('msg:custom', receive);
  }
}
