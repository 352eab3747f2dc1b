// Tests that a list is read to its end, however its pages are asked for.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { type ContractDocument, termsOf } from '../../contract/terms-of.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { readList } from './reading-lists.ts';

const ITEMS = Array.from({ length: 250 }, (_, at) => ({ id: `t${at + 1}` }));

interface Listed {
  /** The query parameters of the list. */
  readonly asks: Readonly<Record<string, object>>;
  /** The entry of the contract on its pages. Absent: none. */
  readonly stated?: object;
  /** The answer to a page that is asked for so. */
  readonly page: (asked: URLSearchParams) => { readonly body: unknown; readonly link?: string };
}

/** How many items were read, whether they are all, and by which queries. */
async function read({ asks, stated, page }: Listed) {
  const parameters = Object.entries(asks).map(([name, schema]) => ({ name, in: 'query', schema }));
  const description = await loadShop({
    '/things': { get: { parameters, responses: { 200: { description: 'All' } } } },
  });
  const pagination = stated === undefined ? [] : [stated];
  const world = worldWith({ contract: 'openapi', terms: termsOf({ name: 'Shop', pagination } as ContractDocument) });
  const queries: string[] = [];
  const send = async (plan: RequestPlan): Promise<Exchange> => {
    queries.push(plan.query);
    const { body, link } = page(new URLSearchParams(plan.query));
    return exchangeWith({ plan, body, headers: link === undefined ? [] : [['link', link]] });
  };
  const look = { at: '/things', maxPages: 12, probe: 'life/list' };
  const listing = await readList(world, reachedWith(world, description, 'GET /things'), look, send);
  return { items: listing?.items.length, isWhole: listing?.isWhole, queries };
}

const number = { type: 'integer' };
const cut = (from: number, size: number) => ITEMS.slice(from, from + size);

it('by numbers, from the first that the description tells', async () => {
  const pages = (first: number, size: number) => (asked: URLSearchParams) => ({
    body: cut((Number(asked.get('page') ?? first) - first) * size, size),
  });
  const [fromZero, fromOne] = [
    { ...number, minimum: 0 },
    { ...number, minimum: 1 },
  ];
  const zero = await read({ asks: { page: fromZero, size: { ...number, maximum: 50 } }, page: pages(0, 50) });
  expect(zero).toMatchObject({ items: 250, isWhole: true });
  expect(zero.queries.slice(0, 2)).toEqual(['size=50', 'size=50&page=1']);
  const one = await read({ asks: { pageNumber: fromOne, page_size: number }, page: pages(1, 100) });
  expect(one.queries.slice(0, 2)).toEqual(['page_size=100', 'page_size=100&pageNumber=2']);
});

it('by the index of an item', async () => {
  const page = (asked: URLSearchParams) => ({ body: cut(Number(asked.get('skip') ?? 0), Number(asked.get('take'))) });
  expect(await read({ asks: { skip: number, take: number }, page })).toMatchObject({ items: 250, isWhole: true });
});

it('by the cursor, or the address, that each page tells where the contract says so', async () => {
  const text = { type: 'string' };
  const page = (asked: URLSearchParams) => {
    const from = Number(asked.get('after') ?? 0);
    const next = from + 100 < ITEMS.length ? String(from + 100) : null;
    const link = next === null ? '</things>; rel="first"' : `</things?limit=100&after=${next}>; rel="next"`;
    return { body: { data: cut(from, 100), next }, link };
  };
  const asks = { limit: number, after: text };
  const whole = { items: 250, isWhole: true };
  const cursor = { style: 'cursor', parameters: { cursor: 'after', size: 'limit' }, items: '/data', next: '/next' };
  const links = {
    style: 'links',
    parameters: { size: 'limit' },
    items: '/data',
    next: { header: 'Link', rel: 'next' },
  };
  for (const stated of [cursor, links]) expect(await read({ asks, stated, page })).toMatchObject(whole);
  // Where nothing is stated nobody knows whether the first page is all.
  expect(await read({ asks, page })).toMatchObject({ items: 100, isWhole: false });
});

it('by a cursor, past a page without items that tells another one', async () => {
  const page = (asked: URLSearchParams) => {
    const from = Number(asked.get('after') ?? 0);
    const next = from + 100 < ITEMS.length ? String(from + 100) : null;
    return { body: { data: from === 100 ? [] : cut(from, 100), next } };
  };
  const cursor = { style: 'cursor', parameters: { cursor: 'after', size: 'limit' }, items: '/data', next: '/next' };
  const asks = { limit: number, after: { type: 'string' } };
  expect(await read({ asks, stated: cursor, page })).toMatchObject({ items: 150, isWhole: true });
});
