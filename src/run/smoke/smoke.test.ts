import { beforeAll, describe, expect, it } from 'vitest';
import { type Changes, errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { smoke } from './smoke.ts';

const LIVE = '/api/health/live';
const html = (status: number): Changes => ({ status, headers: [['content-type', 'text/html']], body: '<html>' });
const envelope = (status: number, code: string): Changes => ({
  status,
  body: { error: errorObject({ status, code }) },
});
const refused = envelope(401, 'auth_token_invalid');

/** The platform as it is meant to be. */
const platform = (plan: RequestPlan): Changes => {
  if (plan.path === LIVE) return { body: { status: 'ok' } };
  if (plan.credential.kind !== 'key') return refused;
  return plan.operation === null ? envelope(404, 'resource_not_found') : { body: [] };
};
const serving =
  (operations: Changes, elsewhere: (plan: RequestPlan) => Changes = platform) =>
  (plan: RequestPlan): Changes =>
    plan.operation !== null && plan.credential.kind === 'key' ? operations : elsewhere(plan);

let shop: Description;
beforeAll(async () => {
  const list = { get: { responses: { 200: { description: 'All', content: { 'application/json': {} } } } } };
  shop = await loadShop({
    '/api/v1/a': list,
    '/api/v1/b': list,
    '/api/v1/c': list,
    '/api/v1/d': list,
    '/api/v1/a/{id}': list,
  });
});

/** "goes on", or the reason and sentence that end the run; and what was sent. */
async function smoked(answer: (plan: RequestPlan) => Changes, world = worldWith()) {
  const plans: RequestPlan[] = [];
  const said = await smoke(world, [shop], async (plan) => {
    plans.push(plan);
    return exchangeWith({ ...answer(plan), plan });
  }).then(
    () => 'goes on',
    (error: { reasonCode: string; message: string }) => `${error.reasonCode}: ${error.message}`,
  );
  return { said, plans };
}

describe('the right target', () => {
  it('is found within ten requests, all of which read', async () => {
    const { said, plans } = await smoked(platform);
    expect(said).toBe('goes on');
    expect(plans.length).toBeLessThanOrEqual(10);
    expect(new Set(plans.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(plans.filter(({ credential }) => credential.kind === 'invalid')).toHaveLength(1);
  });

  it.each([
    [
      'liveness is broken',
      (plan: RequestPlan) => (plan.path === LIVE ? envelope(404, 'resource_not_found') : platform(plan)),
    ],
    [
      'an unknown path answers 200',
      (plan: RequestPlan) => (plan.operation === null && plan.path !== LIVE ? { body: {} } : platform(plan)),
    ],
    [
      'a nonsense token is accepted',
      (plan: RequestPlan) => (plan.credential.kind === 'invalid' ? { body: [] } : platform(plan)),
    ],
    ['one operation refuses the key', (plan: RequestPlan) => (plan.path.endsWith('/a') ? refused : platform(plan))],
    ['operations answer 500', serving(envelope(500, 'internal'))],
    ['operations answer 404', serving(envelope(404, 'resource_not_found'))],
    [
      'the envelope lacks members',
      (plan: RequestPlan) => {
        const answer = platform(plan);
        return (answer.status ?? 200) < 400
          ? answer
          : { ...answer, body: { error: { code: 'x', status: answer.status } } };
      },
    ],
  ])('is found though %s', async (_name, answer) => {
    expect((await smoked(answer)).said).toBe('goes on');
  });
});

it('is asked once more where the very first request loses its connection, and called silent only where that is lost, too', async () => {
  let sends = 0;
  const losing = (drops: number) => {
    sends = 0;
    return smoke(worldWith(), [shop], async (plan) => {
      sends += 1;
      const answer = exchangeWith({ ...platform(plan), plan });
      const failure = { kind: 'reset', message: 'other side closed', reusedSocket: false } as const;
      return sends > drops ? answer : { ...answer, response: null, failure };
    });
  };
  await expect(losing(1)).resolves.toHaveLength(2);
  await expect(losing(2)).rejects.toMatchObject({ reasonCode: 'target-lost' });
  expect(sends).toBe(2);
});

it('is the right target though the bodies of all its errors break off', async () => {
  const breakingOff = async (plan: RequestPlan) => {
    const answer = exchangeWith({ ...platform(plan), plan });
    const status = answer.response?.status ?? 0;
    const failure = { kind: 'reset', message: 'its body breaks off', reusedSocket: false, status } as const;
    return status < 400 ? answer : { ...answer, response: null, failure };
  };
  await expect(smoke(worldWith(), [shop], breakingOff)).resolves.toHaveLength(2);
});

describe('operations', () => {
  const operationsOf = (plans: readonly RequestPlan[]) =>
    plans.filter(({ operation, credential }) => operation !== null && credential.kind === 'key').length;

  it('are enough once one is served', async () => {
    const { said, plans } = await smoked(platform);
    expect(said).toBe('goes on');
    expect(operationsOf(plans)).toBe(1);
  });

  it('are several before a key is called refused', async () => {
    const { said, plans } = await smoked(serving(refused));
    expect(said).toMatch(/^no-credential: key ent-1 is not accepted: 3 operations/);
    expect(operationsOf(plans)).toBe(3);
  });
});

describe('the wrong target', () => {
  it.each([
    ['nothing listens', () => ({ response: null })],
    ['a web server answers 404', () => html(404)],
    ['a web server answers 200 to everything', () => html(200)],
    ['a page in place of every path', () => ({ body: { page: 1 } })],
    ['another JSON service', () => ({ status: 404, body: { message: 'Not Found' } })],
    ['the platform under another path', () => envelope(404, 'resource_not_found')],
    ['an outage', () => envelope(503, 'not_ready')],
    ['an outage of what stands before it', () => html(502)],
  ])('is told in one sentence: %s', async (_name, answer) => {
    const { said, plans } = await smoked(answer);
    expect(said).toMatch(/^target-lost: [^\n]+$/);
    expect(plans.length).toBeLessThanOrEqual(10);
  });
});

describe('a key', () => {
  it('that every operation refuses is told by its name', async () => {
    expect((await smoked(serving(refused))).said).toMatch(/^no-credential: key ent-1 is not accepted/);
  });

  it('is not called refused for a 401 about something else', async () => {
    expect((await smoked(serving(envelope(401, 'session_required')))).said).toBe('goes on');
  });

  it('of a locked account is told', async () => {
    expect((await smoked(serving(envelope(403, 'account_locked')))).said).toMatch(
      /^no-credential: key ent-1 is answered 403/,
    );
  });

  it('that nobody configured is not called one', async () => {
    const { said } = await smoked(serving(refused), worldWith({ mainKey: null, keys: [] }));
    expect(said).toBe('goes on');
  });
});
