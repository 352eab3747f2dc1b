import { expect, test } from 'vitest';
import { idIn, resourceIn } from './resource.ts';

test.each<[string, unknown, unknown]>([
  ['an envelope that names the request', { data: { id: 7, title: 'a' }, request_id: 'r-1' }, { id: 7, title: 'a' }],
  ['one of an unusual name', { book: { id: 7 }, requestId: 'r-1', took: 3 }, { id: 7 }],
  ['an envelope that names a trace', { trace_id: 't', result: { _id: 'a' } }, { _id: 'a' }],
  ['a thing with data of its own', { id: 7, data: { id: 8 } }, { id: 7, data: { id: 8 } }],
  ['an event that names its own id', { event_id: 7, data: { id: 8 } }, { event_id: 7, data: { id: 8 } }],
  ['a request with data of its own', { request_id: 7, data: { text: 'a' } }, { request_id: 7, data: { text: 'a' } }],
  ['a thing that names two others', { book: { id: 7 }, shop: { id: 8 } }, { book: { id: 7 }, shop: { id: 8 } }],
])('the resource in %s', (_what, body, resource) => {
  expect(resourceIn(body)).toEqual(resource);
});

test.each<[string, unknown, readonly string[], string | null]>([
  ['a noun in the plural', { category_id: 7 }, ['category'], '7'],
  ['a resource or an entity', { entity: { id: 7 } }, [], '7'],
  ['nothing of that name', { shop_id: 7 }, ['book'], null],
])('the id of an object with %s', (_what, body, nouns, id) => {
  expect(idIn(body, nouns)).toBe(id);
});
