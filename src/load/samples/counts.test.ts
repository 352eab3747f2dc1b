import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Series } from './counts.ts';
import { bucketOf } from './line.ts';

const requests = fc.array(
  fc.record({
    second: fc.nat({ max: 4000 }),
    status: fc.constantFrom(0, 200, 404, 429, 503),
    ms: fc.integer({ min: 1, max: 5000 }),
  }),
  { minLength: 1, maxLength: 1500 },
);

function seriesOf(all: readonly { readonly second: number; readonly status: number; readonly ms: number }[]): Series {
  const series = new Series();
  for (const { second, status, ms } of all) series.add(second, status, [[bucketOf(ms), 1]]);
  return series;
}

describe('a series', () => {
  it('stays small, in order, and loses nothing', () => {
    fc.assert(
      fc.property(requests, (all) => {
        const { rows } = seriesOf(all).rows(0);
        expect(rows.length).toBeLessThanOrEqual(600);
        expect(rows.map(({ atSeconds }) => atSeconds)).toEqual(
          rows.map(({ atSeconds }) => atSeconds).toSorted((left, right) => left - right),
        );
        const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0);
        const sent = (status: number) => all.filter((one) => one.status === status).length;
        expect(sum((row) => row.requests)).toBe(all.length);
        expect(sum((row) => row.unanswered)).toBe(sent(0));
        expect(sum((row) => row.otherErrors)).toBe(sent(404));
        expect(sum((row) => row.limited)).toBe(sent(429));
        expect(sum((row) => row.serverErrors)).toBe(sent(503));
      }),
    );
  });

  it('of several generators is that of one that sent everything', () => {
    fc.assert(
      fc.property(fc.array(requests, { minLength: 1, maxLength: 4 }), (parts) => {
        const merged = new Series();
        for (const part of parts) merged.merge(seriesOf(part));
        const whole = seriesOf(parts.flat());
        // A generator that was more scattered than the whole seems to need no wider rows than the whole does.
        expect(merged.rows(0)).toEqual(whole.rows(0));
      }),
    );
  });

  it('tells each second, counted from the begin of the run, while it is short', () => {
    const series = seriesOf([
      { second: 1_000_007, status: 200, ms: 10 },
      { second: 1_000_003, status: 429, ms: 1 },
    ]);
    const none = { unanswered: 0, serverErrors: 0, otherErrors: 0 };
    expect(series.firstSecond).toBe(1_000_003);
    const { everySeconds, rows } = series.rows(1_000_000);
    expect(everySeconds).toBe(1);
    expect(rows).toEqual([
      { atSeconds: 3, requests: 1, p50Ms: null, p99Ms: null, ...none, limited: 1 },
      { atSeconds: 7, requests: 1, p50Ms: expect.closeTo(10, 0), p99Ms: expect.closeTo(10, 0), ...none, limited: 0 },
    ]);
  });
});
