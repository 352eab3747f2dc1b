// Lists that clients followed: what a recording shows of them, and what a change of the list meanwhile may explain.
import { describe, expect, it } from 'vitest';
import { descriptionWith, exchangeWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import type { Terms } from '../../contract/terms.ts';
import { type PagingDocument, termsOf } from '../../contract/terms-of.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { ListWalks } from '../../facts/list-walks.ts';
import { judgeNumberedWalk } from './pag-04-to-09-page.ts';
import { judgeFollowedWalk } from './pag-14-15-followed.ts';

const described = { operation: operationWith({ method: 'GET', path: '/books' }), description: descriptionWith() };
const statedBy = (entry: PagingDocument): Terms => termsOf({ name: 'Books', pagination: [entry] });
const OPERATIONS = ['GET /books'];
const CURSOR = statedBy({
  ...{ operations: OPERATIONS, style: 'cursor', parameters: { cursor: 'cursor', size: 'limit' } },
  ...{ items: '/data', next: '/next', total: '/total' },
});
const LINKS = statedBy({
  ...{ operations: OPERATIONS, style: 'links', parameters: { size: 'limit' } },
  ...{ items: '/data', next: '/next' },
});

function page(query: string, ids: readonly number[], next: string | null, total?: number): Exchange {
  const plan = { service: 'books', operation: 'GET /books', method: 'GET', path: '/books', query };
  const body = { data: ids.map((id) => ({ id })), next, ...(total === undefined ? {} : { total }) };
  return exchangeWith({ plan, body });
}

/** "PAG-14 holds", "PAG-14 pag-14.short-inside" for each judgement. */
function told(terms: Terms, ...pages: readonly Exchange[]): readonly string[] {
  const walks = new ListWalks({ contract: 'openapi', terms }, () => null);
  return pages
    .flatMap((exchange) => {
      const walk = walks.observe(exchange, described);
      const said = walk && (walk.kind === 'numbered' ? judgeNumberedWalk(walk) : judgeFollowedWalk(walk));
      if (walk !== null && said !== null) walks.letGo(walk);
      return said ?? [];
    })
    .map(({ clause, judgement }) =>
      judgement.kind === 'breached' ? judgement.breaches.map(({ code }) => code).join() : `${clause} ${judgement.kind}`,
    );
}

describe('a list that a client follows by cursors', () => {
  it('holds where it shows each item once', () => {
    const pages = [
      page('limit=2', [1, 2], 'a b'),
      page('limit=2&cursor=a%20b', [3, 4], 'c'),
      page('cursor=c&limit=2', [5], null),
    ];
    expect(told(CURSOR, ...pages)).toEqual(['PAG-14 holds']);
  });

  it.each([
    [
      'short-inside',
      [page('limit=2', [1, 2], 'a'), page('limit=2&cursor=a', [3], 'b'), page('limit=2&cursor=b', [4], null)],
    ],
    ['over-full', [page('limit=2', [1, 2, 3], null)]],
    ['repeated', [page('limit=2', [1, 2], 'a', 3), page('limit=2&cursor=a', [2, 3], null, 3)]],
    ['total', [page('limit=2', [1, 2], 'a', 5), page('limit=2&cursor=a', [3], null, 5)]],
  ])('is blamed where it shows %s', (kind, pages) => {
    expect(told(CURSOR, ...pages)).toEqual([`pag-14.${kind}`]);
  });

  it.each([
    ['a list that may have changed', [page('limit=2', [1, 2], 'a'), page('limit=2&cursor=a', [2, 3], null)]],
    ['a total that changed', [page('limit=2', [1, 2], 'a', 3), page('limit=2&cursor=a', [2, 3], null, 4)]],
    ['another filter', [page('limit=2', [1, 2], 'a', 3), page('limit=2&cursor=a&genre=essay', [2], null, 3)]],
    ['a walk that begins later', [page('limit=2&cursor=a', [1, 2], null)]],
  ])('is not told of %s', (_what, pages) => {
    expect(told(CURSOR, ...pages)).toEqual([]);
  });
});

it('a list that a client follows by links holds, and is blamed where a link leaves the service', () => {
  const sound = [page('limit=2', [1, 2], '/books?limit=2&page=2'), page('page=2&limit=2', [3], null)];
  expect(told(LINKS, ...sound)).toEqual(['PAG-15 holds']);
  expect(told(LINKS, page('limit=2', [1, 2], 'https://other.test/books?page=2'))).toEqual(['pag-15.elsewhere']);
});
