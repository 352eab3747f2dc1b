import { expect, it } from 'vitest';
import { drive, loadShop, operationOf, sentJson, worldWith } from '../../../test/support/probes/world.ts';
import type { Reached } from '../world.ts';
import { keepShown } from './as-shown.ts';
import { reach } from './reach.ts';

const made = { 201: { description: 'Made' } };
const text = { type: 'string' };

async function reached(
  properties: Record<string, unknown>,
  answering: (body: Record<string, unknown>) => string | null,
) {
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const content = { 'application/json': { schema } };
  const described = await loadShop({
    '/parts': { post: { requestBody: { required: true, content }, responses: made } },
    '/flavors': { get: { responses: { 200: { description: 'Read' } } } },
  });
  const world = worldWith({ contract: 'openapi' });
  world.knowledge.noteListed('/flavors', [
    { id: 'f-1', name: 'sweet' },
    { id: 'f-2', name: 'sour' },
  ]);
  world.knowledge.share();
  const arrivals: Reached[] = [];
  const course = reach(
    world,
    described,
    operationOf(described, 'POST /parts'),
    (one) => arrivals.push(one),
    () => {},
  );
  const { plans } = drive(course, (plan) => {
    const message = answering(sentJson(plan) as Record<string, unknown>);
    return message === null ? { status: 201 } : { status: 404, body: { detail: ['KeyError', message] } };
  });
  return { bodies: plans.map((plan) => sentJson(plan) as Record<string, unknown>), arrivals };
}

it('names another thing of the kind that a refusal names, by what it says that it is called', async () => {
  const { arrivals, bodies } = await reached({ flavor: text, note: text }, ({ flavor }) =>
    flavor === 'sour' ? null : `No flavor with name '${flavor}' exists`,
  );
  expect(arrivals[0]?.proof).not.toBeNull();
  expect(bodies.length).toBeLessThanOrEqual(3);
});

it('finds what a member refers to whose own name does not tell', async () => {
  const { arrivals } = await reached({ thing: text }, ({ thing }) =>
    thing === 'f-1' ? null : `A part needs an ice flavor with ID ${thing}, which was not found among parts`,
  );
  expect(arrivals[0]?.proof).not.toBeNull();
});

it('names another of what is missed, and not of what it is missed in', async () => {
  const { bodies } = await reached(
    { project: text, flavor: text },
    ({ flavor, project }) => `The flavor with ID ${flavor} was not found in the '${project}' project`,
  );
  expect(bodies.map(({ flavor }) => flavor)).toContain('f-2');
  expect(new Set(bodies.map(({ project }) => String(project).slice(0, 5))).has('f-1')).toBe(false);
});

it('names another in the query as well', async () => {
  const parameters = [{ name: 'of', in: 'query', required: true, schema: text }];
  const described = await loadShop({ '/parts': { get: { parameters, responses: made } } });
  const world = worldWith({ contract: 'openapi' });
  world.knowledge.noteListed('/flavors', [{ id: 'f-1' }]);
  world.knowledge.share();
  const course = reach(
    world,
    described,
    operationOf(described, 'GET /parts'),
    () => {},
    () => {},
  );
  const { plans } = drive(course, ({ query = '' }) =>
    query === 'of=f-1' ? {} : { status: 404, body: { message: `There is no flavor ${query.slice(3)}` } },
  );
  expect(plans.at(-1)?.query).toBe('of=f-1');
});

it('names another within a list, of the kind that two words name', async () => {
  const parts = { type: 'array', minItems: 1, items: { type: 'object', required: ['of'], properties: { of: text } } };
  const { arrivals } = await reached({ parts }, ({ parts: [part] = [] }: { parts?: { of?: string }[] }) =>
    part?.of === 'f-1' ? null : `Unable to get flavor with ID '${part?.of}'`,
  );
  expect(arrivals[0]?.proof).not.toBeNull();
});

it('sends together what belongs to one thing, where a refusal repeats it together', async () => {
  const schema = { type: 'object', required: ['flavor', 'kind'], properties: { flavor: text, kind: text } };
  const content = { 'application/json': { schema } };
  const described = await loadShop({
    '/parts': { post: { requestBody: { required: true, content }, responses: made } },
    '/flavors': { get: { responses: made } },
  });
  const world = worldWith({ contract: 'openapi' });
  const flavors = ['sweet', 'sour'].map((name) => ({ name, body: { kind: `${name}-kind` } }));
  world.knowledge.noteListed('/flavors', flavors);
  world.knowledge.noteListed('/kinds', [{ name: 'odd' }, { name: 'even' }]);
  keepShown(world, operationOf(described, 'GET /flavors'), flavors);
  world.knowledge.share();
  const course = reach(
    world,
    described,
    operationOf(described, 'POST /parts'),
    () => {},
    () => {},
  );
  const { plans } = drive(course, (plan) => {
    const { flavor, kind } = sentJson(plan) as Record<string, string>;
    const isKnown = flavor === 'sour' && kind === 'sour-kind';
    return isKnown
      ? {}
      : { status: 404, body: { message: `No flavor with name '${flavor}' and kind '${kind}' exists.` } };
  });
  expect(sentJson(plans.at(-1)!)).toEqual({ flavor: 'sour', kind: 'sour-kind' });
});

it('names another in each object of a list that is the body', async () => {
  const item = { type: 'object', required: ['of'], properties: { of: { type: 'string', format: 'uuid' } } };
  const content = { 'application/json': { schema: { type: 'array', minItems: 1, items: item } } };
  const described = await loadShop({
    '/parts': { post: { requestBody: { required: true, content }, responses: made } },
  });
  const world = worldWith({ contract: 'openapi' });
  const id = 'ee411bc1-2814-43ea-8dc1-30d895ce4608';
  world.knowledge.noteListed('/flavors', [{ id }]);
  world.knowledge.share();
  const course = reach(
    world,
    described,
    operationOf(described, 'POST /parts'),
    () => {},
    () => {},
  );
  const { plans } = drive(course, (plan) => {
    const [{ of: flavor }] = sentJson(plan) as [{ of: string }];
    return flavor === id ? {} : { status: 404, body: { message: `flavor with ID ${flavor} not found` } };
  });
  expect(sentJson(plans.at(-1)!)).toContainEqual({ of: id });
});

it('names in the query what a refusal misses, though it need not be there, and nothing that it does not speak of', async () => {
  const queries = async (message: string): Promise<readonly (string | undefined)[]> => {
    const parameters = ['note', 'flavor_id'].map((name) => ({ name, in: 'query', schema: text }));
    const described = await loadShop({ '/parts': { get: { parameters, responses: made } } });
    const world = worldWith({ contract: 'openapi' });
    world.knowledge.noteListed('/flavors', [{ id: 'f-1' }]);
    world.knowledge.share();
    const course = reach(
      world,
      described,
      operationOf(described, 'GET /parts'),
      () => {},
      () => {},
    );
    const { plans } = drive(course, ({ query = '' }) =>
      query === 'flavor_id=f-1' ? {} : { status: 404, body: { detail: message } },
    );
    return plans.map(({ query }) => query);
  };
  expect((await queries('No Flavor matches the given query.')).at(-1)).toBe('flavor_id=f-1');
  expect((await queries('No note matches.')).join('')).toBe('');
});

it('leaves out what need not be there, where a refusal repeats it and nothing of the kind is known', async () => {
  const content = {
    'application/json': {
      schema: { type: 'object', properties: { vendor: { type: 'string', format: 'uuid' }, size: { type: 'integer' } } },
      example: { vendor: 'ee411bc1-2814-43ea-8dc1-30d895ce4608', size: 3 },
    },
  };
  const described = await loadShop({
    '/parts': { post: { requestBody: { required: true, content }, responses: made } },
  });
  const course = reach(
    worldWith({ contract: 'openapi' }),
    described,
    operationOf(described, 'POST /parts'),
    () => {},
    () => {},
  );
  const { plans } = drive(course, (plan) => {
    const { vendor } = sentJson(plan) as { vendor?: string };
    return vendor === undefined ? {} : { status: 404, body: { message: `The vendor with ID ${vendor} was not found` } };
  });
  expect(plans.map(sentJson)).toEqual([expect.objectContaining({ size: 3 }), { size: 3 }]);
});

it('leaves a name of its own that is taken, and ends', async () => {
  const { bodies, arrivals } = await reached({ name: text }, ({ name }) => `flavor ${name} exists`);
  for (const { name } of bodies) expect(name).toContain('run-7');
  expect(arrivals).toMatchObject([{ proof: null }]);
});
