import { expect, it } from 'vitest';
import { drive, loadShop, reachedWith, sentJson, worldWith } from '../../../test/support/probes/world.ts';
import { smallestInputExperiment } from './smallest-input.ts';

const QUERY = [
  { name: 'order', in: 'query', schema: { type: 'string' } },
  { name: 'q', in: 'query', schema: { type: 'string' } },
  { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } },
];
const THING = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    code: { type: 'string', minLength: 2 },
    tags: { type: 'array', items: { type: 'string' } },
    isOpen: { type: 'boolean' },
    note: { type: 'string', nullable: true },
    prices: { type: 'array', items: { type: 'object', properties: { currency: { type: 'string' } } } },
  },
};
const ANSWERS = { responses: { 200: { description: 'Done' } } };
const requestBody = { required: true, content: { 'application/json': { schema: THING } } };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const PATHS = {
  '/things': { get: { parameters: QUERY, ...ANSWERS } },
  '/people': { post: { requestBody, ...ANSWERS } },
  '/settings': { put: { requestBody, ...ANSWERS } },
  '/things/{id}': {
    parameters: [ID],
    get: ANSWERS,
    put: { requestBody, ...ANSWERS },
    delete: { parameters: QUERY, ...ANSWERS },
  },
};
const world = worldWith({ contract: 'openapi' });

async function experimentOn(key: string, changes = {}) {
  const pathValues: Record<string, string> = key.includes('{') ? { id: '7' } : {};
  return smallestInputExperiment(world, reachedWith(world, await loadShop(PATHS), key, pathValues, changes));
}

it('sends all parameters at once, each empty or at its minimum', async () => {
  const { plans } = drive((await experimentOn('GET /things'))!.run(), () => ({ status: 200 }));
  expect(plans.map(({ query }) => [...new URLSearchParams(query)].toSorted())).toEqual([
    [
      ['limit', '1'],
      ['order', ''],
      ['q', ''],
    ],
  ]);
  expect(plans[0]?.intent).toBeUndefined();
});

it('sends a body that is as small as the description admits, and puts back what it changed', async () => {
  const { plans } = drive((await experimentOn('PUT /things/{id}'))!.run(), () => ({ status: 200 }));
  expect(plans.map(({ probe }) => probe)).toEqual([
    'request/smallest',
    'request/smallest',
    'request/smallest',
    'request/smallest/restored',
  ]);
  const { code, ...others } = sentJson(plans[0]) as { code: string };
  expect(others).toEqual({ name: '', tags: [], isOpen: false, prices: [], note: '' });
  expect(code).toHaveLength(2);
  expect(sentJson(plans[1])).toMatchObject({ prices: [{ currency: '' }] });
  expect(sentJson(plans[2])).toMatchObject({ note: null });
});

it('sends the halves of what is refused', async () => {
  const { plans } = drive((await experimentOn('GET /things'))!.run(), (_plan, index) => ({
    status: index === 0 ? 400 : 200,
  }));
  expect(plans).toHaveLength(3);
  expect(plans.slice(1).every(({ query }) => query !== plans[0]?.query)).toBe(true);
});

it('keeps the name by which what is made is known to be of this run', async () => {
  const { plans } = drive((await experimentOn('POST /people'))!.run(), () => ({ status: 201 }));
  const [first] = plans.map((plan) => sentJson(plan) as { name: string; tags: unknown });
  expect([first?.name.includes(world.nonce), first?.tags]).toEqual([true, []]);
});

it('comes early, and after what has to make something where it may make something itself', async () => {
  const stages = await Promise.all(
    ['GET /things', 'PUT /things/{id}', 'POST /people'].map(async (key) => (await experimentOn(key))?.stage),
  );
  expect(stages).toEqual(['lean', 'lean', 'depth']);
});

it('says that it asks for what is not there, where no call was served', async () => {
  const { plans } = drive((await experimentOn('PUT /things/{id}', { proof: null }))!.run(), () => ({ status: 404 }));
  expect(plans.every(({ intent, makes }) => intent === 'invalid' && makes === 'nothing')).toBe(true);
  expect(plans.some(({ path }) => path === '/things/7')).toBe(false);
});

it('leaves alone the one thing that there is, where no call was served: nothing could put it back', async () => {
  expect(await experimentOn('PUT /settings', { proof: null })).toBeNull();
  expect(await experimentOn('PUT /settings')).not.toBeNull();
});

it('leaves alone what takes away, and what takes no input', async () => {
  expect(await experimentOn('DELETE /things/{id}')).toBeNull();
  expect(await experimentOn('GET /things/{id}')).toBeNull();
});
