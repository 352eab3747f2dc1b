// REQ-02 on what lies below something that is not there: told only where the target says itself that the parent is not there.
import { beforeAll, expect, test } from 'vitest';
import type { Changes } from '../../../test/support/checks/exchanges.ts';
import { drive, inWords, loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { unknownIdExperiments, zeroIdExperiments } from './unknown-ids.ts';

const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const get = { responses: { 200: { description: 'Read' }, 404: { description: 'Not there' } } };

let description: Description;
beforeAll(async () => {
  description = await loadShop({
    '/tenants/{tenant_name}': { parameters: [parameter('tenant_name')], get },
    '/tenants/{tenant}/boxes/{id}': { parameters: [parameter('tenant'), parameter('id')], get },
    '/shelves/{shelf}': { parameters: [parameter('shelf')], get },
    '/shelves/{shelf}/books/{id}': { parameters: [parameter('shelf'), parameter('id')], get },
    '/locales/{locale}/pages/{id}': { parameters: [parameter('locale'), parameter('id')], get },
  });
});

const world = worldWith({ contract: 'openapi' });

/** The result of the experiment on the first parameter of the operation, and the operations that it asks for. */
function asked(key: string, values: Record<string, string>, answering: (plan: RequestPlan) => Changes) {
  const experiments = unknownIdExperiments(world, reachedWith(world, description, key, values));
  const driven = drive(experiments.at(-1)!.run(), answering);
  const weights = driven.outcomes.flatMap(({ judgement }) =>
    judgement.kind === 'breached' ? judgement.breaches.map(({ weight, code }) => `${weight} ${code}`) : [],
  );
  return { weights, words: inWords(driven.outcomes), operations: driven.plans.map(({ operation }) => operation) };
}

const BOX = ['GET /tenants/{tenant}/boxes/{id}', { tenant: 'acme', id: 'b1' }] as const;
const isBelow = ({ path }: RequestPlan): boolean => /boxes|books|pages/.test(path);

test('a thing that is served below a tenant which is not there is a breach', () => {
  const { weights, operations } = asked(...BOX, (plan) => (isBelow(plan) ? { body: { id: 'b1' } } : { status: 404 }));
  expect(weights).toEqual(['breach req-02.below-unknown']);
  expect(operations).toEqual([BOX[0], 'GET /tenants/{tenant_name}']);
});

test('below a parent that keeps nobody apart it is an advisory', () => {
  const key = 'GET /shelves/{shelf}/books/{id}';
  const { weights } = asked(key, { shelf: 's1', id: 'b1' }, (plan) => (isBelow(plan) ? {} : { status: 404 }));
  expect(weights).toEqual(['advisory req-02.below-unknown']);
});

test('a parent that is served whatever it is called, or that nothing reads, is only observed', () => {
  expect(asked(...BOX, () => ({})).weights).toEqual(['observation req-02.served.path.tenant']);
  const page = 'GET /locales/{locale}/pages/{id}';
  const { weights, operations } = asked(page, { locale: 'en', id: 'p1' }, () => ({}));
  expect(weights).toEqual(['observation req-02.served.path.locale']);
  expect(operations).toEqual([page]);
});

test.each([[[]], [{}], [null], [{ items: [], total: 0, page: { size: 20 } }]])(
  '%j below what is not there shows nothing of anybody',
  (body) => {
    const { weights, operations } = asked(...BOX, () => ({ body }));
    expect(weights).toEqual(['observation req-02.served.path.tenant']);
    expect(operations).toEqual([BOX[0]]);
  },
);

test.each([[{ id: 7, tags: [] }], [{ name: 'x', tags: [] }], [[{}]]])('%j below it shows something', (body) => {
  const { weights } = asked(...BOX, (plan) => (isBelow(plan) ? { body } : { status: 404 }));
  expect(weights).toEqual(['breach req-02.below-unknown']);
});

test('a thing that is not served there is asked for once', () => {
  const { words, operations } = asked(...BOX, () => ({ status: 404 }));
  expect(words).toEqual(['REQ-02 holds']);
  expect(operations).toEqual([BOX[0]]);
});

test('0 is asked for where ids are numbers, and changed only where a reading says that it is not there', async () => {
  const id = (schema: object) => [{ ...parameter('id'), schema }];
  const answers = { responses: { 200: { description: 'Done' } } };
  const todos = await loadShop({
    '/todos/{id}': { parameters: id({ type: 'integer' }), get, put: answers },
    '/notes/{id}': { parameters: id({ type: 'integer' }), put: answers },
    '/rows/{id}': { parameters: id({ type: 'integer', minimum: 1 }), get },
    '/words/{id}': { parameters: id({ type: 'string' }), get },
  });
  const sent = (key: string, status: number): readonly string[] =>
    zeroIdExperiments(world, reachedWith(world, todos, key, { id: '7' })).flatMap((one) =>
      drive(one.run(), () => ({ status })).plans.map(({ method, path }) => `${method} ${path}`),
    );
  expect(sent('GET /todos/{id}', 200)).toEqual(['GET /todos/0']);
  expect(sent('PUT /todos/{id}', 404)).toEqual(['GET /todos/0', 'PUT /todos/0']);
  expect(sent('PUT /todos/{id}', 200)).toEqual(['GET /todos/0']);
  for (const key of ['PUT /notes/{id}', 'GET /rows/{id}', 'GET /words/{id}']) expect(sent(key, 404)).toEqual([]);
});
