import { describe, expect, it } from 'vitest';
import type { PlanCeiling } from '../../contract/load-part.ts';
import type { ClauseRow, Report } from '../../contract/report.ts';
import type { Identified } from '../../limiters/identify.ts';
import { judgedCeilings, judgedRateLimits, measuredRow } from './ceiling-verdicts.ts';

const row = (checks: number, reason?: string): ClauseRow =>
  ({ id: 'RATE-04', level: 'must', status: checks > 0 ? 'pass' : 'not-tested', checks, reason }) as ClauseRow;
const reported = (changes: Partial<Report>): Report =>
  ({ verdict: 'pass', run: { id: 'r' }, clauses: [], ...changes }) as Report;
const ceiling = (key: string, limit: number | null, why: string): PlanCeiling => ({
  ...{ plan: 'standard', key, limit, windowSeconds: null, algorithm: 'unknown', burst: null },
  ...{ confidence: `unknown: ${why}`, costs: {}, evidence: ['it began', why] },
});

describe('ceilings', () => {
  it('of which none is known give no verdict, and say why of each key', () => {
    const plans = [
      ceiling('a', null, 'never refused'),
      ceiling('b', null, 'no model fits'),
      ceiling('c', null, 'never refused'),
    ];
    expect(judgedCeilings(reported({}), plans)).toMatchObject({
      verdict: 'none',
      run: { note: 'ceiling: the limit of no key is known; a, c: never refused; b: no model fits' },
    });
    expect(judgedCeilings(reported({}), [])).toMatchObject({ verdict: 'none' });
  });

  it('of which one is known leave the verdict, and a violation stays one', () => {
    const one = [ceiling('a', 60, ''), ceiling('b', null, 'no model fits')];
    expect(judgedCeilings(reported({}), one).verdict).toBe('pass');
    expect(judgedCeilings(reported({ verdict: 'fail' }), []).verdict).toBe('fail');
  });

  it('keep the note of a run that was cut', () => {
    const cut = reported({ run: { id: 'r', note: 'the time limit ended it' } as Report['run'] });
    expect(judgedCeilings(cut, []).run.note).toBe('the time limit ended it');
  });
});

describe('the laws of limits', () => {
  it('give no verdict where no window was exhausted', () => {
    const report = judgedRateLimits(reported({ clauses: [row(0, 'no answer bears X-RateLimit-Limit')] }));
    expect(report).toMatchObject({
      verdict: 'none',
      run: { note: 'ratelimit: no key was brought to its limit; no answer bears X-RateLimit-Limit' },
    });
  });

  it('decide where one was, and where RATE-04 is not asked for', () => {
    expect(judgedRateLimits(reported({ clauses: [row(1)] })).verdict).toBe('pass');
    expect(judgedRateLimits(reported({})).verdict).toBe('pass');
  });
});

const EXACTLY = { least: 1000, best: 1000, most: 1000 };
const FOUND: Identified = {
  kinds: ['fixed-aligned'],
  limit: EXACTLY,
  windowMs: EXACTLY,
  stated: null,
  calls: 3000,
  unenforced: false,
  evidence: ['fresh windows admitted 1000 to 2000'],
};
const planRow = (found: Partial<Identified>) =>
  measuredRow({ plan: 'standard', name: 'std-1', costs: new Map(), found: { ...FOUND, ...found } });

it('the row of a plan has the numbers of a model that explains what was seen', () => {
  expect(planRow({})).toMatchObject({ limit: 1000, windowSeconds: 1, burst: 1000, confidence: 'sure' });
});

it('the row of a plan has no number where no model does, and says why', () => {
  expect(planRow({ kinds: [], limit: null, windowMs: null })).toMatchObject({
    ...{ limit: null, windowSeconds: null, burst: null, limitBounds: null, windowSecondsBounds: null },
    confidence: 'unknown: fresh windows admitted 1000 to 2000',
  });
});
