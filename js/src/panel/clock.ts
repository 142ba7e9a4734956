/** Elapsed times of the kernel's moments, although its clock and this page's may differ. */
import type { Op } from './wire';

export class Clock {
  /** How far this page's clock is ahead of the kernel's, and the quickest message's time on the way. */
  private ahead_ms: number | null = null;

  /** Learns from moments that have only just passed when a patch brings them. */
  observe(ops: readonly Op[]): void {
    for (const op of ops) {
      if (op.op === 'turn') {
        this.learn(op.set.status_since);
      } else if (op.op === 'block' && op.block.kind === 'step' && op.block.state === 'running') {
        this.learn(op.block.started_at);
      }
    }
  }

  /** Whole seconds since then. */
  seconds(since_ms: number): number {
    return Math.max(0, Math.floor((Date.now() - (this.ahead_ms ?? 0) - since_ms) / 1000));
  }

  private learn(moment_ms: number | null | undefined): void {
    if (typeof moment_ms === 'number') {
      const ahead_ms = Date.now() - moment_ms;
      this.ahead_ms = this.ahead_ms === null ? ahead_ms : Math.min(this.ahead_ms, ahead_ms);
    }
  }
}
