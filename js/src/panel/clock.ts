/** Elapsed times of the kernel's moments, although its clock and this page's may differ. */
import type { Op } from '../shared/wire';

export class Clock {
  /** How far this page's clock is ahead of the kernel's, and the quickest message's time on the way. */
  private aheadMs: number | null = null;

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
  seconds(sinceMs: number): number {
    return Math.max(0, Math.floor((Date.now() - (this.aheadMs ?? 0) - sinceMs) / 1000));
  }

  private learn(momentMs: number | null | undefined): void {
    if (typeof momentMs === 'number') {
      const aheadMs = Date.now() - momentMs;
      this.aheadMs = this.aheadMs === null ? aheadMs : Math.min(this.aheadMs, aheadMs);
    }
  }
}
