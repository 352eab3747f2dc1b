import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDrift, onsetOf, trendOf } from './trend.ts';

const SERIES = 1000;

/** Draws in [0, 1) that are the same each time. */
function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return ((state >>> 8) + 0.5) / 2 ** 24;
  };
}

/** Around 1, to the right of it more often and further: as latencies are. */
function noisy(random: () => number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(spread * normal);
}

/** Of a thousand series of slices with this course, the share that is told to drift. */
function told(slices: number, spread: number, course: (share: number) => number): number {
  const random = draws(slices * 1000 + spread * 100);
  let drifts = 0;
  for (let series = 0; series < SERIES; series += 1) {
    const values = Array.from({ length: slices }, (_, at) => 12 * course(at / (slices - 1)) * noisy(random, spread));
    const trend = trendOf(values);
    if (trend !== null && isDrift(trend)) drifts += 1;
  }
  return drifts / SERIES;
}

describe.each([20, 30, 60])('of %i slices', (slices) => {
  it.each([0.01, 0.05, 0.1, 0.3])('noise of %d alone is told as drift at most once in a hundred', (spread) => {
    expect(told(slices, spread, () => 1)).toBeLessThan(0.01);
  });

  it('a steady rise by 30 % is told', () => {
    expect(told(slices, 0.05, (share) => 1 + 0.3 * share)).toBeGreaterThan(0.95);
  });

  it('a leak that begins half way is told', () => {
    expect(told(slices, 0.05, (share) => 1 + 0.8 * Math.max(0, share - 0.5))).toBeGreaterThan(0.95);
  });

  it('a fall is none', () => {
    expect(told(slices, 0.05, (share) => 1 - 0.5 * share)).toBe(0);
  });

  it('warmth after the first slice is none', () => {
    expect(told(slices, 0.05, (share) => (share === 0 ? 5 : 1))).toBeLessThan(0.01);
  });
});

describe('a trend', () => {
  it('is told with an interval that holds the rise, from the first third to the last', () => {
    const trend = trendOf(Array.from({ length: 30 }, (_, at) => 10 + at + (at % 2)));
    expect(trend?.z).toBeGreaterThan(5);
    expect(trend?.least).toBeLessThanOrEqual(trend?.rise ?? 0);
    expect(trend?.most).toBeGreaterThanOrEqual(trend?.rise ?? 0);
    expect(trend?.rise).toBeCloseTo(20 / 15, 0);
  });

  it('does not change with the unit, and is none of what is equal or too short', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 10, maxLength: 60 }),
        fc.integer({ min: 2, max: 1000 }),
        (values, factor) => {
          const trend = trendOf(values);
          const scaled = trendOf(values.map((value) => value * factor));
          expect(scaled?.z).toBe(trend?.z);
          expect(scaled?.rise).toBeCloseTo(trend?.rise ?? Number.NaN, 6);
        },
      ),
    );
    expect(trendOf(Array.from({ length: 20 }, () => 7))).toMatchObject({ z: 0, rise: 0 });
    expect(trendOf([1, 2, 3])).toBeNull();
  });
});

describe('errors', () => {
  const slices = (errorsAt: (at: number) => number) =>
    Array.from({ length: 30 }, (_, at) => ({ count: 1000, errors: errorsAt(at) }));

  it('that begin late are told by their first slice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 26 }), fc.integer({ min: 4, max: 900 }), (begin, errors) => {
        expect(onsetOf(slices((at) => (at < begin ? 0 : errors)))).toEqual({ slice: begin });
      }),
    );
  });

  it('that were there all the time, in one burst, or by chance, do not begin', () => {
    expect(onsetOf(slices(() => 20))).toBeNull();
    expect(onsetOf(slices((at) => (at === 17 ? 400 : 0)))).toBeNull();
    const random = draws(7);
    let begun = 0;
    for (let series = 0; series < 500; series += 1)
      if (onsetOf(slices(() => Math.floor(-5 * Math.log(random())))) !== null) begun += 1;
    expect(begun / 500).toBeLessThan(0.01);
  });
});
