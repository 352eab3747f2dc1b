import { expect, test } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { operationOf, shopDocument } from '../../../test/support/probes/world.ts';
import { withOwnId } from './own-id.ts';

const ok = { responses: { 200: { description: 'x' } } };
const BOOKS = { '/books/{book_id}': { put: ok, patch: ok, post: ok }, '/books/{book_id}/pages': { put: ok } };

test.each<[string, string, Record<string, unknown>, Record<string, unknown>]>([
  ['its id', 'PUT /books/{book_id}', { id: 3, title: 'a' }, { id: 8, title: 'a' }],
  ['the name of the parameter', 'PATCH /books/{book_id}', { bookId: 'x', id: 3 }, { bookId: '8', id: 3 }],
  [
    'a resource object',
    'PATCH /books/{book_id}',
    { data: { type: 'books', id: 'x', attributes: {} } },
    { data: { type: 'books', id: '8', attributes: {} } },
  ],
  ['no id', 'PUT /books/{book_id}', { title: 'a' }, { title: 'a' }],
  ['an id of another form', 'PUT /books/{book_id}', { id: { of: 'b' } }, { id: { of: 'b' } }],
  ['an id below the thing', 'PUT /books/{book_id}/pages', { id: 3 }, { id: 3 }],
  ['an id to a call that changes nothing', 'POST /books/{book_id}', { id: 3 }, { id: 3 }],
])('a write of %s names what its path names', async (_what, key, body, expected) => {
  const description = await loadFiles({ 'd.json': shopDocument(BOOKS as never) });
  expect(withOwnId(operationOf(description, key), { book_id: '8' }, body)).toEqual(expected);
});
