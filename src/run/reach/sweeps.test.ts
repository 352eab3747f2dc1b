import { expect, it } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import { createCatalogue, type Described } from '../../openapi/model/catalogue.ts';
import { neverCalled } from './order.ts';
import { reachesOthers } from './sweeps.ts';

/** A POST that is told by a member of its body what to do, beside others. */
async function commanded(properties: Record<string, unknown>, others: readonly string[] = []): Promise<Described> {
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  const responses = { 200: { description: 'as told' } };
  const post = { requestBody: { content: { 'application/json': { schema } } }, responses };
  const paths = Object.fromEntries(others.map((path) => [path, { get: { responses } }]));
  const shop = await loadShop({ ...paths, '/server': { ...paths['/server'], post } });
  return createCatalogue([shop]).match('POST', '/server') as Described;
}

it.each([
  [{ operation: { enum: ['reload', 'shutdown'] } }, [], 'never called'],
  [{ operation: { enum: ['cleanup', 'vacuum'] } }, [], 'as one that takes away'],
  [{ operation: { enum: ['reload', 'vacuum'] } }, [], 'as any other'],
  [{ state: { enum: ['reset', 'shutdown'] } }, [], 'as any other'],
  // A record of what was done, and what is done to a thing.
  [{ action: { enum: ['delete', 'shutdown'] } }, ['/server'], 'as any other'],
  [{ action: { enum: ['delete', 'restart'] }, vm_id: { type: 'string' } }, [], 'as any other'],
] as const)('a call that is told %j beside %j is called %s', async (properties, others, called) => {
  const one = await commanded(properties, others);
  const found =
    neverCalled(one) !== null ? 'never called' : reachesOthers(one) ? 'as one that takes away' : 'as any other';
  expect(found).toBe(called);
});
