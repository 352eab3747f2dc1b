import { expect, it } from 'vitest';
import { fixture, PLAN } from '../../test/support/client/fixture.ts';
import type { Awaited } from '../contract/progress.ts';

const NO_KEY = { ...PLAN, credential: { kind: 'none' } } as const;

/** Waits that are told where the first answer has this status. */
async function told(status: number, plan: typeof PLAN, limitsPer: 'key' | 'operation'): Promise<readonly Awaited[]> {
  const waits: Awaited[] = [];
  let calls = 0;
  await using run = await fixture(
    (response) => {
      response.statusCode = calls++ === 0 ? status : 200;
      response.end('{}');
    },
    { onWait: (awaited) => waits.push(awaited), limitsPer },
  );
  await run.send(plan);
  return waits;
}

it.each(['key', 'operation'] as const)('a limit is waited for after a 429 alone (limits per %s)', async (limitsPer) => {
  for (const status of [500, 503]) expect(await told(status, PLAN, limitsPer)).toEqual([{ what: 'again', key: null }]);
  expect(new Set(await told(429, PLAN, limitsPer))).toContainEqual({ what: 'limit', key: 'std-1' });
  for (const awaited of await told(429, NO_KEY, limitsPer)) expect(awaited).toEqual({ what: 'limit', key: null });
});
