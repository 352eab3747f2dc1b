import { expect, test } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { operationOf, shopDocument } from '../../../test/support/probes/world.ts';
import type { Wrapper } from '../../facts/wrapper.ts';
import { changedThing, withOwnId } from './own-id.ts';

const ok = { responses: { 200: { description: 'x' } } };
const BOOKS = { '/books/{book_id}': { put: ok, patch: ok, post: ok }, '/books/{book_id}/pages': { put: ok } };

test.each<[string, string, Record<string, unknown>, Record<string, unknown>, Wrapper?]>([
  ['its id', 'book_id', { id: 3, title: 'a' }, { id: 8, title: 'a' }],
  ['the name of the parameter', 'book_id', { bookId: 'x', id: 3 }, { bookId: '8', id: 3 }],
  ['the member that the parameter asks for', 'book_name', { name: 'x', title: 'a' }, { name: '8', title: 'a' }],
  [
    'a resource object',
    'book_id',
    { data: { type: 'books', id: 'x', attributes: {} } },
    { data: { type: 'books', id: '8', attributes: {} } },
    ['data', 'attributes'],
  ],
  ['the wrapped thing', 'book_id', { book: { id: 'x', title: 'a' } }, { book: { id: '8', title: 'a' } }, ['book']],
  ['no id', 'book_id', { title: 'a' }, { title: 'a' }],
  ['an id of another form', 'book_id', { id: { of: 'b' } }, { id: { of: 'b' } }],
  ['an id of something within', 'book_id', { data: { id: 'x' } }, { data: { id: 'x' } }],
])('a body with %s names the thing', (_what, parameter, body, expected, wrapper) => {
  expect(withOwnId(body, { id: '8', parameter }, wrapper)).toEqual(expected);
});

test.each<[string, string, boolean]>([
  ['a replacement', 'PUT /books/{book_id}', true],
  ['an update', 'PATCH /books/{book_id}', true],
  ['a call below the thing', 'PUT /books/{book_id}/pages', false],
  ['a call that changes nothing', 'POST /books/{book_id}', false],
])('%s is for the thing that its path names, or for none', async (_what, key, isNamed) => {
  const description = await loadFiles({ 'd.json': shopDocument(BOOKS as never) });
  const thing = changedThing(operationOf(description, key), { book_id: '8' });
  expect(thing).toEqual(isNamed ? { id: '8', parameter: 'book_id' } : null);
});
