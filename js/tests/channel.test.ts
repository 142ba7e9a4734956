import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import type { Op, State } from '../src/shared/wire';
import type { Model } from '../src/panel/channel';
import { Channel } from '../src/panel/channel';
import { appended, conversation, text, turn } from './conversation';

/** A channel whose kernel is the test; time stands still but for `mock.timers.tick`. */
class Kernel implements Model {
  readonly sent: unknown[] = [];
  readonly changes: State[] = [];
  readonly channel = new Channel(this, state => this.changes.push(state), () => undefined, () => undefined);
  private receive: (message: unknown) => void = () => undefined;

  on(_name: string, callback: (message: unknown) => void): void {
    this.receive = callback;
  }

  off(): void {
    this.receive = () => undefined;
  }

  send(message: unknown): void {
    this.sent.push(message);
  }

  snapshot(seq: number, shown: string, v = 1): void {
    this.receive({ v: 1, type: 'snapshot', seq, state: conversation({ v, turns: [turn({ blocks: [text(shown)] })] }) });
  }

  patch(seq: number, ...ops: readonly Op[]): void {
    this.receive({ v: 1, type: 'patch', seq, ops });
  }

  beat(seq: number): void {
    this.receive({ v: 1, type: 'beat', seq });
  }

  get shown(): string {
    const block = this.channel.state.turns[0]?.blocks[0];
    return block?.kind === 'text' ? block.text : '';
  }
}

function kernelTest(name: string, run: (kernel: Kernel) => void): void {
  test(name, () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const kernel = new Kernel();
      kernel.channel.open();
      run(kernel);
    } finally {
      mock.timers.reset();
    }
  });
}

const RESYNC = { v: 1, type: 'resync', language: 'en' };

kernelTest('Messages that were seen are dropped', kernel => {
  kernel.snapshot(4, 'one');
  kernel.patch(5, appended(' two'));
  kernel.patch(5, appended(' two'));
  kernel.snapshot(4, 'one');
  kernel.snapshot(5, 'one');
  assert.equal(kernel.shown, 'one two');
  assert.equal(kernel.changes.length, 2);
  mock.timers.tick(60_000);
  assert.deepEqual(kernel.sent, [RESYNC]);
});

kernelTest('Messages out of order are put in order', kernel => {
  kernel.snapshot(0, '0');
  kernel.patch(2, appended('2'));
  assert.equal(kernel.shown, '0');
  kernel.patch(1, appended('1'));
  kernel.patch(3, appended('3'));
  assert.equal(kernel.shown, '0123');
  mock.timers.tick(60_000);
  assert.deepEqual(kernel.sent, [RESYNC]);
});

kernelTest('After a gap everything is asked for', kernel => {
  kernel.snapshot(0, '0');
  kernel.patch(2, appended(' late'));
  mock.timers.tick(199);
  assert.deepEqual(kernel.sent, [RESYNC]);
  mock.timers.tick(1);
  assert.deepEqual(kernel.sent, [RESYNC, RESYNC]);
  assert.equal(kernel.shown, '0');
  kernel.snapshot(2, '0 lost late');
  kernel.patch(3, appended(' and on'));
  assert.equal(kernel.shown, '0 lost late and on');
});

kernelTest('Patches that come before the first snapshot wait for it', kernel => {
  for (const seq of [6, 8, 9]) {
    kernel.patch(seq, appended(`-${seq}`));
  }
  assert.equal(kernel.shown, '');
  kernel.snapshot(7, '0');
  assert.equal(kernel.shown, '0-8-9');
});

kernelTest('A snapshot that does not come is asked for again, ever more rarely', kernel => {
  for (const [seconds, asked] of [[2, 1], [1, 2], [5, 2], [1, 3], [11, 3], [1, 4]] as const) {
    mock.timers.tick(1000 * seconds);
    assert.equal(kernel.sent.length, asked);
  }
  kernel.snapshot(1, 'here');
  mock.timers.tick(600_000);
  assert.equal(kernel.sent.length, 4);
});

kernelTest('A beat tells of a last message that was lost', kernel => {
  kernel.snapshot(1, 'one');
  kernel.beat(1);
  assert.equal(kernel.sent.length, 1);
  kernel.beat(2);
  kernel.beat(2);
  assert.equal(kernel.sent.length, 2);
});

kernelTest('A newer kernel than this page says so', kernel => {
  kernel.snapshot(1, 'one', 2);
  assert.equal(kernel.channel.state.about.state, 'failed');
  assert.match(kernel.channel.state.about.hint, /reload the page/);
  assert.deepEqual(kernel.channel.state.turns, []);
});

kernelTest('A closed channel hears nothing and asks for nothing', kernel => {
  kernel.channel.close();
  kernel.snapshot(1, 'one');
  mock.timers.tick(600_000);
  assert.equal(kernel.shown, '');
  assert.equal(kernel.sent.length, 1);
});
