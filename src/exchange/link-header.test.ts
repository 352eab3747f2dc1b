// The Link header in the forms that RFC 8288 allows.
import { expect, it } from 'vitest';
import { linkTarget } from './link-header.ts';

it.each([
  ['</a?page=2>; rel="next"', '/a?page=2'],
  ['</a?page=2>; rel=next', '/a?page=2'],
  ['</a?page=1>; rel="prev", </a?page=3>; rel="next"', '/a?page=3'],
  ['</a?x=1,2;3>; title="a, b; c"; rel="next last"', '/a?x=1,2;3'],
  ['<https://api.example.com/a>;REL="Next"', 'https://api.example.com/a'],
  ['<?cursor=abc> ; rel = "next"', '?cursor=abc'],
  ['</a>; rel="prev"; rel="next"', null],
  ['</a>; title="rel=next"', null],
  ['nonsense; rel="next"', null],
  ['', null],
])('of %s the next is %j', (value, target) => {
  expect(linkTarget([['link', value]], 'Link', 'next')).toBe(target);
});

it('looks into each header of the name', () => {
  const headers = [
    ['link', '</a>; rel="first"'],
    ['LINK', '</b>; rel="next"'],
  ] as const;
  expect(linkTarget(headers, 'link', 'next')).toBe('/b');
});
