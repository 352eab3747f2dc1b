// PAG-15 on a link beside the next one, and on what it leads to.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import type { Link } from '../../facts/walked-list.ts';
import { RELATIONS, relatedTo, relationFlaw } from './pag-14-15-followed.ts';

function link(query: string, keys: readonly string[], status = 200): Link {
  const page = {
    exchange: exchangeWith({ status }),
    status,
    place: status < 300 ? '' : null,
    items: keys,
    paged: null,
  };
  return { page, keys, query, next: null };
}

const PAGES = [link('page=1', ['a', 'b']), link('page=2', ['c', 'd']), link('page=3', ['e'])];

it('the pages of the chain are named: the one before, the first and the last', () => {
  const named = (at: number) => RELATIONS.map((relation) => relatedTo(PAGES, at, relation)?.query);
  expect(named(1)).toEqual(['page=1', 'page=1', 'page=3']);
  expect(named(0)).toEqual([undefined, 'page=1', 'page=3']);
});

it.each([
  ['the page that is named', link('page=3', ['e']), null],
  ['another page', link('page=2', ['c', 'd']), '2 items, not those'],
  ['a page without items', link('page=4', []), '0 items, not those'],
  ['a refusal', link('page=3', [], 404), 'status 404'],
  ['a failure', link('page=3', [], 500), 'status 500'],
  ['another host', 'other.example', 'a link to other.example'],
])('a link to the last page that leads to %s', (_name, reached, actual) => {
  expect(relationFlaw(PAGES[0]!, 'last', PAGES[2]!, reached)?.actual ?? null).toBe(actual);
});

it('a refusal is no page, where the page that is named has no items', () => {
  expect(relationFlaw(PAGES[0]!, 'last', link('page=4', []), link('page=4', [], 404))?.kind).toBe('relation-last');
});
