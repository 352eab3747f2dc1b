import { expect, test } from 'vitest';
import { PLAN } from '../../../test/support/client/fixture.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import type { Progress } from '../../contract/progress.ts';
import { RunEvents } from './events.ts';
import { Meter } from './meter.ts';

function metered() {
  const clock = simulatedClock();
  const run = { sent: 0, violations: 0, planned: null as number | null, endsAt: null as number | null };
  const events = new RunEvents();
  const enter = (name: string, seconds?: number): void => events.tell({ kind: 'phase', name, seconds });
  const tell = (): void => {
    events.tell({ kind: 'planned', requests: run.planned, untilMs: run.endsAt });
    meter.tell();
  };
  const told: Progress[] = [];
  const now = () => ({ operations: 10, operationsTested: 4, requests: run.sent, violations: run.violations });
  const readings = { now };
  const meter = new Meter(events, readings, clock);
  events.on('progress', ({ progress }) => told.push(progress));
  /** Lets time pass in steps of a quarter of a second, each with so many requests. */
  const pass = async (seconds: number, perStep: number): Promise<Progress> => {
    for (let step = 0; step < seconds * 4; step += 1) {
      await clock.drive(clock.sleep(250));
      run.sent += perStep;
      if (run.planned !== null) run.planned = Math.max(0, run.planned - perStep);
      tell();
    }
    return told.at(-1)!;
  };
  return { clock, run, events, enter, tell, pass, told };
}

test('the rate is that of the last seconds, and the time left follows it', async () => {
  const { run, enter, pass } = metered();
  run.planned = 1000;
  enter('depth');
  const fast = await pass(10, 10);
  expect(fast.requestsPerSecond).toBeCloseTo(40, 0);
  expect(fast.work).toEqual({ done: 400, planned: 1000, unit: 'requests' });
  expect(fast.secondsLeft).toBe(15);
  const slow = await pass(10, 2);
  expect(slow.requestsPerSecond).toBeCloseTo(8, 0);
  expect(slow.secondsLeft).toBe(65);
});

test('of its first seconds a run tells no time left: calls go one by one then', async () => {
  const { run, enter, pass } = metered();
  run.planned = 1000;
  enter('reach');
  expect((await pass(4, 1)).secondsLeft).toBeNull();
  expect((await pass(2, 1)).secondsLeft).toBe(244);
});

test('work that the time of the phase will drop is not told as left', async () => {
  const { clock, run, enter, tell, pass } = metered();
  run.planned = 22_000;
  run.endsAt = clock.now() + 60_000;
  enter('depth');
  const { work, secondsLeft } = await pass(20, 10);
  expect(secondsLeft).toBe(40);
  expect(work).toEqual({ done: 800, planned: 2400, unit: 'requests' });
  run.endsAt = clock.now() + 3_600_000;
  tell();
  expect((await pass(1, 10)).secondsLeft).toBe(529);
});

test('a wait is told while nothing is sent, with the key whose limit it is for', async () => {
  const { clock, events, pass } = metered();
  await pass(1, 5);
  events.tell({ kind: 'waiting', awaited: { what: 'limit', key: 'std-1' }, untilMs: clock.now() + 6000 });
  expect((await pass(2, 0)).waiting).toEqual({ seconds: 4, what: 'limit', key: 'std-1' });
  expect((await pass(1, 1)).waiting).toBeUndefined();
  expect((await pass(6, 0)).waiting).toBeUndefined();
});

test('the time left holds what is waited for, and ends with the run', async () => {
  const { clock, run, events, enter, tell, pass } = metered();
  run.planned = 500;
  enter('breadth');
  await pass(10, 10);
  const untilMs = clock.now() + 60_000;
  events.tell({ kind: 'waiting', awaited: { what: 'limit', key: 'std-1' }, untilMs });
  expect((await pass(1, 0)).secondsLeft).toBeGreaterThanOrEqual(60);
  run.endsAt = clock.now() + 20_000;
  tell();
  expect((await pass(1, 0)).secondsLeft).toBeLessThanOrEqual(20);
});

test('a phase of known length is told in seconds', async () => {
  const { enter, pass } = metered();
  enter('spike', 20);
  const { work, secondsLeft } = await pass(5, 30);
  expect({ work, secondsLeft }).toEqual({ work: { done: 5, planned: 20, unit: 'seconds' }, secondsLeft: 15 });
  // Answers are still awaited.
  expect((await pass(16, 0)).secondsLeft).toBeNull();
});

test('a violation is told with the next request, and once', () => {
  const { run, events, told } = metered();
  const send = () => events.tell({ kind: 'sent', plan: PLAN, attempts: [] });
  send();
  expect(told).toEqual([]);
  run.violations = 1;
  send();
  send();
  expect(told.map(({ violations }) => violations)).toEqual([1]);
});
