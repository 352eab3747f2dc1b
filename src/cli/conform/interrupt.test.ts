import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeWhole } from '../../disk/whole-file.ts';
import { onSignals } from '../process/signals.ts';
import { type Interruption, interruptible } from './interrupt.ts';

let nowMs = 0;
let due: { at: number; act: () => void }[] = [];
let told = '';
let codes: number[] = [];
let interruption: Interruption;

/** Lets time pass as an idle process sees it: timers come when they are due. */
function pass(ms: number): void {
  const until = nowMs + ms;
  for (;;) {
    const next = due.filter(({ at }) => at <= until).toSorted((left, right) => left.at - right.at)[0];
    if (next === undefined) break;
    due = due.filter((one) => one !== next);
    nowMs = Math.max(nowMs, next.at);
    next.act();
  }
  nowMs = until;
}

beforeEach(() => {
  nowMs = 0;
  due = [];
  told = '';
  codes = [];
  const clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    turn: () => Promise.resolve(),
    sleep: () => Promise.reject(new Error('nobody sleeps here')),
    after(delayMs: number, act: () => void) {
      const one = { at: nowMs + delayMs, act };
      due.push(one);
      return {
        cancel() {
          due = due.filter((other) => other !== one);
        },
      };
    },
  };
  const tell = (text: string): void => {
    told += text;
  };
  interruption = interruptible(tell, { clock, exit: (code) => codes.push(code) });
});
afterEach(() => interruption.dispose());

const signal = (name: 'SIGINT' | 'SIGTERM' | 'SIGHUP' = 'SIGINT'): boolean => process.emit(name);

describe('a run that is interrupted', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is asked to stop by %s', (name) => {
    signal(name);
    expect(interruption.signal.aborted).toBe(true);
    expect(told).toBe('assay: interrupted, the report is being written; once more ends at once\n');
    expect(codes).toEqual([]);
  });

  test('takes a second signal that comes within half a second for the same one', () => {
    signal();
    pass(400);
    signal();
    expect(codes).toEqual([]);
    pass(200);
    signal();
    expect(codes).toEqual([3]);
    expect(told).toMatch(/ended at once; there is no report\n$/);
  });

  test('ends at once with what the disk holds', () => {
    interruption.keep({ path: 'out/report.json', code: 1 });
    signal();
    pass(1000);
    signal();
    expect(codes).toEqual([1]);
    expect(told).toMatch(/ended at once; out\/report\.json holds what was found until then\n$/);
  });
});

describe('a run that was asked to stop', () => {
  test('is ended after five seconds in which nothing happens', () => {
    signal();
    pass(4500);
    expect(codes).toEqual([]);
    pass(500);
    expect(codes).toEqual([3]);
    expect(told).toMatch(/the run did not stop; there is no report\n$/);
  });

  test('is not ended while it computes', () => {
    signal();
    for (let round = 0; round < 20; round += 1) {
      // Timers come late: the event loop was kept for two seconds.
      nowMs += 2000;
      pass(0);
    }
    expect(codes).toEqual([]);
    pass(5000);
    expect(codes).toEqual([3]);
  });

  test('is not ended while it writes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'interrupt-'));
    signal();
    for (let round = 0; round < 5; round += 1) {
      pass(4000);
      await writeWhole(join(folder, 'report.json'), 'text');
    }
    expect(codes).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test('is not ended once it has given the signals back', () => {
    signal();
    interruption.dispose();
    pass(60_000);
    expect(codes).toEqual([]);
  });
});

test('a signal concerns the innermost work alone', () => {
  const heard: string[] = [];
  const release = onSignals(() => heard.push('inner'));
  signal();
  expect([heard, interruption.signal.aborted]).toEqual([['inner'], false]);
  release();
  signal();
  expect([heard, interruption.signal.aborted]).toEqual([['inner'], true]);
});
