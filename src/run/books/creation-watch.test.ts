// Whose a thing is that an answer shows, where nothing in it is this run's but the number that it counts on.
import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop } from '../../../test/support/probes/world.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { Knowledge } from '../../probes/reach/knowledge.ts';
import { CreationWatch } from './creation-watch.ts';
import { Creations } from './creations.ts';
import { lineOf, reasonOf } from './made.ts';

const PRODUCTS = '/api/v1/products';
const NONCE = 'run-7';
const MARKED = { name: `assay-${NONCE}-abcdef` };

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

const created = (id: unknown, body: object = {}) =>
  exchangeWith({
    plan: { method: 'POST', path: PRODUCTS, operation: `POST ${PRODUCTS}` },
    status: 200,
    body: { id, ...body },
  });

/** The objects that are left of those that the exchanges made, the latest first, each with why. */
function left(...exchanges: ReturnType<typeof created>[]): readonly string[] {
  return leftIn(shop, ...exchanges);
}

function leftIn(description: Description, ...exchanges: ReturnType<typeof created>[]): readonly string[] {
  const [catalogue, knowledge] = [createCatalogue([description]), new Knowledge()];
  const creations = new Creations(knowledge, catalogue);
  const watch = new CreationWatch(creations, { knowledge, catalogue, nonce: NONCE });
  for (const exchange of exchanges) watch.observe(exchange);
  return creations.left().map((entry) => `${lineOf(entry)}: ${reasonOf(entry)}`);
}

it.each([
  [0, 0],
  [[], 0],
  [{}, 1],
])('is made under the name that was sent, unless the answer counts or lists: %j', async (body, made) => {
  const responses = { 200: { description: 'As told' } };
  const searching = await loadShop({
    '/books': { post: { responses } },
    '/books/{id}': { get: { responses } },
    '/books/search': { post: { responses } },
  });
  const sent = { kind: 'json', value: MARKED } as const;
  const asked = (path: string) =>
    exchangeWith({ plan: { method: 'POST', path, operation: `POST ${path}`, body: sent }, status: 200, body });
  expect(leftIn(searching, asked('/books'))).toHaveLength(made);
  expect(leftIn(searching, asked('/books/search'))).toHaveLength(made);
});

it('may have an id that no text of Unicode is, whatever the status', () => {
  expect(left(created('\ud800'))).toHaveLength(1);
});

describe('a thing that an answer shows which repeats nothing of this run', () => {
  it("is this run's where its number is above one that the operation gave to this run", () => {
    const [line] = left(created(8, MARKED), created(9));
    expect(line).toBe(`POST ${PRODUCTS} → 9: it was not deleted in time`);
  });

  it.each([
    ['its number is below', 7, created(8, MARKED)],
    ['ids are no numbers', 'a9', created('a8', MARKED)],
    ['that one is not known to be given to this run', 9, created(8)],
  ])("may be somebody else's where %s", (_why, id, first) => {
    expect(left(first, created(id))[0]).toContain('nothing in the answer shows that this run made it');
  });
});
