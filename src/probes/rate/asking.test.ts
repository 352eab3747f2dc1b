import { expect, it } from 'vitest';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { oneOfEachKind } from './asking.ts';

it('asks operations without ids before those that name what another account may own', async () => {
  const responses = { 200: { description: 'Yes' } };
  const methods = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { responses }]));
  const description = await loadShop({
    '/a/{aId}': methods('get', 'put', 'patch'),
    '/a/{aId}/b/{bId}': methods('get', 'head', 'options'),
    '/a': methods('get', 'post'),
  });
  const keys = ['PUT /a/{aId}', 'PATCH /a/{aId}', 'HEAD /a/{aId}/b/{bId}', 'OPTIONS /a/{aId}/b/{bId}', 'POST /a'];
  const world = worldWith();
  const all = ['GET /a', 'GET /a/{aId}', ...keys].map((key) => reachedWith(world, description, key));
  const [known] = all;
  if (known === undefined) throw new Error('nothing is described');
  const asked = oneOfEachKind(all, known).map(({ operation }) => operation.key);
  expect(asked[0]).toBe('POST /a');
  expect(asked.slice(1, 3).toSorted()).toEqual(['PATCH /a/{aId}', 'PUT /a/{aId}']);
});
