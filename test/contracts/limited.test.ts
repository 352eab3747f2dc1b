// Limits of an API that is not the platform: the sound server passes with its laws judged, and each defect fails by its clause.
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/grading/exit-code.ts';
import { failedIn, judgedByContract, rowsOf } from './in-memory.ts';
import { contractOf, limitedApi, type Style } from './limited.ts';
import { contractTable } from './table.ts';

const JUDGED = ['RATE-01', 'RATE-02', 'RATE-03', 'RATE-04', 'RATE-05', 'RATE-06', 'RATE-10'];
const STYLES: readonly Style[] = ['newest', 'draft 7', 'separate', 'x-ratelimit', 'own'];
const ofIetf = (style: Style): boolean => style !== 'x-ratelimit' && style !== 'own';
const KEYS = [
  'keys:',
  '  - { name: one, plan: free, token: key-one-0123456789 }',
  '  - { name: two, plan: paid, token: key-two-0123456789 }',
];

contractTable('an API of notes with a limit', ({ ways, contract }, asking) =>
  judgedByContract(limitedApi(ways, contract), asking),
);

describe('an API of notes with a limit', () => {
  it.each(STYLES)('passes with its laws judged where it takes no key: %s', async (style) => {
    const report = await judgedByContract(limitedApi({ style }));
    const judged = ofIetf(style) ? [...JUDGED, 'RATE-12'] : JUDGED;
    expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
    expect(rowsOf(report, ...judged)).toEqual(judged.map((id) => `${id} pass`));
    const bound = ['RATE-08', 'RATE-09', ...(ofIetf(style) ? [] : ['RATE-12'])];
    expect(rowsOf(report, ...bound)).toEqual(bound.map((id) => `${id} not-applicable`));
  });

  it('passes with the limits of two keys', async () => {
    const contract = contractOf('newest', ['  rising: [free, paid]']);
    const report = await judgedByContract(limitedApi({ keys: true }, contract), {}, KEYS);
    const judged = [...JUDGED, 'RATE-07', 'RATE-12'];
    expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
    expect(rowsOf(report, ...judged)).toEqual(judged.map((id) => `${id} pass`));
  });

  it.each([
    ['pass', 20],
    ['fail', undefined],
  ])('ends with RATE-09 %s where a throttle is stated and %s calls are accepted', async (status, tags) => {
    const lines = ['  throttles: [{ operation: "GET /tags", within: { calls: 40, seconds: 10 } }]'];
    const ways = { limit: 400, style: 'x-ratelimit', ...(tags === undefined ? {} : { tags }) } as const;
    const report = await judgedByContract(limitedApi(ways, contractOf('x-ratelimit', lines)));
    expect(failedIn(report)).toEqual(status === 'fail' ? ['RATE-09'] : []);
    expect(rowsOf(report, 'RATE-09')).toEqual([`RATE-09 ${status}`]);
  });
});
