import { expect, it } from 'vitest';
import { collectionTemplate, endsWithParameter, partedPath } from './paths.ts';

it.each([
  ['/books/7', '/books', '7'],
  ['/books/7/', '/books', '7'],
  ['/odata/Books(7)', '/odata/Books', '7'],
  ["/odata/Books('a%207')", '/odata/Books', 'a 7'],
  ['/files/Copy%20(7)', '/files', 'Copy (7)'],
  ['/files/report-(7)', '/files', 'report-(7)'],
  ['/Books(7)/Pages', '/Books(7)', 'Pages'],
])('%s names in %s the thing %s', (path, collection, id) => {
  expect(partedPath(path)).toEqual([collection, id]);
});

it.each([
  ['/books/{id}', '/books', true],
  ['/books/{id}/', '/books', true],
  ['/Books({id})', '/Books', true],
  ["/Books('{id}')", '/Books', true],
  ['/Books({id})/Pages', '/Books', false],
  ['/({id})', '', true],
  ['/Lines(order={id})', '', false],
])('%s picks from %s', (template, collection, isEnd) => {
  expect(collectionTemplate(template, 'id')).toBe(collection);
  expect(endsWithParameter(template, 'id')).toBe(isEnd);
});
