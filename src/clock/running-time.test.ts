import { beforeEach, describe, expect, it } from 'vitest';
import { RunningTime } from './running-time.ts';

const HOUR_MS = 3_600_000;

let machine = { wall: 0, monotonic: 0, uptime: 0 };
let time: RunningTime;
beforeEach(() => {
  machine = { wall: 1_800_000_000_000, monotonic: 5000, uptime: 90_000 };
  time = new RunningTime({
    wall: () => machine.wall,
    monotonic: () => machine.monotonic,
    // As Linux tells it.
    uptime: () => Math.floor(machine.uptime / 10) * 10,
  });
});

/** Time goes by, and the process runs: it looks every second. */
function run(ms: number): void {
  for (let left = ms; left > 0; left -= 1000) {
    pass(Math.min(1000, left));
    time.watch();
  }
}

/** Time goes by, and the process does not run. */
function pass(ms: number): void {
  machine = { wall: machine.wall + ms, monotonic: machine.monotonic + ms, uptime: machine.uptime + ms };
}

/** The machine sleeps. */
function sleep(ms: number): void {
  machine = { ...machine, wall: machine.wall + ms, uptime: machine.uptime + ms };
}

describe('the time that has passed', () => {
  it('is what the clocks tell', () => {
    run(10_000);
    expect([time.elapsedMs(), time.nowMs()]).toEqual([10_000, 1_800_000_010_000]);
    expect(time.halts.count).toBe(0);
  });

  it.each([3 * HOUR_MS, -3 * HOUR_MS])('does not change when the wall clock is set by %i ms', (by) => {
    run(10_000);
    machine.wall += by;
    run(10_000);
    machine.wall -= by / 2;
    run(1000);
    expect([time.elapsedMs(), time.nowMs()]).toEqual([21_000, 1_800_000_021_000]);
    expect(time.halts).toMatchObject({ count: 0, asleepMs: 0 });
  });

  it('holds what the machine slept', () => {
    run(10_000);
    sleep(600_000);
    expect(time.elapsedMs()).toBe(610_000);
    run(5000);
    expect(time.nowMs()).toBe(1_800_000_615_000);
    expect(time.halts).toEqual({ count: 1, endedAtMs: 610_000, asleepMs: 600_000 });
  });

  it('never goes back, whatever happens to the clocks', () => {
    let last = 0;
    const acts = [
      () => run(3000),
      () => sleep(30_000),
      () => {
        machine.wall -= HOUR_MS;
      },
      () => {
        machine.wall += 25 * HOUR_MS;
      },
      () => pass(40_000),
    ];
    for (let round = 0; round < 50; round += 1) {
      acts[(round * 7) % acts.length]?.();
      expect(time.elapsedMs()).toBeGreaterThanOrEqual(last);
      last = time.elapsedMs();
    }
  });
});

describe('a halt', () => {
  it('is a process that was stopped', () => {
    run(10_000);
    pass(600_000);
    expect(time.halts).toEqual({ count: 1, endedAtMs: 610_000, asleepMs: 0 });
    run(10_000);
    expect(time.halts.count).toBe(1);
  });

  it('is none while the process is only busy', () => {
    run(10_000);
    pass(4000);
    expect(time.halts.count).toBe(0);
  });

  it('is seen by whoever asks first after it', () => {
    run(1000);
    const before = time.halts.count;
    sleep(60_000);
    expect(time.halts.count).toBe(before + 1);
  });

  it('is none where nobody watched', () => {
    pass(600_000);
    expect(time.halts.count).toBe(0);
    expect(time.elapsedMs()).toBe(600_000);
  });
});
