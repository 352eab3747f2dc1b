import { expect, test } from 'vitest';
import { reachOf } from '../src/client/reach.ts';
import { timeoutSecondsOf } from '../src/config/time-limits.ts';
import { scripted } from '../src/load/caller/scripted.ts';
import { longestAnswerSeconds } from '../src/load/k6/requests-plan.ts';
import { fixture, PLAN } from './support/client/fixture.ts';
import { configWith } from './support/run/test-config.ts';

const OPERATIONS = [
  { operations: 'GET *', timeoutSeconds: 5 },
  { operations: 'GET /api/v1/reports*', timeoutSeconds: 120 },
  { operations: 'GET /api/v1/reports/now' },
];

test('the last entry that states a time limit for an operation counts, and else that of the target', () => {
  const secondsOf = timeoutSecondsOf({ target: { timeoutSeconds: 20 }, operations: OPERATIONS });
  const keys = ['GET /api/v1/stores', 'GET /api/v1/reports/now', 'POST /api/v1/stores', null];
  expect(keys.map(secondsOf)).toEqual([5, 120, 20, 20]);
  expect(keys.map(timeoutSecondsOf({ target: {} }))).toEqual(keys.map(() => undefined));
});

test('the first event of a stream is awaited for 5 s, unless the configuration says how long', () => {
  const any = { body: {}, parameters: {}, key: null };
  const isStream = (key: string): boolean => key === 'GET /events';
  const stated = configWith({ operations: [{ ...any, operations: 'GET /events', timeoutSeconds: 60 }] });
  const keys = ['GET /events', 'GET /things', null];
  const limits = [configWith(), stated].map((config) =>
    keys.map((key) => reachOf(config, isStream).timeLimitMsOf?.(key)),
  );
  expect(limits).toEqual([
    [5_000, undefined, undefined],
    [60_000, undefined, undefined],
  ]);
});

test('a request is awaited as long as its operation says', async () => {
  const timeLimitMsOf = (operation: string | null) => (operation === 'GET /slow' ? 300 : 50);
  await using run = await fixture(() => {}, { timeLimitMs: 200, timeLimitMsOf });
  const failures = await Promise.all(
    ['GET /slow', 'GET /quick'].map(async (operation) => {
      const [exchange] = await run.send({ ...PLAN, operation, retry: 'once' });
      return exchange?.failure;
    }),
  );
  expect(failures).toMatchObject([
    { kind: 'timeout', message: 'no answer within 300 ms', withinMs: 300 },
    { kind: 'timeout', message: 'no answer within 50 ms', withinMs: 50 },
  ]);
});

test('load waits as long, and for its slowest operation as a whole', () => {
  const target = { baseUrl: 'http://127.0.0.1:1', docsUrl: null, environment: 'local' as const };
  const config = { target, services: [], operations: OPERATIONS };
  const slow = scripted(PLAN, 'GET /api/v1/reports', config);
  const other = scripted(PLAN, 'POST /api/v1/stores', config);
  expect([slow.answerLimitSeconds, other.answerLimitSeconds]).toEqual([120, undefined]);
  expect(longestAnswerSeconds({ requests: [slow, other], answerLimitSeconds: 30 })).toBe(120);
});
