import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { loadShop, SHOP_PATHS, shopDocument } from '../../../test/support/probes/world.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { Knowledge } from '../../probes/reach/knowledge.ts';
import type { Spot } from '../plan/clause-target.ts';
import { CreationWatch } from './creation-watch.ts';
import { Creations } from './creations.ts';

const PRODUCTS = '/api/v1/products';
const REGISTER = '/api/v1/auth/register';
const NONCE = 'run-7';
const PAYMENT = 'POST /pay';

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

interface Changes {
  readonly status?: number;
  readonly path?: string;
  readonly operation?: string | null;
  readonly location?: string;
  readonly body?: Record<string, unknown>;
}

const created = (id: unknown, { status = 201, path = PRODUCTS, operation, location, body = {} }: Changes = {}) =>
  exchangeWith({
    plan: { method: 'POST', path, operation: operation === undefined ? `POST ${path}` : operation },
    status,
    body: id === null ? body : { id, ...body },
    ...(location === undefined ? {} : { headers: [['location', location]] }),
  });
const deleted = (path: string, status = 204) =>
  exchangeWith({ plan: { method: 'DELETE', path, operation: 'DELETE x' }, status });

const ANSWERS = { responses: { 200: { description: 'Done' } } };
const IDS = { ids: { type: 'array', items: { type: 'string' } } };
const LIST_OF_IDS = { type: 'object', required: ['ids'], properties: IDS };
const removalAt = (path: string) => ({
  [path]: { post: { requestBody: { content: { 'application/json': { schema: LIST_OF_IDS } } }, ...ANSWERS } },
});
const removed = (operation: string, path: string, ids: readonly string[], status = 200) =>
  exchangeWith({
    plan: { method: 'POST', path, operation: `POST ${operation}`, body: { kind: 'json', value: { ids } } },
    status,
  });

function noted(description: Description, knowledge: Knowledge, ...exchanges: ReturnType<typeof created>[]): Creations {
  const catalogue = createCatalogue([description]);
  const creations = new Creations(knowledge, catalogue);
  const isPayment = ({ operation }: Spot) => operation === PAYMENT;
  const watch = new CreationWatch(creations, { knowledge, catalogue, nonce: NONCE, isPayment });
  for (const exchange of exchanges) watch.observe(exchange);
  return creations;
}
const idsLeft = (...exchanges: ReturnType<typeof created>[]): readonly (string | null)[] =>
  noted(shop, new Knowledge(), ...exchanges)
    .left()
    .map(({ id }) => id);

describe('what a run made', () => {
  it('is what POSTs answered with success, newest first', () => {
    expect(idsLeft(created('a'), created(7), created('c', { status: 200 }))).toEqual(['c', '7', 'a']);
  });

  it('is not what was refused, read, named by the path of the call, or belongs to no operation', () => {
    const read = exchangeWith({ body: { id: 'a' } });
    expect(idsLeft(created('a', { status: 400 }), read, created('a', { operation: null }))).toEqual([]);
    const mine = { status: 200, path: `${PRODUCTS}/p1`, operation: 'POST x', body: { name: `assay-${NONCE}-abcdef` } };
    expect([idsLeft(created('p1', mine)), idsLeft(created('p2', mine))]).toEqual([[], ['p2']]);
  });

  it('may have ids that no text of Unicode is', () => {
    const bad = '\ud800x';
    const id = '\ufffdx';
    expect(idsLeft(created(bad), created('b'), deleted(`${PRODUCTS}/${encodeURIComponent(id)}`))).toEqual(['b']);
    expect(idsLeft(created(bad))).toEqual([bad]);
  });

  it('is gone once deleted, and counted once when a replay shows it again', () => {
    expect(idsLeft(created('a'), created('a/b'), created('a'), deleted(`${PRODUCTS}/a%2Fb`))).toEqual(['a']);
    expect(idsLeft(created('a'), deleted(`${PRODUCTS}/a`, 409))).toEqual(['a']);
  });

  it('is not gone while its deletion is only accepted', () => {
    expect(idsLeft(created('a'), deleted(`${PRODUCTS}/a`, 202))).toEqual(['a']);
  });

  it('is kept without an id, to be listed, unless the answer shows a list or the path has no items', () => {
    const search = created(null, { status: 200, body: { results: [] } });
    const elsewhere = created(null, { status: 200, path: '/api/v1/auth/sign-out' });
    expect(idsLeft(created(null), search, elsewhere, created(null, { status: 204 }))).toEqual([null, null]);
  });

  it('is counted once without an id, too, where an answer under a declared key repeats the first one', async () => {
    const made = async (
      declared: readonly string[],
      ...receipts: readonly (readonly [key: string, receipt: string])[]
    ) => {
      const parameters = declared.map((name) => ({ name, in: 'header', schema: { type: 'string' } }));
      const keyed = await loadShop({
        [PRODUCTS]: { post: { parameters, responses: { 201: { description: 'Made' } } } },
      });
      const answers = receipts.map(([key, receipt]) => {
        const plan = { method: 'POST', path: PRODUCTS, operation: `POST ${PRODUCTS}`, service: keyed.service } as const;
        return exchangeWith({
          plan: { ...plan, headers: [['Idempotency-Key', key]] },
          status: 201,
          body: { receipt },
        });
      });
      return noted(keyed, new Knowledge(), ...answers).count();
    };
    const twice = [['k1', 'r1'] as const, ['k1', 'r1'] as const];
    expect(await made(['Idempotency-Key'], ...twice, ['k2', 'r1'])).toBe(2);
    expect(await made(['Idempotency-Key'], ['k1', 'r1'], ['k1', 'r2'])).toBe(2);
    expect(await made([], ...twice)).toBe(2);
  });

  it('is what a list alone is described beside, where the answer repeats what only this run sends', async () => {
    const answers = { responses: { 200: { description: 'Done' } } };
    const notes = await loadShop({ '/notes': { get: answers, post: answers }, '/search': { post: answers } });
    const made = (path: string, text: string) => created('n', { status: 200, path, body: { text } });
    expect(noted(notes, new Knowledge(), made('/notes', `of ${NONCE}`)).count()).toBe(1);
    expect(noted(notes, new Knowledge(), made('/notes', 'of others')).count()).toBe(0);
    expect(noted(notes, new Knowledge(), made('/search', `of ${NONCE}`)).count()).toBe(0);
  });

  it('is what a collection makes whose items have a path in the singular, and of no other', async () => {
    const answers = { responses: { 200: { description: 'Done' } } };
    const paths = { '/dishes': { post: answers }, '/dish/{id}': { get: answers, delete: answers } };
    const others = { '/status': { post: answers }, '/statu/{id}': { delete: answers } };
    const described = await loadShop({ ...paths, ...others });
    const made = (path: string) => created('n', { status: 200, path, body: { text: `of ${NONCE}` } });
    const [dish] = noted(described, new Knowledge(), made('/dishes')).left();
    expect([dish?.path, dish?.deleter?.operation.key]).toEqual(['/dish/n', 'DELETE /dish/{id}']);
    expect(noted(described, new Knowledge(), made('/status')).left()).toEqual([]);
  });

  it('is gone once a call whose path says so in a word has named it, and deleted by such a call', async () => {
    const [maker, remover] = ['/in/{shop}/notes/create', '/in/{shop}/notes/delete'];
    const described = await loadShop({ [maker]: { post: ANSWERS }, ...removalAt(remover) });
    const text = `of ${NONCE}`;
    const make = created('n', {
      status: 200,
      path: '/in/mine/notes/create',
      operation: `POST ${maker}`,
      body: { text },
    });
    const left = (shop: string, ids: readonly string[], status?: number) =>
      noted(described, new Knowledge(), make, removed(remover, `/in/${shop}/notes/delete`, ids, status)).left();
    expect(left('mine', ['m']).map(({ deleter }) => deleter?.operation.key)).toEqual(['POST /in/{shop}/notes/delete']);
    expect(left('mine', ['m', 'n'])).toEqual([]);
    expect(left('other', ['n'])).toHaveLength(1);
    expect(left('mine', ['n'], 202)).toHaveLength(1);
    expect(left('mine', ['n'], 400)).toHaveLength(1);
  });

  it('is not deleted by such a call where the request named it, and the answer does not say that it is new', async () => {
    const described = await loadShop({ '/notes/upsert': { post: ANSWERS }, ...removalAt('/notes/delete') });
    const deleterAfter = (sent: Record<string, unknown>, status: number) => {
      const plan = { method: 'POST', path: '/notes/upsert', operation: 'POST /notes/upsert' } as const;
      const body = { kind: 'json', value: { ...sent, text: `of ${NONCE}` } } as const;
      const make = exchangeWith({ plan: { ...plan, body }, status, body: { id: 'n', ...body.value } });
      return noted(described, new Knowledge(), make).left()[0]?.deleter?.operation.key ?? null;
    };
    expect(deleterAfter({ id: 'n' }, 200)).toBeNull();
    expect(deleterAfter({ id: 'n' }, 201)).toBe('POST /notes/delete');
    expect(deleterAfter({}, 200)).toBe('POST /notes/delete');
  });

  it('can be deleted once reading it shows what only this run sent, where the answer to the create did not', async () => {
    const answers = { responses: { 200: { description: 'Done' } } };
    const described = await loadShop({
      '/dishes': { post: answers },
      '/dishes/{id}': { get: answers, delete: answers },
    });
    const mark = `assay-${NONCE}-pqrstu`;
    const plan = { method: 'POST', path: '/dishes', operation: 'POST /dishes' } as const;
    const make = exchangeWith({
      plan: { ...plan, body: { kind: 'json', value: { name: mark } } },
      status: 200,
      body: { id: 'n' },
    });
    const deletable = (name: string) =>
      noted(
        described,
        new Knowledge(),
        make,
        exchangeWith({ plan: { path: '/dishes/n', operation: 'GET /dishes/{id}' }, body: { name } }),
      )
        .left()
        .map(({ deleter }) => deleter !== null);
    expect(deletable(mark)).toEqual([true]);
    expect(deletable('of others')).toEqual([false]);
  });

  it('is what a path makes by a word at its end, where the answer repeats what only this run sends', async () => {
    const paths = ['/users/create', '/teams/create', '/users/find'];
    const described = await loadShop(Object.fromEntries(paths.map((path) => [path, { post: { responses: {} } }])));
    const made = (path: string, body: Record<string, unknown>) => created(null, { status: 200, path, body });
    const mine = { id: 'u', name: `of ${NONCE}` };
    expect(noted(described, new Knowledge(), made('/users/create', mine)).count()).toBe(1);
    expect(noted(described, new Knowledge(), made('/users/create', { id: 'u', name: 'a' })).count()).toBe(0);
    expect(noted(described, new Knowledge(), made('/users/find', mine)).count()).toBe(0);
    const later = made('/users/create', { id: 'v', name: 'of a test of long names' });
    expect(noted(described, new Knowledge(), made('/users/create', mine), later).count()).toBe(2);
    const team = { team_id: 't', team_name: `of ${NONCE}` };
    expect(noted(described, new Knowledge(), made('/teams/create', team)).left()).toMatchObject([{ id: 't' }]);
  });

  it('is not what a list showed before, whatever the answer says', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed(PRODUCTS, [{ id: 'theirs' }]);
    expect(noted(shop, knowledge, created('theirs', { status: 200 }), created('ours')).lines()).toEqual([
      `POST ${PRODUCTS} → ours`,
    ]);
  });

  it('is another thing where a create that says so names what a list showed before', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed(PRODUCTS, [{ id: 'theirs' }]);
    const creations = noted(shop, knowledge, created('theirs'));
    expect(creations.lines()).toEqual([`POST ${PRODUCTS}`]);
    expect(creations.isOthers(`${PRODUCTS}/theirs`)).toBe(true);
  });

  it('and what nobody listed is not of others', () => {
    const knowledge = new Knowledge();
    const creations = noted(shop, knowledge, created('ours'));
    knowledge.noteListed(PRODUCTS, [{ id: 'ours' }, { id: 'theirs' }, { id: 'p-7', name: 'assay-20260101-000000' }]);
    const others = ['ours', 'theirs', 'p-7', 'unknown'].filter((id) => creations.isOthers(`${PRODUCTS}/${id}`));
    expect(others).toEqual(['theirs']);
  });

  it('is what a list showed while the request was under way, and not what stood far down in a list before', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed(PRODUCTS, [{ id: 'mine' }], { answeredMs: 1_200 });
    const others = Array.from({ length: 99 }, (_, at) => ({ id: `p-${at}` }));
    knowledge.noteListed(PRODUCTS, others, { answeredMs: 999.8 });
    const sent = (id: string) => ({ ...created(id), sentAt: 1_000 });
    const creations = noted(shop, knowledge, sent('mine'), sent('p-2'), sent('p-98'));
    expect(creations.everMade().map(({ id }) => id)).toEqual(['mine']);
  });

  it('is each of several that a create shows, as many as it sent', async () => {
    const described = await loadShop({
      ...{ '/dishes': { get: ANSWERS, post: ANSWERS }, '/dishes/{id}': { get: ANSWERS, delete: ANSWERS } },
      ...{ '/dishes/batch': { post: ANSWERS }, '/dishes/search': { post: ANSWERS } },
    });
    const made = (path: string, status: number, sent: unknown, answer: unknown) => {
      const plan = { method: 'POST', path, operation: `POST ${path}`, body: { kind: 'json', value: sent } } as const;
      const left = noted(described, new Knowledge(), exchangeWith({ plan, status, body: answer })).left();
      return left.map(({ path: at, deleter }) => [at, deleter !== null]);
    };
    const [names, marked] = [[{ name: 'a' }, { name: 'b' }], { name: `${NONCE}-abcdef` }];
    const shown = [
      { id: 2, name: 'b' },
      { id: 1, name: 'a' },
    ];
    const both = (isDeleted: boolean) => [
      ['/dishes/1', isDeleted],
      ['/dishes/2', isDeleted],
    ];
    expect(made('/dishes', 201, names, shown)).toEqual(both(true));
    expect(made('/dishes/batch', 200, { items: names }, { created: 2, ids: [2, 1] })).toEqual(both(false));
    expect(made('/dishes/batch', 200, { items: [marked] }, [{ id: 1, ...marked }])).toEqual([['/dishes/1', true]]);
    expect(made('/dishes/search', 200, { filters: names }, shown)).toEqual([]);
    expect(made('/dishes', 200, { filters: names }, { results: [] })).toEqual([]);
    expect(made('/dishes', 201, { lines: names }, { id: 7, lines: shown })).toEqual([['/dishes/7', true]]);
  });

  it('is what a payment answered, by whatever status', () => {
    const path = '/api/v1/auth/sign-out';
    const made = (operation: string) => idsLeft(created('pay_1', { path, status: 200, operation }));
    expect([made(PAYMENT), made(`POST ${path}`)]).toEqual([['pay_1'], []]);
  });
});

describe('what deletes an object', () => {
  const deletersOf = (description: Description, ...exchanges: ReturnType<typeof created>[]) =>
    noted(description, new Knowledge(), ...exchanges)
      .left()
      .map(({ deleter, path }) => (deleter === null ? null : `${deleter.operation.key} at ${path}`));
  const item = 'DELETE /api/v1/products/{productId}';

  it('is the DELETE below the collection', () => {
    expect(deletersOf(shop, created('a'), created('u1', { path: REGISTER }))).toEqual([
      null,
      `${item} at ${PRODUCTS}/a`,
    ]);
  });

  it('is the DELETE at the place that Location names, unless the request was sent below it', () => {
    const path = '/api/v1/auth/sign-out';
    for (const location of [`http://127.0.0.1:8080${PRODUCTS}/a`, `${PRODUCTS}/a/?x=1`])
      expect(deletersOf(shop, created('x', { path, location }))).toEqual([`${item} at ${PRODUCTS}/a`]);
    const below = created('x', { path: `${PRODUCTS}/theirs/copies`, location: `${PRODUCTS}/theirs` });
    expect(deletersOf(shop, below)).toEqual([null]);
  });

  it("is the DELETE at the place that Location names of what was accepted, once reading one showed that it is the run's", async () => {
    const described = await loadShop({
      '/dishes': { post: ANSWERS },
      '/dishes/{id}': { get: ANSWERS, delete: ANSWERS },
      '/operations/{id}': { get: ANSWERS, delete: ANSWERS },
    });
    const accepted = (location: string, name: string) =>
      exchangeWith({
        plan: { method: 'POST', path: '/dishes', operation: 'POST /dishes', body: { kind: 'json', value: { name } } },
        ...{ status: 202, headers: [['location', location]] },
      });
    const read = (name: string) =>
      exchangeWith({
        plan: { method: 'GET', path: '/dishes/8', operation: 'GET /dishes/{id}' },
        ...{ status: 200, body: { id: 8, name } },
      });
    const left = (...exchanges: ReturnType<typeof created>[]) =>
      noted(described, new Knowledge(), ...exchanges)
        .left()
        .map(({ id, deleter }) => [id, deleter?.operation.key]);
    const [ours, another] = [accepted('/dishes/8', `${NONCE}-abcdef`), accepted('/dishes/9', 'short')];
    const deleter = 'DELETE /dishes/{id}';
    expect(left(ours, another, read('of somebody else'))).toEqual([
      ['9', undefined],
      ['8', undefined],
    ]);
    for (const exchanges of [
      [ours, another, read(`${NONCE}-abcdef`)],
      [ours, read(`${NONCE}-abcdef`), another],
    ])
      expect(left(...exchanges)).toEqual([
        ['9', deleter],
        ['8', deleter],
      ]);
    for (const location of ['/operations/8', '/dishes/8/state'])
      expect(left(accepted(location, 'short'))).toEqual([[null, undefined]]);
  });

  it('is nothing at the place that Location names on another host', () => {
    const path = '/api/v1/auth/sign-out';
    for (const location of [`https://shop.example${PRODUCTS}/a`, `//shop.example${PRODUCTS}/a`, 'http://[bad'])
      expect(deletersOf(shop, created('x', { path, location }))).toEqual([null]);
  });

  it('is elsewhere only where the answer shows what nothing but this run sends', async () => {
    const user = { type: 'object', properties: { id: {}, email: {} } };
    const answer = {
      201: { description: 'Made', content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } } },
    };
    const paths = {
      ...SHOP_PATHS,
      [REGISTER]: { post: { responses: answer } },
      '/api/v1/users/{userId}': {
        parameters: [{ name: 'userId', in: 'path', required: true, schema: { type: 'string' } }],
        delete: { responses: { 204: { description: 'Gone' } } },
      },
    };
    const document = { ...shopDocument(paths), components: { schemas: { User: user } } };
    const withUsers = await loadFiles({ 'shop.json': document });
    const own = created('u1', { path: REGISTER, body: { email: `assay-${NONCE}-abcdef@example.com` } });
    const other = created('u2', { path: REGISTER, body: { email: 'somebody@example.com' } });
    expect(deletersOf(withUsers, other, own)).toEqual(['DELETE /api/v1/users/{userId} at /api/v1/users/u1', null]);
  });

  it('is nothing where neither the status nor the answer shows that the object is new', () => {
    const creations = noted(shop, new Knowledge(), created('a', { status: 200 }));
    expect(creations.left()).toMatchObject([{ id: 'a', deleter: null }]);
    expect(creations.byOperation()).toMatchObject([
      { made: 1, left: 1, reasons: ['nothing in the answer shows that this run made it'] },
    ]);
    const marked = created('b', { status: 200, body: { name: `assay-${NONCE}-abcdef` } });
    expect(deletersOf(shop, marked)).toEqual([`${item} at ${PRODUCTS}/b`]);
  });
});

it('what was made is counted by operation, with what is left of it and why', () => {
  const user = created('u1', { path: REGISTER });
  const creations = noted(shop, new Knowledge(), created('a'), created('b'), user, deleted(`${PRODUCTS}/a`));
  expect(creations.byOperation()).toEqual([
    {
      service: 'admin',
      operation: `POST ${PRODUCTS}`,
      made: 2,
      deleted: 1,
      left: 1,
      deletable: true,
      reasons: ['it was not deleted in time'],
    },
    {
      ...{ service: 'admin', operation: `POST ${REGISTER}`, made: 1, deleted: 0, left: 1, deletable: false },
      reasons: ['no DELETE is described'],
    },
  ]);
});
