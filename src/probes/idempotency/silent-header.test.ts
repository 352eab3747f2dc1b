import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, inWords, loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { LONGEST_KEY } from './keys.ts';
import { silentExperiment } from './silent-header.ts';

const PATH = '/api/v1/things';
const KEYED = '/api/v1/stores';

/** `path`: of the operation that is called. */
type Answer = (key: string | null, before: readonly (string | null)[], path: string) => number;

async function sent(answer: Answer, isBrief = false) {
  const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } };
  const things = await loadShop({
    [PATH]: { put: { requestBody, responses: { 200: { description: 'Put' } } } },
    [KEYED]: { post: { requestBody, responses: { 201: { description: 'Made' } } } },
  });
  const world = worldWith({ isBrief });
  const reached = reachedWith(world, things, `PUT ${PATH}`, {}, { proof: exchangeWith({ status: 200 }) });
  const experiment = silentExperiment(world, reached, {
    creator: null,
    keyed: reachedWith(world, things, `POST ${KEYED}`),
  })!;
  const keys: (string | null)[] = [];
  const { outcomes } = drive(experiment.run(), ({ headers, path }) => {
    const key = keyIn(headers);
    const status = answer(key, keys, path);
    keys.push(key);
    return { status };
  });
  return { keys, cost: experiment.cost, said: inWords(outcomes) };
}

it('sends a long key, and that key once more', async () => {
  const { keys, cost, said } = await sent(() => 200);
  expect(keys.map((key) => key?.length)).toEqual([LONGEST_KEY, LONGEST_KEY]);
  expect(keys[0]).toBe(keys[1]);
  expect(cost).toBe(2);
  expect(said).toEqual(['IDEM-06 holds', 'IDEM-06 holds']);
});

it('sends it once where a budget bounds the run', async () => {
  const { keys, said } = await sent(() => 200, true);
  expect([keys.filter((key) => key !== null).length, ...said]).toEqual([1, 'IDEM-06 holds']);
});

it('blames what refuses a long key that is accepted elsewhere', async () => {
  const isLong = (key: string | null) => key !== null && key.length > 200;
  const { said } = await sent((key, _before, path) => (isLong(key) && path === PATH ? 400 : 200));
  expect(said).toEqual(['IDEM-06 breached: the idempotency key turns a success into an error']);
  // How long a key may be is the platform's affair.
  const everywhere = await sent((key) => (isLong(key) ? 400 : 200));
  expect(everywhere.said).toEqual(['IDEM-06 cannot tell']);
});

it('blames what refuses any key', async () => {
  const { said } = await sent((key) => (key === null ? 200 : 400));
  expect(said).toEqual(['IDEM-06 breached: the idempotency key turns a success into an error']);
});

it('blames what refuses a key that it had before', async () => {
  const { said } = await sent((key, before) => (key !== null && before.includes(key) ? 409 : 200));
  expect(said).toEqual(['IDEM-06 holds', 'IDEM-06 breached: the idempotency key turns a success into an error']);
});

it('blames nobody where the second call fails without a key, too', async () => {
  const { said } = await sent((_key, before) => (before.length > 0 ? 409 : 200));
  expect(said).toEqual(['IDEM-06 holds', 'IDEM-06 cannot tell']);
});

it('blames a DELETE that refuses any key, though its first call of the run had failed', async () => {
  const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } };
  const shop = await loadShop({
    [PATH]: { post: { requestBody, responses: { 201: { description: 'Made' } } } },
    [`${PATH}/{id}`]: {
      delete: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 204: { description: 'Gone' } },
      },
    },
  });
  const world = worldWith();
  const reached = reachedWith(world, shop, `DELETE ${PATH}/{id}`, { id: 'unknown' });
  const creator = reachedWith(world, shop, `POST ${PATH}`, {}, { proof: exchangeWith({ status: 201 }) });
  expect(silentExperiment(world, reached, { creator: null, keyed: null })).toBe(null);
  let made = 0;
  const { outcomes, plans } = drive(
    silentExperiment(world, reached, { creator, keyed: null })!.run(),
    ({ method, headers }) => {
      if (method === 'POST') return { status: 201, body: { id: `thing-${++made}` } };
      return { status: keyIn(headers) === null ? 204 : 400 };
    },
  );
  expect(inWords(outcomes)).toEqual(['IDEM-06 breached: the idempotency key turns a success into an error']);
  const deleted = plans.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
  expect(new Set(deleted).size).toBe(deleted.length);
});
