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

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}

interface Course {
  readonly slices: number;
  readonly spread: number;
  /** Correlation of neighbours: what disturbs a machine lasts. */
  readonly together?: number;
  readonly course: (share: number) => number;
}

/** Number of series among a thousand that are told to drift. */
function told({ slices, spread, together = 0, course }: Course): number {
  const random = draws(slices * 1000 + spread * 100);
  let drifts = 0;
  for (let series = 0; series < SERIES; series += 1) {
    let noise = normal(random);
    const values = Array.from({ length: slices }, (_, at) => {
      noise = together * noise + Math.sqrt(1 - together ** 2) * normal(random);
      return 12 * course(at / (slices - 1)) * Math.exp(spread * noise);
    });
    const trend = trendOf(values);
    if (trend !== null && isDrift(trend)) drifts += 1;
  }
  return drifts / SERIES;
}

describe.each([20, 30, 60])('of %i slices', (slices) => {
  it.each([
    [0.01, 0],
    [0.05, 0],
    [0.1, 0],
    [0.3, 0],
    [0.05, 0.5],
    [0.1, 0.5],
  ])('noise of %d alone, neighbours together by %d, is told as drift at most once in a hundred', (spread, together) => {
    expect(told({ slices, spread, together, course: () => 1 })).toBeLessThan(0.01);
  });

  it('a fall is none', () => {
    expect(told({ slices, spread: 0.05, course: (share) => 1 - 0.5 * share })).toBe(0);
  });

  it('warmth after the first slice is none', () => {
    expect(told({ slices, spread: 0.05, course: (share) => (share === 0 ? 5 : 1) })).toBeLessThan(0.01);
  });
});

describe('of as many slices as a soak has', () => {
  it.each([
    [30, 0.93],
    [60, 0.99],
  ])('%i: a steady rise by 30 per cent is told, in %d of all cases at least', (slices, share) => {
    expect(told({ slices, spread: 0.05, course: (at) => 1 + 0.3 * at })).toBeGreaterThan(share);
  });

  it.each([
    ['even', (at: number) => 1 + 2 * at],
    ['ever slower', (at: number) => Math.sqrt(1 + 3 * at)],
    ['ever faster', (at: number) => 1 + at ** 2],
  ])('a rise that is %s is told however little noise there is', (_how, course) => {
    for (const slices of [30, 60])
      for (const spread of [0.0001, 0.002, 0.01]) expect(told({ slices, spread, course })).toBeGreaterThan(0.99);
  });

  it.each([
    [30, 0.9],
    [60, 0.99],
  ])('%i: a leak from half way on that comes to half is told, in %d of all cases at least', (slices, share) => {
    expect(told({ slices, spread: 0.05, course: (at) => 1 + Math.max(0, at - 0.5) })).toBeGreaterThan(share);
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

it('slices without an answer are left out: nothing was measured then', () => {
  const calm = Array.from({ length: 12 }, (_, at) => 10 + (at % 3));
  expect(trendOf([...calm, 0, 0, 0])).toEqual(trendOf(calm));
  expect(trendOf([...calm.slice(0, 9), 0, 0, 0])).toBeNull();
});
