import { expect, test } from 'vitest';
import { idInOwnAddress } from './own-address.ts';

test.each<[string, Record<string, unknown>, string | null]>([
  ['HAL', { _links: { self: { href: 'https://api.example.com/v1/books/8' } } }, '8'],
  ['JSON:API', { links: { self: '/books/8?fields=title' } }, '8'],
  [
    'a list of links',
    {
      links: [
        { rel: 'next', href: '/books/9' },
        { rel: 'self', href: '/books/8' },
      ],
    },
    '8',
  ],
  ['JSON-LD', { '@id': '/api/books/a%2Fb' }, 'a/b'],
  ['OData', { '@odata.id': "Books('b-1')" }, 'b-1'],
  ['a hyperlinked serializer', { url: 'http://127.0.0.1:80/books/8/' }, '8'],
  ['categories and a category', { href: '/books/8' }, '8'],
  ['an address of something else', { url: 'https://img.example.com/covers/8.png' }, null],
  ['the address of the list itself', { _links: { self: { href: '/books' } } }, null],
  ['the address of something below', { href: '/books/8/pages' }, null],
  ['an address that is no text', { self: 8 }, null],
])('of %s the id in its own address', (_what, object, id) => {
  expect(idInOwnAddress(object, ['book'])).toBe(id);
});
