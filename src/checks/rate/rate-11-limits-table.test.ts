import { describe, expect, it } from 'vitest';
import type { WindowFacts } from '../../limiters/windows.ts';
import type { PlanFacts } from './rate-08-plan-order.ts';
import { rowsOf } from './rate-11-limits-table.ts';

const window: WindowFacts = {
  form: 'epoch-seconds',
  formReadings: 40,
  readings: 40,
  windowSeconds: 60,
  confidence: 'sure',
  bounds: null,
};

function inWords(changes: Partial<PlanFacts> = {}): readonly string[] {
  const facts = {
    plan: 'growth',
    key: 'gro-1',
    limit: 100,
    statedBy: 'X-RateLimit-Limit',
    window,
    drain: null,
    costs: {},
    evidence: null,
    ...changes,
  };
  return rowsOf(facts).map(({ subject, value, confidence, calls }) => `${subject}: ${value} (${confidence}, ${calls})`);
}

describe('the rows of a key', () => {
  it('tell what its headers say, and that nothing was drained', () => {
    expect(inWords()).toEqual([
      'limit: 100 calls (sure, 40)',
      'window: 60 s (sure, 40)',
      'meaning of Reset: epoch seconds (sure, 40)',
      'algorithm: unknown (cannot-tell, 0)',
      'burst: unknown (cannot-tell, 0)',
    ]);
    expect(
      rowsOf({
        plan: 'growth',
        key: 'gro-1',
        limit: 1,
        statedBy: 'X-Quota',
        window,
        drain: null,
        costs: {},
        evidence: null,
      })[0]?.of,
    ).toEqual({ key: 'gro-1', plan: 'growth' });
  });

  it('are sure of a limiter where headers and drain agree', () => {
    const fixed = {
      kinds: ['fixed-aligned', 'fixed-first-hit'],
      windowMs: 60_000,
      burst: 100,
      calls: 107,
      tookMs: 900,
    } as const;
    expect(inWords({ drain: fixed }).slice(3)).toEqual([
      'algorithm: fixed-window (sure, 107)',
      'burst: 100 calls (sure, 107)',
    ]);
    const unsure = { ...window, confidence: 'likely' } as const;
    expect(inWords({ drain: fixed, window: unsure })).toContain('algorithm: fixed-window (likely, 107)');
    const bucket = { kinds: ['token-bucket'], windowMs: 60_000, burst: 130, calls: 140, tookMs: 900 } as const;
    expect(inWords({ drain: bucket }).slice(3)).toEqual([
      'algorithm: token-bucket (likely, 140)',
      'burst: 130 calls (likely, 140)',
    ]);
    expect(inWords({ drain: { kinds: [], windowMs: null, burst: null, calls: 9, tookMs: 900 } }).slice(3)).toEqual([
      'algorithm: unknown (cannot-tell, 9)',
      'burst: unknown (cannot-tell, 9)',
    ]);
  });

  it('tell a bound, or nothing, of what headers do not decide', () => {
    const atLeast = { ...window, confidence: 'at least', formReadings: 39 } as const;
    expect(inWords({ window: atLeast }).slice(1, 3)).toEqual([
      'window: at least 60 s (cannot-tell, 40)',
      'meaning of Reset: epoch seconds (likely, 40)',
    ]);
    const none: WindowFacts = {
      form: null,
      formReadings: 0,
      readings: 0,
      windowSeconds: null,
      confidence: 'at least',
      bounds: null,
    };
    expect(inWords({ window: none }).slice(1, 3)).toEqual([
      'window: unknown (cannot-tell, 0)',
      'meaning of Reset: unknown (cannot-tell, 0)',
    ]);
  });
});
