import fc from 'fast-check';
import { build, type Histogram } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import type { CapacityPart, CapacityStep } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { resultOf } from '../arrivals/figures.ts';
import { bucketOf } from '../samples/line.ts';
import { judgedCapacity, settlement } from './capacity.ts';
import { type Decision, decide, percentileInterval, type StepResult } from './objectives.ts';
import { type Bracket, type SearchOptions, type StepWish, searchCapacity } from './search.ts';
import { StepSums } from './sums.ts';

const OPTIONS: SearchOptions = {
  startRate: 50,
  mostRate: 20_000,
  width: 0.05,
  repeats: 3,
  stepSeconds: 4,
  leastRequests: 0,
  mostSeconds: 120,
};
const MISSED = { kind: 'missed', by: 'latency' } as const;
const OBJECTIVES = { p99Ms: 100, errorRate: 0.01, limitedRate: 0.01 };

function search(answer: (wish: StepWish, turn: number) => Decision, options = OPTIONS): Bracket {
  const course = searchCapacity(options);
  let step = course.next();
  for (let turn = 0; step.done !== true; turn += 1) step = course.next(answer(step.value, turn));
  return step.value;
}

describe('a search for capacity', () => {
  it('brackets a sharp limit, narrowly, both ends three times, within its time', () => {
    fc.assert(
      fc.property(fc.double({ min: 2, max: 19_000, noNaN: true }), (limit) => {
        const bracket = search(({ ratePerSecond }) =>
          ratePerSecond <= limit ? { kind: 'met' } : { kind: 'missed', by: 'latency' },
        );
        expect(bracket.open).toBeNull();
        expect(bracket.met).toBeLessThanOrEqual(limit);
        expect(bracket.missed).toBeGreaterThan(limit);
        expect((bracket.missed ?? 0) - (bracket.met ?? 0)).toBeLessThanOrEqual(0.05 * (bracket.met ?? 0));
        for (const end of [bracket.met, bracket.missed])
          expect(bracket.steps.filter(({ ratePerSecond }) => ratePerSecond === end).length).toBeGreaterThanOrEqual(3);
        expect(bracket.steps.reduce((total, { seconds }) => total + seconds, 0)).toBeLessThanOrEqual(120);
      }),
    );
  });

  it('ends with what it knows where a step cannot be made', () => {
    const course = searchCapacity(OPTIONS);
    course.next();
    course.next({ kind: 'met' });
    const end = course.next({ kind: 'ended', why: 'the run was interrupted' });
    expect(end).toMatchObject({ done: true, value: { met: 50, missed: null, open: 'the run was interrupted' } });
  });

  it('has only ends that steps showed, whatever the steps came to', () => {
    const undecided = { kind: 'undecided', why: 'few answers' } as const;
    const busy = { kind: 'void', by: 'generator', why: 'it was busy' } as const;
    const decisions = fc.constantFrom<Decision>({ kind: 'met' }, MISSED, undecided, busy);
    fc.assert(
      fc.property(fc.array(decisions, { minLength: 1, maxLength: 30 }), (drawn) => {
        const { met, missed, steps } = search((_wish, turn) => drawn[turn % drawn.length] ?? busy);
        const showed = (rate: number | null, kind: Decision['kind']): boolean =>
          rate === null ||
          steps.some(({ ratePerSecond, decision }) => ratePerSecond === rate && decision.kind === kind);
        expect([showed(met, 'met'), showed(missed, 'missed')]).toEqual([true, true]);
        if (met !== null && missed !== null) expect(met).toBeLessThan(missed);
      }),
      { examples: [[[undecided, busy]]] },
    );
  });

  it('measures the ends in both orders', () => {
    const { met, missed, steps } = search(({ ratePerSecond }) =>
      ratePerSecond <= 700 ? { kind: 'met' } : { kind: 'missed', by: 'latency' },
    );
    const order = steps.flatMap(({ ratePerSecond }) =>
      ratePerSecond === met ? ['met'] : ratePerSecond === missed ? ['missed'] : [],
    );
    expect(order.join(' ')).toMatch(/met missed/);
    expect(order.join(' ')).toMatch(/missed met/);
  });

  it('holds on to what repeats say where one step was unlucky', () => {
    const bracket = search(
      ({ ratePerSecond }, turn) =>
        ratePerSecond <= 700 && turn !== 9 ? { kind: 'met' } : { kind: 'missed', by: 'latency' },
      { ...OPTIONS, mostSeconds: 400 },
    );
    expect(bracket.missed).toBeGreaterThan(0.9 * 700);
    expect(bracket.met).toBeLessThanOrEqual(700);
  });

  it('takes no rate for an end that was missed once and met once: the bracket holds it', () => {
    const seen = new Map<number, number>();
    const bracket = search(
      ({ ratePerSecond }) => {
        const times = (seen.get(ratePerSecond) ?? 0) + 1;
        seen.set(ratePerSecond, times);
        return ratePerSecond < 690 || (ratePerSecond < 710 && times % 2 === 0) ? { kind: 'met' } : MISSED;
      },
      { ...OPTIONS, mostSeconds: 400 },
    );
    expect(bracket.open).toBeNull();
    expect(bracket.met).toBeLessThanOrEqual(700);
    expect(bracket.missed).toBeGreaterThanOrEqual(700);
    for (const [end, kind] of [[bracket.met, 'met'] as const, [bracket.missed, 'missed'] as const]) {
      const own = bracket.steps.filter(({ ratePerSecond }) => ratePerSecond === end);
      expect(own.length).toBeGreaterThanOrEqual(3);
      expect(own.every(({ decision }) => decision.kind === kind)).toBe(true);
    }
  });

  it('is not settled where steps that disagree lie further apart than a bracket may be wide', () => {
    const bracket = search(
      ({ ratePerSecond }, turn) => (ratePerSecond <= (turn < 8 ? 740 : 500) ? { kind: 'met' } : MISSED),
      { ...OPTIONS, mostSeconds: 400 },
    );
    expect(bracket.open).toMatch(/steps did not agree between \d+ and \d+ requests\/s/);
    expect(bracket).toMatchObject({ met: 600, missed: 713 });
  });

  it('settles nothing that lies beside the limit, though the first step of each rate is missed by chance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 5000 }), fc.integer({ min: 2, max: 5 }), (limit, every) => {
        let turn = 0;
        const { met, missed, open } = search(({ ratePerSecond }) => {
          turn += 1;
          return ratePerSecond <= limit && turn % every !== 0 ? { kind: 'met' } : MISSED;
        });
        if (open !== null) return;
        expect(met).toBeLessThanOrEqual(limit);
        expect(missed).toBeGreaterThan(limit);
      }),
    );
  });

  it('knows of the highest rate allowed that it was not decided', () => {
    const bracket = search(
      ({ ratePerSecond }) => (ratePerSecond < 200 ? { kind: 'met' } : { kind: 'undecided', why: 'few' }),
      { ...OPTIONS, mostRate: 200 },
    );
    expect(bracket).toMatchObject({ met: 100, missed: null, open: expect.stringContaining('was not decided') });
  });

  it('sends rates in as few digits as are told', () => {
    const { steps } = search(({ ratePerSecond }) => (ratePerSecond <= 206 ? { kind: 'met' } : MISSED));
    for (const { ratePerSecond } of steps) expect(Number(ratePerSecond.toPrecision(3))).toBe(ratePerSecond);
  });

  it.each([
    [
      'the generator is the limit',
      () => ({ kind: 'void', by: 'generator', why: 'it was busy' }) as const,
      /^it was busy$/,
    ],
    ['nothing is missed', () => ({ kind: 'met' }) as const, /highest rate allowed, 20000/],
    ['nothing is met', () => ({ kind: 'missed', by: 'errors' }) as const, /not even 1 request/],
  ])('says why it is open where %s', (_, answer, open) => {
    expect(search(answer).open).toMatch(open);
  });

  it('a step that measured the generator is no rate that the platform missed', () => {
    const busy = { kind: 'void', by: 'generator', why: 'it was busy' } as const;
    expect(search(() => busy)).toMatchObject({ met: null, missed: null });
    const later = search(({ ratePerSecond }) => (ratePerSecond < 300 ? { kind: 'met' } : busy));
    expect(later).toMatchObject({ met: 200, missed: null });
  });

  it('ends when its time is spent, with what it knows', () => {
    const bracket = search(
      ({ ratePerSecond }) => (ratePerSecond < 300 ? { kind: 'met' } : { kind: 'missed', by: 'latency' }),
      {
        ...OPTIONS,
        mostSeconds: 24,
      },
    );
    expect(bracket.open).toMatch(/the time for load, 24 s, is spent/);
    expect(bracket.met).toBeLessThan(300);
    expect(bracket.missed).toBeGreaterThanOrEqual(300);
  });
});

function histogram(count: number, durationMs: (turn: number) => number): Histogram {
  const built = build({ lowestDiscernibleValue: 1, highestTrackableValue: 1e9, numberOfSignificantValueDigits: 3 });
  for (let turn = 0; turn < count; turn += 1) built.recordValue(Math.round(durationMs(turn) * 1000));
  return built;
}

function step(changes: Partial<StepResult>, durationMs: (turn: number) => number = () => 10): StepResult {
  const planned = changes.planned ?? 2000;
  return {
    ratePerSecond: 100,
    planned,
    dropped: 0,
    errors: 0,
    limited: 0,
    durations: histogram(planned - (changes.dropped ?? 0), durationMs),
    lateP99Ms: 1,
    generatorCpu: 0.2,
    ...changes,
  };
}

describe('a step', () => {
  const slowOnes = (share: number) => (turn: number) => ((turn * 7919) % 1000 < share * 1000 ? 300 : 10);
  it.each([
    ['is met well below its objectives', step({}), 'met'],
    ['is missed where 5 % are slow', step({}, slowOnes(0.05)), 'missed'],
    ['is undecided where about 1 % are slow', step({}, slowOnes(0.01)), 'undecided'],
    ['is undecided with few samples', step({ planned: 100 }), 'undecided'],
    ['is missed by errors', step({ errors: 100 }), 'missed'],
    ['is undecided where errors are about as many as allowed', step({ errors: 20 }), 'undecided'],
    ['is missed where senders were all busy', step({ dropped: 400 }), 'missed'],
    ['says nothing where k6 cannot have enough senders', step({ dropped: 400, shortOfSenders: true }), 'void'],
    ['is void where the generator was busy', step({ generatorCpu: 0.95 }), 'void'],
    ['is void where the generator was late', step({ lateP99Ms: 60 }), 'void'],
    ['is void where the limiter answered', step({ limited: 200 }), 'void'],
  ])('%s', (_, result, kind) => {
    expect(decide(result, OBJECTIVES).kind).toBe(kind);
  });

  /** A step of 4 s, at so many requests a second, on a server that bears 80; answers take up to so many ms more by chance. */
  const onEighty = (ratePerSecond: number, chanceMs = 0) => {
    const sums = new StepSums('s', () => {});
    const shared = { kind: 'histogram', step: 's', key: 'a', operation: 'GET /a', status: 200 } as const;
    for (let turn = 0; turn < ratePerSecond * 5; turn += 1) {
      const atSecond = turn / ratePerSecond;
      const waitedMs = Math.max(0, (turn / 80 - atSecond) * 1000);
      const durationMs = 50 + waitedMs + ((turn * 7919) % 101) * (chanceMs / 100);
      // The first second is the ramp.
      if (atSecond >= 1)
        sums.add({ ...shared, buckets: new Map([[bucketOf(durationMs), 1]]), second: Math.floor(atSecond + 0.4) });
    }
    return decide(resultOf(sums, { ratePerSecond, seconds: 4, generatorCpu: 0.1 }), { ...OBJECTIVES, p99Ms: 2000 });
  };

  it('is missed where its queue grows, though it ends before an answer is late', () => {
    expect(onEighty(100)).toEqual({ kind: 'missed', by: 'a growing queue' });
    expect(onEighty(84, 100)).toEqual({ kind: 'missed', by: 'a growing queue' });
  });

  it('is met where answers differ by chance, or a queue cannot be told from that', () => {
    for (const chanceMs of [0, 30, 300]) expect(onEighty(76, chanceMs).kind).toBe('met');
    expect(onEighty(81).kind).toBe('met');
  });

  it('knows its p99 to the ranks that its samples allow', () => {
    const durations = histogram(10_000, (turn) => turn / 100);
    const { leastMs, mostMs } = percentileInterval(durations, 0.99);
    expect(leastMs).toBeCloseTo(98.8, 0);
    expect(mostMs).toBeCloseTo(99.2, 0);
  });
});

const passing = { verdict: 'pass', run: {} } as Report;
const capacity = (
  bracket: Pick<CapacityPart, 'met' | 'missed' | 'open'>,
  decision: CapacityStep['decision'] = 'missed',
): CapacityPart => {
  const step = { rps: bracket.missed ?? 0, decision, why: 'p99 is between 90 and 110 ms' } as CapacityStep;
  return { ...bracket, steps: [step] as readonly CapacityStep[] } as CapacityPart;
};
const CUT = 'the budget is spent';

describe('what a bracket tells of the capacity', () => {
  it.each([
    ['its knee where it is settled', { met: 734, missed: 766, open: null }, { settled: true, kneeRps: 734 }],
    [
      'bounds where it is not',
      { met: 200, missed: 400, open: CUT },
      { settled: false, atLeastRps: 200, belowRps: 400, reason: CUT },
    ],
    [
      'nothing where no rate met the objectives',
      { met: null, missed: 1, open: null },
      { settled: false, atLeastRps: null, belowRps: 1, reason: 'no rate met the objectives' },
    ],
  ])('is %s', (_, bracket, told) => {
    expect(settlement(bracket)).toEqual(told);
  });
});

describe('the verdict of a search for capacity', () => {
  it.each([
    ['a settled bracket passes', { met: 800, missed: 825, open: null }, null, 'pass'],
    ['a search that was cut settles nothing', { met: 20, missed: null, open: CUT }, null, 'none'],
    ['a search that was cut between its ends settles nothing', { met: 20, missed: 400, open: CUT }, null, 'none'],
    ['no rate that met the objectives settles nothing', { met: null, missed: 20, open: null }, null, 'none'],
    ['the demanded rate was met before the search was cut', { met: 500, missed: null, open: CUT }, 400, 'pass'],
    ['the demanded rate was not reached', { met: 300, missed: null, open: CUT }, 400, 'none'],
    ['a rate below the demanded one was missed', { met: 300, missed: 350, open: CUT }, 400, 'fail'],
  ])('%s', (_case, bracket, minRps, verdict) => {
    const report = judgedCapacity(passing, capacity(bracket), minRps);
    expect(report.verdict).toBe(verdict);
    if (bracket.open !== null && verdict !== 'fail') expect(report.run.note).toContain(CUT);
    if (bracket.open !== null && verdict === 'pass')
      expect(report.run.note).toMatch(/^400 requests\/s are demanded, and met; /);
  });

  it('a rate below the demanded one that stayed undecided fails nothing', () => {
    const report = judgedCapacity(passing, capacity({ met: 300, missed: 350, open: null }, 'undecided'), 400);
    expect(report.verdict).toBe('none');
    expect(report.run.note).toBe('350 requests/s: p99 is between 90 and 110 ms');
  });

  it('a violation stays a failure', () => {
    const failing = { ...passing, verdict: 'fail' } as Report;
    expect(judgedCapacity(failing, capacity({ met: 20, missed: null, open: CUT }), null)).toBe(failing);
  });
});
