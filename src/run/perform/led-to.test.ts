import { expect, it } from 'vitest';
import { getting } from '../../../test/support/run/test-session.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { ledTo, namesAny } from './led-to.ts';

const place = (id: string) => ({ path: `/shops/${id}`, collection: '/shops', id });
const led = (from: string, to: string, path: string, change: Partial<RequestPlan> = {}) => {
  const { path: at, query, body } = ledTo(getting(path, change), { from: place(from), to: place(to) });
  return { path: at, query, body: body.kind === 'json' ? body.value : null };
};
const json = (value: unknown): Partial<RequestPlan> => ({ body: { kind: 'json', value } });

it('a path leads to the new object, and below it', () => {
  expect(led('1', '7', '/shops/1').path).toBe('/shops/7');
  expect(led('1', '7', '/shops/1/shelves/1').path).toBe('/shops/7/shelves/1');
  expect(led('1', '7', '/shops/12/shelves').path).toBe('/shops/12/shelves');
});

it('an id that is nobody else’s is replaced wherever it stands', () => {
  const [old, anew] = ['assay-9f3a2b-aaaaaa', 'assay-9f3a2b-bbbbbb'];
  expect(led(old, anew, `/labels/${old}`).path).toBe(`/labels/${anew}`);
  expect(led(old, anew, '/labels', { query: `of=${old}&page=1` }).query).toBe(`of=${anew}&page=1`);
  expect(led(old, anew, '/labels', json({ of: [{ it: old }] })).body).toEqual({ of: [{ it: anew }] });
  const form = { kind: 'raw', text: `of=${old}`, contentType: 'application/x-www-form-urlencoded' } as const;
  const moved = { from: place(old), to: place(anew) };
  expect(ledTo(getting('/labels', { body: form }), moved).body).toMatchObject({ text: `of=${anew}` });
});

it('an id that counts is replaced where its name says of what it is', () => {
  expect(led('1', '7', '/labels', json({ shop_id: 1, page: 1, owner: { shopId: '1' } })).body).toEqual({
    shop_id: 7,
    page: 1,
    owner: { shopId: '7' },
  });
  expect(led('1', '7', '/labels/1', { query: 'shop_id=1&page=1' })).toMatchObject({
    path: '/labels/1',
    query: 'shop_id=7&page=1',
  });
});

it('a request that names what was made is told from one that does not', () => {
  const made = [place('1'), { path: '/shops', collection: '/shops', id: null }];
  expect(namesAny(getting('/shops/1/shelves'), made)).toBe(true);
  expect(namesAny(getting('/labels', json({ shop_id: 1 })), made)).toBe(true);
  expect(namesAny(getting('/shops/12', { query: 'page=1' }), made)).toBe(false);
  expect(namesAny(getting('/shops'), made)).toBe(false);
});
