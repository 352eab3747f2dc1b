import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recoveryOf, type WindowCounts } from './recovery.ts';

const OBJECTIVES = { errorRate: 0.01, limitedRate: 0.01 };
const WINDOWS = 30;

const windows = (wrongAt: (at: number) => Partial<WindowCounts>): readonly WindowCounts[] =>
  Array.from({ length: WINDOWS }, (_, at) => ({ count: 50, slow: 0, errors: 0, limited: 0, ...wrongAt(at) }));
const recovery = (counts: readonly WindowCounts[]) => recoveryOf(counts, 1, OBJECTIVES);

describe('after a peak', () => {
  it.each(['slow', 'errors', 'limited'] as const)('it is told when the last window with %s is over', (name) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 5, max: 50 }), (until, wrong) => {
        const found = recovery(windows((at) => (at < until ? { [name]: wrong } : {})));
        expect(found?.best).toBe(until);
        expect(found?.least).toBe(Math.max(0, until - 1));
        if (found?.most != null) expect(found.most).toBeGreaterThanOrEqual(until);
      }),
    );
  });

  it('it is at once where nothing goes wrong, beyond doubt', () => {
    expect(recovery(windows(() => ({})))).toEqual({ least: 0, best: 0, most: 0 });
  });

  it('a slow request now and then, as objectives allow, is none', () => {
    expect(recovery(windows((at) => (at % 5 === 2 ? { slow: 1 } : {})))?.best).toBe(0);
  });

  it('nothing was recovered where it goes wrong to the end, or comes and goes', () => {
    expect(recovery(windows(() => ({ slow: 25 })))).toBeNull();
    expect(recovery(windows((at) => (at % 2 === 1 ? { errors: 10 } : {})))).toBeNull();
    expect(recovery(windows(() => ({ count: 0 })))).toBeNull();
    expect(recovery([])).toBeNull();
  });

  it('few requests leave open from when on it is beyond doubt', () => {
    const few = windows((at) => ({ count: 3, slow: at < 4 ? 3 : 0 }));
    expect(recovery(few)).toEqual({ least: 3, best: 4, most: null });
  });
});
