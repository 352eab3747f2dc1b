// The state that conditional writes name: what was shown last, what is read for the purpose, and what is left as a probe has it.
import { beforeAll, expect, test } from 'vitest';
import { errorObject } from '../../../test/support/checks/exchanges.ts';
import { loadShop, operationOf, worldWith } from '../../../test/support/probes/world.ts';
import { benchWith, type Script } from '../../../test/support/run/test-session.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { firstRecipe, planOf, type Recipe } from '../../probes/reach/recipe.ts';
import { drawFor } from '../../probes/world.ts';

const [PUT, DELETE, CREATE] = ['PUT /docs/{id}', 'DELETE /docs/{id}', 'POST /docs'];
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const header = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });
const text = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string' }, version: { type: 'integer' } },
};
const body = { required: true, content: { 'application/json': { schema: text } } };
const responses = { 200: { description: 'As told', content: { 'application/json': { schema: text } } } };

let docs: Description;
beforeAll(async () => {
  docs = await loadShop({
    '/docs': { post: { requestBody: body, responses } },
    '/docs/{id}': {
      parameters: [id],
      get: { responses },
      put: { parameters: [header('If-Match')], requestBody: body, responses },
      delete: { parameters: [{ name: 'rev', in: 'query', required: true, schema: { type: 'string' } }], responses },
    },
  });
});

const world = worldWith({ contract: 'openapi' });
const from = drawFor(world, 'test');

function recipeOf(key: string, change: Partial<Recipe> = {}): Recipe {
  return { ...firstRecipe(docs, operationOf(docs, key), { id: 'd1' }, { kind: 'none' }, from), ...change };
}

async function sent(script: Script, ...plans: readonly RequestPlan[]) {
  const bench = benchWith(docs, script, { inRun: () => false, contract: 'openapi' });
  for (const plan of plans) await bench.session.send(plan);
  return bench.plans.map(({ method, headers, query, body: { kind, ...rest } }) => ({
    method,
    headers,
    query,
    kind,
    ...rest,
  }));
}

/** A thing whose tag counts its writes; a stale one is refused. */
function versioned(first = 1): Script {
  let version = first;
  const shown = () =>
    ({
      headers: [
        ['content-type', 'application/json'],
        ['etag', `"v${version}"`],
      ],
      body: { id: 'd1', text: 'a', version },
    }) as const;
  return ({ method, headers }) => {
    const match = headers.find(([name]) => name === 'If-Match')?.[1];
    if (method === 'PUT' && match !== `"v${version}"`)
      return { status: 412, body: { error: errorObject({ status: 412 }) } };
    if (method === 'PUT') version += 1;
    return shown();
  };
}

const matches = (lines: Awaited<ReturnType<typeof sent>>) =>
  lines.map(({ method, headers }) => `${method} ${headers.find(([name]) => name === 'If-Match')?.[1] ?? ''}`.trim());

test('a conditional write names the tag that is read for it, and then the one that the write answered', async () => {
  const plan = planOf(recipeOf(PUT), 'test', from);
  expect(matches(await sent(versioned(), plan, plan))).toEqual(['GET', 'PUT "v1"', 'PUT "v2"']);
});

test('a write that is refused for a state which has changed since is sent once more', async () => {
  const plan = planOf(recipeOf(PUT), 'test', from);
  const inner = versioned(5);
  // The first reading comes from a cache.
  const stale: Script = (one, index) =>
    index === 0 ? { headers: [['etag', '"v4"']], body: { id: 'd1' } } : inner(one, index);
  expect(matches(await sent(stale, plan))).toEqual(['GET', 'PUT "v4"', 'GET', 'PUT "v5"']);
});

test('a tag that a probe spoils stays as it is, and strangers read nothing', async () => {
  const spoiled = planOf({ ...recipeOf(PUT), headers: [['If-Match', '"old"']] }, 'test', from, {
    headers: [['If-Match', '"older"']],
    intent: 'invalid',
  });
  const stranger = planOf(recipeOf(PUT), 'test', from, { intent: 'unauthenticated' });
  expect(matches(await sent(versioned(), spoiled))).toEqual(['GET', 'PUT "older"']);
  expect(matches(await sent(versioned(), stranger))).toEqual(['PUT *']);
});

test('what a create answers tells the state of what it made', async () => {
  const create = planOf(recipeOf(CREATE), 'test', from);
  const write = planOf(recipeOf(PUT), 'test', from);
  const script: Script = ({ method }) =>
    method === 'POST'
      ? {
          status: 201,
          headers: [
            ['content-type', 'application/json'],
            ['etag', '"new"'],
          ],
          body: { id: 'd1' },
        }
      : { body: {} };
  expect(matches(await sent(script, create, write))).toEqual(['POST', 'PUT "new"']);
});

test('a version goes where members and parameters ask for it; where nothing is there an optional one is left out', async () => {
  const inQuery = recipeOf(DELETE, { query: [['rev', '*']], asRead: [{ in: 'query', name: 'rev' }] });
  const inBody = recipeOf(PUT, { headers: [], asRead: [{ in: 'body', name: 'version', optional: true }] });
  const there = await sent(versioned(7), planOf(inQuery, 'test', from), planOf(inBody, 'test', from));
  expect(there[1]).toMatchObject({ method: 'DELETE', query: 'rev=v7' });
  expect(there.at(-1)).toMatchObject({ method: 'PUT', value: { version: 7 } });
  const nothing: Script = ({ method }) => (method === 'GET' ? { status: 404 } : { status: 201, body: { id: 'd1' } });
  const anew = await sent(nothing, planOf(inBody, 'test', from));
  expect(anew.at(-1)).not.toHaveProperty('value.version');
});
