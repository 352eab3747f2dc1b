import { expect, it } from 'vitest';
import { drive, loadShop, reachedWith, sentJson, worldWith } from '../testing/world.ts';
import type { World } from '../world.ts';
import { pairedInputExperiment } from './paired-inputs.ts';

const THING = {
  type: 'object',
  required: ['count', 'color'],
  properties: { count: { type: 'integer', minimum: 0, maximum: 9 }, color: { enum: ['red', 'green'] } },
};

async function experimentOn(method: string, path: string, world: World = worldWith()) {
  const parameters = [...path.matchAll(/\{(.*?)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: {},
  }));
  const requestBody = { required: true, content: { 'application/json': { schema: THING } } };
  const operation = { parameters, requestBody, responses: { 200: { description: 'Done' } } };
  const things = await loadShop({ [path]: { [method]: operation } });
  return pairedInputExperiment(world, reachedWith(world, things, `${method.toUpperCase()} ${path}`, { id: '1' }));
}

it('sends each pair of bounds and listed values in one request', async () => {
  const experiment = await experimentOn('post', '/a');
  const { plans } = drive(experiment!.run(), () => ({ status: 200 }));
  const pairs = plans.map(sentJson).map((body) => JSON.stringify(body));
  // The body of the plain request is one of the four, and was sent before.
  expect(new Set(pairs).size).toBe(pairs.length);
  expect(pairs.length).toBeGreaterThanOrEqual(3);
  expect(plans.every(({ intent }) => intent === undefined)).toBe(true);
});

it('sets back what an update changed', async () => {
  const experiment = await experimentOn('put', '/a/{id}');
  expect(drive(experiment!.run(), () => ({ status: 200 })).plans.at(-1)?.probe).toBe('depth/pairs/restored');
});

it('ends where all of it is refused', async () => {
  const experiment = await experimentOn('put', '/a/{id}');
  const { plans } = drive(experiment!.run(), () => ({ status: 422 }));
  expect(plans.length).toBeLessThanOrEqual(4);
  expect(plans.at(-1)?.probe).toBe('depth/pairs');
});

it('is left out where what is made stays, where money moves, and where wrong credentials may lock', async () => {
  expect(await experimentOn('post', '/a', worldWith({ lasts: () => true }))).toBeNull();
  expect(await experimentOn('post', '/a', worldWith({ isPayment: () => true }))).toBeNull();
  expect(await experimentOn('post', '/login')).toBeNull();
});
