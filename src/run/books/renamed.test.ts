import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop } from '../../../test/support/probes/world.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { Knowledge } from '../../probes/reach/knowledge.ts';
import { CreationWatch } from './creation-watch.ts';
import { Creations } from './creations.ts';

const PRODUCTS = '/api/v1/products';

function idsLeft(
  shop: Description,
  knowledge: Knowledge,
  ...exchanges: readonly Exchange[]
): readonly (string | null)[] {
  const catalogue = createCatalogue([shop]);
  const creations = new Creations(knowledge, catalogue);
  const watch = new CreationWatch(creations, { knowledge, catalogue, nonce: 'run-7' });
  for (const exchange of exchanges) watch.observe(exchange);
  return creations.left().map(({ id }) => id);
}

const A = exchangeWith({
  plan: { method: 'POST', path: PRODUCTS, operation: `POST ${PRODUCTS}` },
  status: 201,
  body: { id: 'a' },
});
const renamed = (name: unknown, shown = name, id = 'a') =>
  exchangeWith({
    plan: {
      ...{ method: 'PATCH', path: `${PRODUCTS}/${id}`, operation: `PATCH ${PRODUCTS}/{productId}` },
      body: { kind: 'json', value: { id: name } },
    },
    body: { id: shown },
  });
const deleted = (id: string) =>
  exchangeWith({ plan: { method: 'DELETE', path: `${PRODUCTS}/${id}`, operation: 'DELETE x' }, status: 204 });

it('a thing is at its other name, too, once a change has given it one that the answer shows', async () => {
  const left = idsLeft.bind(null, await loadShop(), new Knowledge());
  expect(left(A, renamed('\u{1f9ea}'))).toEqual(['\u{1f9ea}', 'a']);
  expect(left(A, renamed('b'), deleted('b'), renamed('b'))).toEqual(['b', 'a']);
});

it('and not where the answer does not show it, or it may be the name of something else', async () => {
  const left = idsLeft.bind(null, await loadShop());
  expect(left(new Knowledge(), A, renamed('b', 'a'), renamed(7), renamed('-1'), renamed('c', 'c', 'x'))).toEqual(['a']);
  const knowledge = new Knowledge();
  knowledge.noteListed(PRODUCTS, [{ id: 'theirs' }]);
  expect(left(knowledge, A, renamed('theirs'))).toEqual(['a']);
});

it('a thing is there again where its number is given to the next one, unless a key makes the answer a replay', async () => {
  const left = idsLeft.bind(null, await loadShop(), new Knowledge());
  expect(left(A, deleted('a'), A)).toEqual(['a']);
  expect(left(A, deleted('a'), A, deleted('a'))).toEqual([]);
  const keyed = { ...A, plan: { ...A.plan, headers: [['Idempotency-Key', 'k-1'] as const] } };
  expect(left(keyed, deleted('a'), keyed)).toEqual([]);
});
