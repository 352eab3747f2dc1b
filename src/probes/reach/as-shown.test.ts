// A refused body made after what the target shows.
import { expect, it } from 'vitest';
import { drive, loadShop, operationOf, sentJson, worldWith } from '../../../test/support/probes/world.ts';
import type { Reached } from '../world.ts';
import { keepShown } from './as-shown.ts';
import { reach } from './reach.ts';

const text = { type: 'string' };
const STACK = {
  type: 'object',
  required: ['name', 'parts'],
  properties: {
    name: text,
    parts: { type: 'object', additionalProperties: { type: 'array', items: text } },
    owner_id: text,
    api_secret: text,
  },
};
const content = { 'application/json': { schema: STACK } };
const answers = { 200: { description: 'Done' } };
const SHOWN = {
  id: 's-1',
  name: 'usual',
  body: { parts: { engine: [{ id: 'e-1', name: 'one' }] }, owner: { id: 'o-1', name: 'me' }, api_secret: '***' },
};

async function bodiesTo(key: string, shown: readonly unknown[], takes: (body: Record<string, unknown>) => boolean) {
  const described = await loadShop({
    '/stacks': { get: { responses: answers }, post: { requestBody: { required: true, content }, responses: answers } },
    '/stacks/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      put: { requestBody: { required: true, content }, responses: answers },
    },
    '/stacks/create': { post: { requestBody: { required: true, content }, responses: answers } },
  });
  const world = worldWith({ contract: 'openapi' });
  world.knowledge.noteListed('/stacks', shown);
  keepShown(world, operationOf(described, 'GET /stacks'), shown);
  world.knowledge.share();
  const arrivals: Reached[] = [];
  const course = reach(
    world,
    described,
    operationOf(described, key),
    (one) => arrivals.push(one),
    () => {},
  );
  const { plans } = drive(course, (plan) =>
    takes(sentJson(plan) as Record<string, unknown>) ? {} : { status: 422, body: { message: 'It cannot be made.' } },
  );
  return {
    arrived: arrivals[0]?.proof != null,
    bodies: plans.map((plan) => sentJson(plan) as Record<string, unknown>),
  };
}

const isSound = ({ parts }: Record<string, unknown>): boolean => JSON.stringify(parts) === '{"engine":["e-1"]}';

it.each(['POST /stacks', 'POST /stacks/create'])(
  '%s sends what a thing of the kind shows, ids in place of the things in it, under a name of its own',
  async (key) => {
    const { arrived, bodies } = await bodiesTo(key, [SHOWN], isSound);
    expect(arrived).toBe(true);
    expect(bodies.at(-1)?.name).not.toBe('usual');
  },
);

it('sends what need not be there where the rest is refused, and no secret as it is masked', async () => {
  const { arrived, bodies } = await bodiesTo(
    'POST /stacks',
    [SHOWN],
    (body) => isSound(body) && body.owner_id === 'o-1',
  );
  expect(arrived).toBe(true);
  expect(bodies.every((body) => body.api_secret !== '***')).toBe(true);
});

it('writes back what the thing itself holds', async () => {
  const other = { ...SHOWN, id: 's-2', name: 'other', body: { parts: { engine: [{ id: 'e-2' }] } } };
  const { bodies } = await bodiesTo('PUT /stacks/{id}', [other, SHOWN], () => false);
  expect(bodies.find(({ name }) => name === 'usual' || name === 'other')?.name).toBe('other');
});

it('ends where nothing is shown, or nothing of it is taken', async () => {
  expect((await bodiesTo('POST /stacks', [], () => false)).arrived).toBe(false);
  expect((await bodiesTo('POST /stacks', [SHOWN], () => false)).bodies.length).toBeLessThan(20);
});
