import { expect, it } from 'vitest';
import { loadShop, operationOf } from '../../test/support/probes/world.ts';
import { isWrittenTo } from './kind.ts';

const ANSWERS = { responses: { 200: { description: 'Done' } } };
const ID = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] };

it.each([
  ['nothing else', {}, {}, false],
  ['a DELETE', { delete: ANSWERS }, {}, false],
  ['a POST that changes it', { post: ANSWERS }, {}, true],
  ['a PATCH', { patch: ANSWERS }, {}, true],
  ['an action on it', {}, { '/things/{id}/close': { ...ID, post: ANSWERS } }, true],
])('beside its readings %s writes to an item, or does not', async (_words, atItem, below, expected) => {
  const description = await loadShop({
    '/things': { get: ANSWERS, post: ANSWERS },
    '/things/{id}': { ...ID, get: ANSWERS, ...atItem },
    ...below,
  });
  const none = { lister: null, amender: null, replacer: null, remover: null };
  const reader = operationOf(description, 'GET /things/{id}');
  const kind = { ...none, description, creator: operationOf(description, 'POST /things'), reader };
  expect(isWrittenTo(kind)).toBe(expected);
});
