/** The commands that the kernel has not acknowledged yet. */
import type { Ack, Command } from '../../shared/wire';

/** A command as it goes out. */
export type Sent = Command & { readonly n: number };

/** Sent a second time these change nothing; any other would be done twice. */
const REPEATABLE: ReadonlySet<string> = new Set(['ask', 'stop']);

export class Outbox {
  private readonly waiting = new Map<string, Sent>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  has(type: Command['type']): boolean {
    return [...this.waiting.values()].some(command => command.type === type);
  }

  put(command: Sent): void {
    this.waiting.set(String(nameOf(command)), command);
  }

  /** Takes out what was acknowledged; false where nothing waited for it. */
  settle(ack: Ack): boolean {
    return this.waiting.delete(String(ack.of));
  }

  /** What may be sent again. */
  repeatable(): readonly Sent[] {
    return [...this.waiting.values()].filter(command => REPEATABLE.has(command.type));
  }

  /** Gives up what waits, or what of it cannot be sent again, and returns the refusals. */
  refuse(message: string, which: 'all' | 'once' = 'all'): readonly Ack[] {
    const refused = [...this.waiting.values()].filter(each => which === 'all' || !REPEATABLE.has(each.type));
    refused.forEach(command => this.waiting.delete(String(nameOf(command))));
    return refused.map(command => refusal(command, message));
  }
}

/** By what the kernel acknowledges a command. */
export function nameOf(command: Sent): string | number {
  return command.type === 'ask' ? command.ask_id : command.n;
}

/** An answer in the kernel's place. */
export function refusal(command: Sent, message: string): Ack {
  return { type: 'ack', of: nameOf(command), ok: false, turn_id: null, message };
}
