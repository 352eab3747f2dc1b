import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith } from '../checks/test-exchanges.ts';
import { createCatalogue } from '../openapi/catalogue.ts';
import type { Description } from '../openapi/operation.ts';
import { Knowledge } from '../probes/knowledge.ts';
import { loadShop, worldWith } from '../probes/test-world.ts';
import { Creations, cleanUp } from './clean-up.ts';
import { benchWith, type Script } from './test-session.ts';

const PRODUCTS = '/api/v1/products';
const POST = { method: 'POST', operation: `POST ${PRODUCTS}`, path: PRODUCTS };

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

const created = (id: unknown, changes: { status?: number; path?: string; operation?: string | null } = {}) =>
  exchangeWith({
    plan: {
      ...POST,
      path: changes.path ?? PRODUCTS,
      operation: changes.operation === undefined ? POST.operation : changes.operation,
    },
    status: changes.status ?? 201,
    body: id === null ? {} : { id },
  });
const deleted = (path: string, status = 204) =>
  exchangeWith({ plan: { method: 'DELETE', path, operation: 'DELETE x' }, status });

describe('creations', () => {
  const left = (...exchanges: ReturnType<typeof created>[]): readonly (string | null)[] => {
    const creations = new Creations(new Knowledge(), createCatalogue([shop]));
    for (const exchange of exchanges) creations.observe(exchange);
    return creations.left().map(({ id }) => id);
  };

  it('are what POSTs answered with success, newest first', () => {
    expect(left(created('a'), created(7), created('c', { status: 200 }))).toEqual(['c', '7', 'a']);
  });

  it('are not what was refused, read, or belongs to no operation', () => {
    const read = exchangeWith({ body: { id: 'a' } });
    expect(left(created('a', { status: 400 }), read, created('a', { operation: null }))).toEqual([]);
  });

  it('may have ids that no text of Unicode is', () => {
    const bad = '\ud800x';
    const id = '\ufffdx';
    expect(left(created(bad), created('b'), deleted(`${PRODUCTS}/${encodeURIComponent(id)}`))).toEqual(['b']);
    expect(left(created(bad))).toEqual([bad]);
  });

  it('are gone once deleted, and counted once when a replay shows them again', () => {
    expect(left(created('a'), created('a/b'), created('a'), deleted(`${PRODUCTS}/a%2Fb`))).toEqual(['a']);
    expect(left(created('a'), deleted(`${PRODUCTS}/a`, 409))).toEqual(['a']);
  });

  it('without an id are kept, to be listed, only where the answer says so', () => {
    expect(left(created(null), created(null), created(null, { status: 200 }))).toEqual([null, null]);
  });
});

describe('the clean-up', () => {
  const cleaned = async (script: Script, ...exchanges: ReturnType<typeof created>[]) => {
    const { session, catalogue, creations, plans } = benchWith(shop, script, { inRun: () => false });
    for (const exchange of exchanges) creations.observe(exchange);
    const stays = await cleanUp(session, worldWith(), catalogue, creations);
    return { stays, sent: plans.map(({ method, path }) => `${method} ${path}`) };
  };

  it('deletes with the described DELETE, newest first', async () => {
    expect(await cleaned(() => ({ status: 204 }), created('a'), created('b c'))).toEqual({
      stays: [],
      sent: [`DELETE ${PRODUCTS}/b%20c`, `DELETE ${PRODUCTS}/a`],
    });
  });

  it('lists what cannot be deleted: no DELETE, no id, a refusal', async () => {
    const account = created('u1', { path: '/api/v1/auth/register', operation: 'POST /api/v1/auth/register' });
    const { stays, sent } = await cleaned(() => ({ status: 409 }), account, created(null), created('a'));
    expect(sent).toEqual([`DELETE ${PRODUCTS}/a`]);
    expect(stays).toEqual([`POST ${PRODUCTS} → a`, `POST ${PRODUCTS}`, 'POST /api/v1/auth/register → u1']);
  });

  it('counts what is not there any more as gone', async () => {
    expect((await cleaned(() => ({ status: 404 }), created('a'))).stays).toEqual([]);
  });
});
