// Limits that calls alone showed, and those that a drained window showed, are held to one law.
import { describe, expect, it } from 'vitest';
import type { Interval } from '../../contract/load-part.ts';
import { exactly, type MeasuredLimit } from '../../limiters/drained-window.ts';
import { judgeMeasuredAdmission } from './rate-04-admission.ts';
import { judgeCeiling } from './rate-10-ceiling.ts';
import { judgeExpected } from './rate-10-expectations.ts';

const measured = (stated: number | null, limit: Interval | null, changes: Partial<MeasuredLimit> = {}) => ({
  ...{ key: 'std-1', stated, limit, windowMs: exactly(60_000), isBucket: false, cost: 1, isUnenforced: false },
  statedBy: 'X-RateLimit-Limit',
  ...{ shown: 'no call was admitted again', ...changes },
});
const admission = (limit: MeasuredLimit): string => judgeMeasuredAdmission(limit)?.kind ?? 'none';
const ceiling = (limit: MeasuredLimit, windowSeconds: number | null = null): string =>
  judgeCeiling(limit, windowSeconds).kind;

describe('a window that admits more than Limit', () => {
  it('breaches RATE-04 by one call, and RATE-10 by more than 1 %', () => {
    expect([admission(measured(300, exactly(300))), ceiling(measured(300, exactly(300)))]).toEqual(['none', 'holds']);
    expect([admission(measured(300, exactly(301))), ceiling(measured(300, exactly(301)))]).toEqual([
      'breached',
      'holds',
    ]);
    expect([admission(measured(300, exactly(304))), ceiling(measured(300, exactly(304)))]).toEqual([
      'breached',
      'breached',
    ]);
  });

  it('may be one percent more than is stated, and than is expected of the plan', () => {
    const expected = (units: number): string | undefined =>
      judgeExpected('free', measured(300, exactly(units)), { free: { limit: 300 } })?.kind;
    expect([303, 304].map((units) => [ceiling(measured(300, exactly(units))), expected(units)])).toEqual([
      ['holds', 'holds'],
      ['breached', 'breached'],
    ]);
  });

  it('is none where the last call that fits costs more than what was left', () => {
    const dear = { cost: 3 };
    expect(admission(measured(300, exactly(302), dear))).toBe('none');
    expect(admission(measured(300, exactly(303), dear))).toBe('breached');
  });

  it('is not known where windows differed, and where no model explains what was seen', () => {
    const wide = measured(300, { least: 290, best: 320, most: 330 });
    expect([admission(wide), ceiling(wide)]).toEqual(['none', 'cannot-tell']);
    const unknown = measured(300, null);
    expect([admission(unknown), ceiling(unknown)]).toEqual(['none', 'cannot-tell']);
  });

  it('admits every call where nothing is refused', () => {
    const open = measured(300, null, { isUnenforced: true });
    expect([admission(open), ceiling(open)]).toEqual(['breached', 'breached']);
  });

  it('is judged by nothing where no Limit is stated', () => {
    const silent = measured(null, exactly(300));
    expect([admission(silent), ceiling(silent)]).toEqual(['none', 'cannot-tell']);
  });
});

describe('a bucket', () => {
  const regaining = (perSecond: number) =>
    measured(100, exactly(100), { isBucket: true, windowMs: exactly(100_000 / perSecond) });

  it('whose burst is the stated Limit does not pass by that: its rate counts', () => {
    expect(ceiling(regaining(20))).toBe('cannot-tell');
    expect(ceiling(regaining(50))).toBe('cannot-tell');
  });

  it('is judged by what it regains in the configured window', () => {
    expect(ceiling(regaining(50), 2)).toBe('holds');
    expect(ceiling(regaining(52), 2)).toBe('breached');
    // Others may have taken the rest.
    expect(ceiling(regaining(20), 2)).toBe('cannot-tell');
  });

  it('is no pass of an expectation that nothing was compared with', () => {
    expect(judgeExpected('Standard', regaining(50), { standard: { limit: 100 } })).toBeNull();
    expect(judgeExpected('Standard', regaining(50), { growth: { limit: 100 } })).toBeNull();
    const both = { standard: { limit: 100, windowSeconds: 2 } };
    expect(judgeExpected('Standard', regaining(50), both)).toMatchObject({ kind: 'holds', assertions: 1 });
    expect(judgeExpected('Standard', regaining(45), both)).toMatchObject({ kind: 'breached', assertions: 1 });
  });

  it('that admits more at once than Limit breaches neither', () => {
    const bursting = measured(100, exactly(150), { isBucket: true, windowMs: exactly(3000) });
    expect([admission(bursting), ceiling(bursting, 2)]).toEqual(['none', 'holds']);
  });
});
