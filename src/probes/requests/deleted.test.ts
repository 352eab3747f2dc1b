import { beforeAll, expect, it } from 'vitest';
import { drive, inWords, loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { deletedExperiment } from './deleted.ts';

const ITEM = '/api/v1/products/{productId}';
let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

/** `after`: what readings after the deletion are answered, one after another; the last one from then on. */
function deleted(contract: 'commerce' | 'openapi', ...after: readonly number[]) {
  const world = worldWith({ contract });
  const reached = (key: string) => reachedWith(world, shop, key, { productId: 'prd_old' });
  const [deleter, reader] = [reached(`DELETE ${ITEM}`), reached(`GET ${ITEM}`)];
  const experiment = deletedExperiment(world, deleter, reached('POST /api/v1/products'), reader);
  if (experiment === null) return null;
  const sent: string[] = [];
  const { outcomes } = drive(experiment.run(), ({ method, path }: RequestPlan) => {
    sent.push(`${method} ${path}`);
    if (method === 'POST') return { status: 201, body: { id: 'prd_new' } };
    const since = sent.slice(sent.findIndex((line) => line.startsWith('DELETE'))).length - 2;
    const isDeleted = sent.some((line) => line.startsWith('DELETE'));
    const status = method === 'DELETE' ? 204 : isDeleted ? (after[since] ?? after.at(-1)) : 200;
    return { status, body: { id: 'prd_new' } };
  });
  return { sent, said: inWords(outcomes) };
}

it('an object made for the purpose is read, deleted and read again', () => {
  expect(deleted('openapi', 404)).toEqual({
    sent: [
      'POST /api/v1/products',
      'GET /api/v1/products/prd_new',
      'DELETE /api/v1/products/prd_new',
      'GET /api/v1/products/prd_new',
    ],
    said: ['REQ-02 holds'],
  });
});

it('what is still served is found', () => {
  expect(deleted('openapi', 200)?.said).toEqual(['REQ-02 breached: a deleted object is still served']);
});

it('what is served a little longer is waited for', () => {
  const late = deleted('openapi', 200, 200, 200, 404);
  expect(late?.said).toEqual(['REQ-02 holds']);
  expect(late?.sent.filter((line) => line.startsWith('GET'))).toHaveLength(5);
});

it('the contract commerce does not speak of it', () => {
  expect(deleted('commerce', 200)).toBeNull();
});
