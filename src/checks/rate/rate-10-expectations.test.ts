// Tests the expectations of a window against its stated resets: two resets of a window that a call opens are apart by
// the window and the time in which no call came.

import { describe, expect, it } from 'vitest';
import { LIMITED } from '../../../test/support/checks/readings.ts';
import { fixedWindow } from '../../../test/support/limiters/limiters.ts';
import {
  type SimulatedCall,
  START,
  type TrafficOptions,
  traffic,
  withHeader,
} from '../../../test/support/limiters/traffic.ts';
import { RateBook } from './rate-history.ts';

/** Windows, each opened so long after the last one ended, with a few calls. ms. */
function visits(windowMs: number, idleMs: readonly number[]): readonly SimulatedCall[] {
  let atMs = 0;
  return idleMs.flatMap((idle) => {
    atMs += idle;
    const calls = Array.from({ length: 4 }, (_, call) => ({
      ...{ sentAt: atMs + 50 * call, before: 1, after: 1, operation: 'GET /a' },
    }));
    atMs += windowMs;
    return calls;
  });
}

function judged(windowMs: number, idleMs: readonly number[], windowSeconds: number, options: TrafficOptions = {}) {
  const book = new RateBook([{ name: 'std-1', plan: 'standard' }], LIMITED, { standard: { windowSeconds } });
  for (const exchange of traffic(fixedWindow(40, windowMs, false), visits(windowMs, idleMs), options))
    book.observe(exchange);
  const [facts] = book.planFacts();
  const kinds = book.concludePlans().flatMap(({ clause, judgement }) => (clause === 'RATE-10' ? judgement.kind : []));
  return { window: facts?.window, kinds };
}

describe('a window as configured', () => {
  it.each([
    ['opened by calls that come at once', 5000, [0, 10, 10, 10, 10], 5],
    ['opened by calls that come late', 5000, [300, 1200, 900, 1100, 1000], 5],
    ['opened by calls that come much later', 5000, [0, 3400, 3400, 3400, 3400], 5],
    ['of a minute', 60_000, [0, 900, 1100, 700], 60],
  ])('is no breach where it is %s', (_, windowMs, idle, seconds) => {
    expect(judged(windowMs, idle, seconds).kinds).not.toContain('breached');
  });

  it('is no breach where resets are a second late, and Date is the one of a second ago', () => {
    const change: TrafficOptions['change'] = (headers, { sentAt }) => {
      const resetMs = START + 900 + 8000 * Math.floor(sentAt / 8000) + 7100;
      const dateMs = START + sentAt - 960;
      return withHeader(
        withHeader(headers, 'x-ratelimit-reset', String(resetMs / 1000)),
        'date',
        new Date(dateMs).toUTCString(),
      );
    };
    expect(judged(6000, [900, 2000, 2000, 2000, 2000], 6, { change }).kinds).not.toContain('breached');
  });

  it.each([
    ['twice as long', 10_000, [0, 10, 10, 10, 10], 5],
    ['half as long', 5000, [0, 10, 10, 10, 10], 10],
    ['a minute in place of half of one', 60_000, [0, 10, 10], 30],
  ])('is a breach where it is %s', (_, windowMs, idle, seconds) => {
    expect(judged(windowMs, idle, seconds).kinds).toContain('breached');
  });

  it.each([
    ['is a breach where no reset of many calls is near', 3_600_000, 40, ['breached']],
    ['is not told by few calls', 3_600_000, 2, []],
    ['is not told by one window that may be as long', 60_000, 40, []],
  ] as const)('%s', (_, windowMs, visitsMade, kinds) => {
    expect(
      judged(
        windowMs,
        Array.from({ length: visitsMade }, () => 1000 - windowMs),
        60,
      ).kinds,
    ).toEqual(kinds);
  });

  it('is told as stated where resets leave room for it, and as they tell it where they do not', () => {
    const late = [300, 1200, 2900, 1100, 1000];
    expect(judged(5000, late, 5).window).toMatchObject({ windowSeconds: 5, confidence: 'likely' });
    expect(judged(5000, late, 30).window?.windowSeconds).toBeLessThan(8);
  });

  it('is told for sure only where resets bound it narrowly', () => {
    expect(judged(5000, [300, 1200, 900, 1100, 1000], 5).window?.confidence).not.toBe('sure');
    expect(judged(60_000, [0, 100, 100, 100], 60).window).toMatchObject({ windowSeconds: 60, confidence: 'sure' });
  });
});
