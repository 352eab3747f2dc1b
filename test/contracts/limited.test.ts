// Limits of an API that is not the platform: the sound server passes with its laws judged, and each defect fails by its clause.
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/grading/exit-code.ts';
import { failedIn, judgedByContract, rowsOf } from './in-memory.ts';
import { contractOf, limitedApi, type Style, type Ways } from './limited.ts';
import { judgedSensing, type Planted } from './sensed.ts';
import { contractTable } from './table.ts';

const JUDGED = ['RATE-01', 'RATE-02', 'RATE-03', 'RATE-04', 'RATE-05', 'RATE-06', 'RATE-10'];
const STYLES: readonly Style[] = ['newest', 'draft 7', 'separate', 'x-ratelimit', 'own'];
const OF_LIMITS = { 'RATE-01': 3, 'RATE-02': 6, 'RATE-04': 1, 'RATE-05': 2 };
const PLANTED: Readonly<Partial<Record<Style, Planted>>> = {
  newest: { ...OF_LIMITS, 'RATE-12': 6 },
  own: { ...OF_LIMITS, 'RATE-01': 12 },
};
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
    const report = await judgedSensing(limitedApi({ style }), PLANTED[style]);
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

  /** Judged where no answer tells its reset, as many frameworks have it. */
  const withoutReset = (ways: Ways, lines: readonly string[] = []) => {
    const [, , , headers, ...rest] = contractOf('own', lines);
    const bare = headers?.replace(/, reset: .*/, ' }') ?? '';
    const contract = ['contract: 1', 'name: Notes API contract', 'rateLimits:', bare, ...rest];
    const change: Ways['change'] = (told) => {
      delete told['x-quota-reset'];
    };
    return judgedByContract(limitedApi({ style: 'own', ...ways, change }, contract));
  };
  const PLAN = ['  plans: { free: { limit: 60, windowSeconds: 20 } }'];

  it.each(['fixed', 'sliding', 'bucket'] as const)(
    'passes with its only limit spent where no answer tells its reset, and its plan is stated: %s',
    async (kind) => {
      const report = await withoutReset({ kind }, PLAN);
      const judged = ['RATE-03', 'RATE-04', 'RATE-06', 'RATE-10'];
      expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
      expect(rowsOf(report, ...judged)).toEqual(judged.map((id) => `${id} pass`));
    },
  );

  it('fails where another limit than the stated one holds, and no answer tells its reset', async () => {
    expect(failedIn(await withoutReset({ beyond: 20 }, PLAN))).toEqual(['RATE-10']);
    expect(failedIn(await withoutReset({ short: 10 }, PLAN))).toEqual(['RATE-10']);
  });

  /** Judged where no answer tells anything of a limit, and the plan of both keys is stated. */
  const untold = (ways: Ways) => {
    const contract = contractOf('own', ['  plans: { free: { limit: 60, windowSeconds: 20 } }']);
    const change: Ways['change'] = (told) => {
      for (const name of Object.keys(told)) if (name.startsWith('x-quota')) delete told[name];
    };
    const status = `status: ${ways.refused ?? 429}`;
    const bare = contract
      .filter((line) => !line.includes('headers:'))
      .map((line) => line.replace(/status: 429, .* }/, `${status} }`));
    const keys = KEYS.map((line) => line.replace('paid', 'free'));
    return judgedByContract(limitedApi({ style: 'own', keys: true, ...ways, change }, bare), {}, keys);
  };

  it.each([
    { kind: 'fixed' },
    { kind: 'sliding' },
    { kind: 'bucket' },
    { refused: 403, retryAfter: () => null },
  ] satisfies Ways[])('passes where no answer tells of its limit: %s', async (ways) => {
    const report = await untold(ways);
    expect(failedIn(report)).toEqual([]);
    expect(rowsOf(report, 'RATE-07', 'RATE-10')).toEqual(['RATE-07 pass', 'RATE-10 pass']);
  });

  it('fails where no answer tells of its limit, and waits are too short or the keys share it', async () => {
    expect(failedIn(await untold({ retryAfter: (seconds) => String(Math.floor(seconds / 3)) }))).toEqual(['RATE-06']);
    for (const kind of ['fixed', 'sliding', 'bucket'] as const)
      expect(failedIn(await untold({ kind, shared: true }))).toEqual(['RATE-07']);
  });

  it('does not pass by RATE-07 where the key that is spent was never refused', async () => {
    const report = await untold({ beyond: 200, shared: true });
    expect(rowsOf(report, 'RATE-07', 'RATE-10')).toEqual(['RATE-07 not-tested', 'RATE-10 fail']);
  });

  it('says why no wait was judged', async () => {
    const whyOf = async (retryAfter: Ways['retryAfter']) =>
      (await untold({ ...(retryAfter && { retryAfter }) })).clauses.find(({ id }) => id === 'RATE-06')?.reason;
    expect(await whyOf(() => null)).toMatch(/^the 429 of key (one|two) has no Retry-After$/);
    expect(await whyOf(() => '600')).toMatch(/^no wait that key .* was waited out: the last one is of 600 s/);
  });

  it('passes where a limiter refuses by 403, and no other clause is asked by its refusals', async () => {
    const contract = contractOf('x-ratelimit').map((line) => line.replace('status: 429', 'status: 403'));
    const report = await judgedByContract(limitedApi({ style: 'x-ratelimit', refused: 403 }, contract));
    expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
    expect(rowsOf(report, 'RATE-04', 'RATE-10')).toEqual(['RATE-04 pass', 'RATE-10 pass']);
  });

  // Some of them have both limits spent at one call: whose the refusal is Retry-After tells.
  it.each([18, 20, 22])('has each of two limits spent, of %i and 100 calls, and both judged', async (limit) => {
    const withLong = (beyond: number) =>
      judgedByContract(limitedApi({ limit, windowSeconds: 5, long: { limit: 100, windowSeconds: 60, beyond } }));
    const sound = await withLong(0);
    expect([failedIn(sound), sound.clauses.find(({ id }) => id === 'RATE-10')?.checks]).toEqual([[], 2]);
    expect(failedIn(await withLong(40))).toEqual(['RATE-04', 'RATE-10']);
  });

  it('is spent once a refusal has told when it is back, and says why where nothing tells it', async () => {
    expect(rowsOf(await withoutReset({}), 'RATE-04', 'RATE-10')).toEqual(['RATE-04 pass', 'RATE-10 pass']);
    const { clauses } = await withoutReset({ limit: 400 });
    const { status, reason } = clauses.find(({ id }) => id === 'RATE-04') ?? {};
    expect([status, reason]).toEqual(['not-tested', expect.stringContaining('no answer tells when it is back')]);
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
