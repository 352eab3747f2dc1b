// Recorded steps: which of them measured the target, and which the generator or the machine.
import { build } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { decide, type StepResult } from '../capacity/objectives.ts';
import { cpuTimesNow, isHere, othersShare, stolenShare } from './machine.ts';
import { whyUnsound } from './soundness.ts';

const OBJECTIVES = { p99Ms: 500, errorRate: 0.01, limitedRate: 0.01 };
/** 206 requests/s for four seconds, sent by 129 senders. */
const [RATE, SENDERS] = [206.25, 129];

function step(changes: Partial<StepResult>, durationMs = 10): StepResult {
  const [planned, dropped] = [825, changes.dropped ?? 0];
  const durations = build({ lowestDiscernibleValue: 1, highestTrackableValue: 1e9, numberOfSignificantValueDigits: 3 });
  durations.recordValueWithCount(durationMs * 1000, planned - dropped);
  const sound = { errors: 0, limited: 0, lateP99Ms: 2, wakeP99Ms: 3, generatorCpu: 0.2, othersCpu: 0.03 };
  return { ratePerSecond: RATE, planned, dropped, durations, senders: SENDERS, ...sound, ...changes };
}

describe('a step', () => {
  it.each<[string, StepResult, string]>([
    ['of a quiet machine is measured', step({}), 'met'],
    ['of a slow target is missed', step({}, 700), 'missed'],
    ['whose drops slow answers explain is missed', step({ dropped: 200 }, 900), 'missed'],
    ['whose drops no answer explains is void', step({ dropped: 200 }, 10), 'void'],
    ['that was sent late is void', step({ lateP99Ms: 2000 }), 'void'],
    ['that was sent late is void though requests were dropped', step({ dropped: 8, lateP99Ms: 900 }, 700), 'void'],
    [
      'whose lateness is that of the numbers after drops is missed',
      step({ dropped: 200, lateP99Ms: 960 }, 900),
      'missed',
    ],
    [
      'whose generator woke late is void, however slow its answers',
      step({ wakeP99Ms: 180, dropped: 200 }, 900),
      'void',
    ],
    ['of a busy generator is void', step({ generatorCpu: 0.95 }), 'void'],
    ['missed beside other processes is void', step({ othersCpu: 0.87 }, 700), 'void'],
    ['missed by errors beside other processes is void', step({ othersCpu: 0.87, errors: 400 }), 'void'],
    ['met beside other processes is met', step({ othersCpu: 0.87 }), 'met'],
    ['missed beside processes that hardly use the machine is missed', step({ othersCpu: 0.15 }, 700), 'missed'],
    ['of a target that broke down is missed', step({ isBroken: true, dropped: 700 }), 'missed'],
    ['of one that broke down beside other processes is void', step({ isBroken: true, othersCpu: 0.9 }), 'void'],
    [
      'of which nobody knows more is judged by its answers',
      step({ wakeP99Ms: null, othersCpu: null, senders: null }),
      'met',
    ],
  ])('%s', (_, result, kind) => {
    expect(decide(result, OBJECTIVES).kind).toBe(kind);
  });

  it('says what made it unsound', () => {
    expect(whyUnsound(step({ othersCpu: 0.872 }), OBJECTIVES)?.why).toBe(
      'other processes used 87.2 % of the machine: run it where nothing else does',
    );
    expect(whyUnsound(step({ wakeP99Ms: 812 }), OBJECTIVES)?.why).toBe(
      'the generator woke 812 ms late: this machine is too busy',
    );
  });
});

describe('what others take of the machine', () => {
  const at = (atMs: number, idle: number, ownMs = 0, stolen = 0) => ({ total: atMs * 2, idle, stolen, ownMs, atMs });
  const two = { all: 2, usable: 2 };

  it.each([
    ['is nothing where it is idle', at(0, 0), at(1000, 2000), two, 0],
    ['is half where one of two cores is busy', at(0, 0), at(1000, 1000), two, 0.5],
    ['is not what this process takes', at(0, 0), at(1000, 1000, 1000), two, 0],
    ['is nothing where as many cores are idle as may be used', at(0, 0), at(1000, 1000), { all: 64, usable: 2 }, 0],
    ['is not known where no time has passed', at(5, 5), at(5, 5), two, null],
  ])('%s', (_, before, after, cores, share) => {
    expect(othersShare(before, after, cores)).toBe(share);
  });

  it('is told apart from what other machines stole', () => {
    expect(stolenShare(at(0, 0), at(1000, 1500, 0, 200))).toBe(0.1);
  });

  it('is read from this machine', () => {
    const times = cpuTimesNow(7);
    expect(times.atMs).toBe(7);
    expect(times.total).toBeGreaterThan(times.idle);
  });

  it('matters for targets of this machine', () => {
    expect([
      isHere('http://127.0.0.1:8080/a'),
      isHere('http://[::1]:80/'),
      isHere('https://staging.example.com/'),
    ]).toEqual([true, true, false]);
  });
});
