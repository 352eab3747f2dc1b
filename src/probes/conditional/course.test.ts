// Tests that what was there before has its values back in the end, wherever its requests wrap them.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import { conditionalExperiments } from './family.ts';

const text = { type: 'string', minLength: 1, maxLength: 80 };
const SETTINGS = { title: text, pages: { type: 'integer', minimum: 1, maximum: 5_000 } };
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });
const BEFORE = { title: 'Theirs', pages: 3 };

/** The settings after the course, where this wraps the members that are sent and shown; and how often they were written. */
async function after(wrapper: string | null) {
  const around = (members: unknown) => (wrapper === null ? members : { [wrapper]: members });
  const schemaOf = (members: object) => (wrapper === null ? members : object({ [wrapper]: members }, [wrapper]));
  const content = { 'application/json': { schema: schemaOf(object(SETTINGS, Object.keys(SETTINGS))) } };
  const one = { responses: { 200: { description: 'One', content } } };
  const shop = await loadShop({ '/settings/{id}': { get: one, put: { requestBody: { content }, ...one } } });
  const world = worldWith({ contract: 'openapi', timing: { now: () => 0, sleep: async () => {} } });
  let [kept, written]: [JsonObject, number] = [BEFORE, 0];
  const reached = shop.operations.map(({ key }) => {
    const { operation, recipe, ...found } = reachedWith(world, shop, key, { id: '7' });
    const { method, service } = operation;
    const plan = { service, operation: key, method, path: '/settings/7', credential: recipe.credential };
    const proof = exchangeWith({ plan, body: around(kept) });
    return { ...found, recipe, operation: { ...operation, conditional: true as const }, proof };
  });
  for (const course of conditionalExperiments(world, reached))
    await course.converse(async (plan) => {
      const isStale = plan.method === 'PUT' && namesOther(plan, written);
      const members = sentWithin(plan, wrapper);
      if (plan.method === 'PUT' && !isStale && isObject(members)) [kept, written] = [members, written + 1];
      const headers = [['content-type', 'application/json'] as const, ['etag', `"${written}"`] as const];
      const last = exchangeWith({ plan, status: isStale ? 412 : 200, body: around(kept), headers });
      return { last, attempts: [last] };
    });
  return { kept, written };
}

/** Tells whether the request names a state that is not the present one. */
function namesOther({ headers }: RequestPlan, state: number): boolean {
  const named = headers.find(([name]) => name === 'If-Match')?.[1] ?? '*';
  return named !== '*' && !named.includes(`"${state}"`);
}

function sentWithin({ body }: RequestPlan, wrapper: string | null): unknown {
  const sent = body.kind === 'json' && isObject(body.value) ? body.value : {};
  return wrapper === null ? sent : sent[wrapper];
}

it.each([null, 'data', 'settings'])(
  'settings that are sent within %s have their values back in the end',
  async (wrapper) => {
    const { kept, written } = await after(wrapper);
    expect(written).toBeGreaterThan(2);
    expect(kept).toEqual(BEFORE);
  },
);
