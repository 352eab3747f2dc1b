import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, durationOf, lineOf, type Sample } from './line.ts';
import { sampleIn } from './reading.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '{', '"', ':', ',', '/', '-') });
const whole = fc.nat();
const shared = { step: text, key: text, operation: text, status: fc.nat({ max: 599 }) };
/** The same with fields that older records lack, or without. */
const withMaybe =
  <T extends Record<string, fc.Arbitrary<number | string>>>(fields: T) =>
  <S>(sample: S) =>
    fc.record(fields, { requiredKeys: [] }).map((more) => ({ ...sample, ...more }));
const samples: fc.Arbitrary<Sample> = fc.oneof(
  fc
    .record({
      kind: fc.constant('request' as const),
      ...shared,
      dueMs: whole,
      startMs: whole,
      durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0),
      limit: text,
      remaining: text,
      reset: text,
      retryAfter: text,
      date: text,
    })
    .chain(withMaybe({ errorCode: whole, traceparent: fc.constant(`00-${'1a'.repeat(16)}-${'2b'.repeat(8)}-01`) })),
  fc
    .record({ kind: fc.constant('started' as const), step: text, vu: whole, started: whole })
    .chain(withMaybe({ begun: whole })),
  fc
    .record({
      kind: fc.constant('histogram' as const),
      ...shared,
      buckets: fc.array(fc.tuple(fc.integer(), whole)).map((pairs) => new Map(pairs)),
    })
    .chain(withMaybe({ second: whole, errorCode: whole })),
  fc.record({
    kind: fc.constant('body' as const),
    ...shared,
    answer: fc.record({
      method: text,
      path: text,
      startMs: whole,
      durationMs: whole,
      headers: fc.dictionary(fc.stringMatching(/^[a-z-]+$/), fc.string(), { noNullPrototype: true }),
      body: fc.string({ unit: 'binary' }),
    }),
  }),
  fc.record({
    kind: fc.constant('mark' as const),
    step: text,
    event: fc.constantFrom('begin' as const, 'end' as const, 'broken' as const),
    atMs: whole,
    run: text,
    segment: text,
  }),
);

describe('a line of samples', () => {
  it('tells the sample that it was written from, on one line', () => {
    fc.assert(
      fc.property(samples, (sample) => {
        const line = lineOf(sample);
        expect(line).not.toMatch(/[\r\n]/);
        expect(sampleIn(line)).toEqual(sample);
      }),
    );
  });

  it('keeps tabs and line breaks of the target out of its fields', () => {
    const sample = {
      ...{ kind: 'request' as const, step: 's', key: 'k', operation: 'GET /a', status: 200, dueMs: 1, startMs: 1 },
      ...{ durationMs: 1, limit: '1\t2', remaining: '3\n', reset: '', retryAfter: '', date: '' },
    };
    expect(sampleIn(lineOf(sample))).toMatchObject({ limit: '1 2', remaining: '3 ' });
  });

  it('cut anywhere is none, or one of a shorter last field', () => {
    fc.assert(
      fc.property(samples, fc.nat(), (sample, at) => {
        const line = lineOf(sample);
        const read = sampleIn(line.slice(0, at % (line.length + 1)));
        expect(read === null || read.kind === sample.kind).toBe(true);
      }),
    );
  });

  it.each([
    ['S\ts\tk\to\t200\t1\t1\t1\t\t\t\t\t', 'request'],
    ['H\ts\tk\to\t200\t1:2', 'histogram'],
  ])('of an older record is read: %j', (line, kind) => {
    expect(sampleIn(line)).toMatchObject({ kind, status: 200 });
  });

  it.each([
    '',
    'Request Failed',
    'S\tstep',
    'S\ts\tk\to\tx\t1\t1\t1\t\t\t\t\t',
    'C\ts\t1\tx',
    'H\ts\tk\to\t200\t1:x',
    'H\ts\tk\to\t200\t1:2\tx',
    'H\ts\tk\to\t0\t1:2\t1\tx',
    'T\ts\tgone\t1',
  ])('is none of %j', (line) => {
    expect(sampleIn(line)).toBeNull();
  });
});

it('a duration is known from its bucket to half a percent', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e6, noNaN: true }), (durationMs) => {
      expect(Math.abs(durationOf(bucketOf(durationMs)) / durationMs - 1)).toBeLessThan(0.0051);
    }),
  );
});
