// The conformant platform, clause by clause, without sockets.
import { describe, expect, it } from 'vitest';
import { errorOf, openPlatform, type TestAnswer, type TestPlatform } from '../../test/support/platform/platform.ts';
import { COMMERCE_TERMS } from '../contract/shipped.ts';
import { ERROR_WIDE_ROLES } from '../contract/terms.ts';
import type { Route } from './http/call.ts';
import { asArray, asObject } from './json.ts';
import { judgeOf } from './schema/compile.ts';
import { exampleOf } from './schema/example.ts';
import { concrete } from './store/paths.ts';

const STORE = { name: 'Shop', currency: 'EUR' };

async function idsUnder(platform: TestPlatform, path: string): Promise<string[]> {
  const answer = await platform.send('GET', path);
  const { body } = answer;
  const items = Array.isArray(body) ? body : asArray(asObject(body).data);
  return answer.status === 200 ? items.map((item) => String(asObject(item).id ?? asObject(item).sku)) : [];
}

/** The first id of the collection, or that of a new item where it cannot be listed. */
async function anyId(platform: TestPlatform, path: string): Promise<string> {
  const [listed] = await idsUnder(platform, path);
  if (listed !== undefined) return listed;
  const create = platform.app.platform.routes.find(({ operation }) => operation.key === `POST ${path}`)?.operation;
  const schema = create?.body?.content.get('application/json');
  if (create === undefined || schema === undefined) throw new Error(`${path} has no items`);
  return String(
    asObject((await platform.send('POST', path, { body: exampleOf(create.document, schema, 'new') })).body).id,
  );
}

describe('every operation', () => {
  it('answers a declared success whose body is valid by its schema', async () => {
    const platform = await openPlatform();
    const failures: string[] = [];
    const ordered = platform.app.platform.routes.toSorted(
      ({ operation: a }, { operation: b }) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    );
    for (const route of ordered) {
      const answer = await answerOf(platform, route);
      failures.push(...failuresOf(route, answer).map((words) => `${route.operation.key} ${words}`));
    }
    expect(failures).toEqual([]);
  });
});

/** Calls the operation for an item that is there. */
async function answerOf(platform: TestPlatform, { operation, role }: Route): Promise<TestAnswer> {
  const params: Record<string, string> = {};
  const own = role.kind === 'item' ? [{ resource: role.resource, param: role.resource.param ?? '' }] : [];
  for (const { resource, param } of [...role.ancestors, ...own])
    params[param] = await anyId(platform, concrete(resource.template, params));
  const query = operation.parameters.some(({ name }) => name === 'q') ? '?q=mug' : '';
  const body = bodyFor(operation);
  return platform.send(operation.method, concrete(operation.path, params) + query, body === undefined ? {} : { body });
}

function bodyFor({ key, body, document }: Route['operation']): unknown {
  if (key.includes('register')) return { email: 'a@example.com', password: 'secret' };
  if (key.includes('export')) return {};
  const schema = body?.content.get('application/json');
  return withSecrets(schema === undefined ? undefined : exampleOf(document, schema, 'request'));
}

function failuresOf({ operation, role: { success } }: Route, { status, text, body }: TestAnswer): readonly string[] {
  if (![String(status), '2XX'].includes(success.response?.status ?? '')) return [`${status} ${text}`];
  if (success.mediaType === null) return [];
  const breaches = judgeOf(operation.document, success.schema, 'response')(body);
  return breaches.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Examples are made as for responses; what is writeOnly is added here. */
function withSecrets(body: unknown): unknown {
  const method = asObject(asObject(body).method);
  return method.kind === 'card' ? { ...asObject(body), method: { ...method, number: '4242424242424242' } } : body;
}

describe('authentication', () => {
  it('refuses every kind of token but a valid one with 401 auth_token_invalid', async () => {
    const platform = await openPlatform();
    const valid = platform.token('std-1');
    const [, payload, signature = ''] = valid.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const refused = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer random',
      `Bearer ${valid.slice(0, -4)}AAAA`,
      `Bearer ${none}.${payload}.`,
      `Bearer ${none}.${payload}.${signature}`,
      `Basic ${valid}`,
      valid,
    ];
    for (const authorization of refused) {
      const answer = await platform.send('GET', `/api/v1/stores?token=${valid}`, {
        key: null,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect([authorization, answer.status, errorOf(answer).code]).toEqual([authorization, 401, 'auth_token_invalid']);
      expect(answer.headers).not.toHaveProperty('x-ratelimit-limit');
    }
    expect((await platform.send('GET', '/api/v1/stores', { key: 'expired' })).status).toBe(401);
    expect((await platform.send('GET', '/api/v1/nowhere', { key: null })).status).toBe(401);
  });

  it('comes before validation, and answers 403 to a locked account', async () => {
    const platform = await openPlatform();
    expect((await platform.send('POST', '/api/v1/stores', { key: null, raw: '{' })).status).toBe(401);
    expect((await platform.send('GET', '/api/v1/stores', { key: 'locked' })).status).toBe(403);
    expect((await platform.send('GET', '/api/health/live', { key: null })).status).toBe(200);
  });

  it('keeps accounts apart', async () => {
    const platform = await openPlatform();
    const [own = ''] = await idsUnder(platform, '/api/v1/stores');
    expect((await platform.send('GET', `/api/v1/stores/${own}`)).status).toBe(200);
    expect((await platform.send('GET', `/api/v1/stores/${own}`, { key: 'gro-1' })).status).toBe(404);
    expect((await platform.send('DELETE', `/api/v1/stores/${own}`, { key: 'gro-1' })).status).toBe(404);
  });
});

describe('errors', () => {
  const bad: [string, string, string, object, number, string][] = [
    ['an unknown path', 'GET', '/api/v1/nowhere', {}, 404, 'resource_not_found'],
    ['an internal path', 'GET', '/api/internal/ai/usage', {}, 404, 'resource_not_found'],
    ['an unknown id', 'GET', '/api/v1/stores/store_0', {}, 404, 'resource_not_found'],
    ['an unknown parent', 'GET', '/api/v1/stores/store_0/domains', {}, 404, 'resource_not_found'],
    ['an undescribed method', 'PUT', '/api/v1/stores', {}, 405, 'method_not_allowed'],
    ['malformed JSON', 'POST', '/api/v1/stores', { raw: '{"name":' }, 400, 'malformed_json'],
    [
      'another media type',
      'POST',
      '/api/v1/stores',
      { raw: 'name=x', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    [
      'a broken media type',
      'POST',
      '/api/v1/stores',
      { raw: 'name=x', headers: { 'content-type': ';;' } },
      415,
      'unsupported_media_type',
    ],
    ['no body', 'POST', '/api/v1/stores', {}, 400, 'validation_failed'],
    ['a body too large', 'POST', '/api/v1/stores', { raw: `"${'x'.repeat(5_000_000)}"` }, 413, 'body_too_large'],
    [
      'nesting too deep',
      'POST',
      '/api/v1/stores',
      { raw: '['.repeat(10_000) + ']'.repeat(10_000) },
      400,
      'body_too_deep',
    ],
    ['broken percent-encoding', 'GET', '/api/v1/stores/%zz', {}, 400, 'malformed_request'],
    ['a malformed id', 'GET', '/api/v1/products/no-uuid', {}, 400, 'validation_failed'],
    [
      'an unknown export request',
      'POST',
      '/api/v1/auth/activity/export',
      { body: { exportRequestId: 'nope' } },
      404,
      'resource_not_found',
    ],
  ];
  it.each(bad)('tells %s by the whole envelope', async (_what, method, path, sent, status, code) => {
    const platform = await openPlatform();
    const answer = await platform.send(method, path, sent);
    const error = errorOf(answer);
    expect([answer.status, error.code, error.status, error.instance]).toEqual([status, code, status, path]);
    expect(Object.keys(asObject(answer.body))).toEqual(['error']);
    const members = ERROR_WIDE_ROLES.map((role) => COMMERCE_TERMS.errors?.members[role]?.at.split('/').at(-1) ?? '');
    expect(members.filter((member) => error[member] === undefined || error[member] === '')).toEqual([]);
    expect(error.doc_url).toMatch(new RegExp(`/errors/${code}$`));
  });

  it('lists every failing field, and names the first top-level one as param', async () => {
    const platform = await openPlatform();
    const body = { currency: 'XYZ', employees: 0, tags: ['ok', 3], address: { city: 'Ulm', zip: '1' } };
    const error = errorOf(await platform.send('POST', '/api/v1/stores', { body }));
    const fields = asArray(error.errors).map((one) => [asObject(one).field, asObject(one).code]);
    expect(new Map(fields as [string, string][])).toEqual(
      new Map([
        ['name', 'required'],
        ['currency', 'invalid_enum_value'],
        ['employees', 'too_small'],
        ['tags[1]', 'invalid_type'],
        ['address.street', 'required'],
        ['address.zip', 'invalid_format'],
      ]),
    );
    expect(fields.map(([field]) => String(field).split(/[.[]/)[0])).toContain(error.param);
  });

  it('names the field of the alternative that was meant', async () => {
    const platform = await openPlatform();
    const lines = [{ sku: 'a', quantity: 1 }];
    const tagged = await platform.send('POST', '/api/v1/orders', { body: { lines, shipping: { kind: 'pickup' } } });
    expect(asArray(errorOf(tagged).errors)).toEqual([
      expect.objectContaining({ field: 'shipping.point', code: 'required' }),
    ]);
    const untagged = await platform.send('POST', '/api/v1/ai/embeddings', { body: { input: ['a', 3] } });
    expect(asArray(errorOf(untagged).errors)).toEqual([
      expect.objectContaining({ field: 'input[1]', code: 'invalid_type' }),
    ]);
  });

  it('never repeats a request_id', async () => {
    const platform = await openPlatform();
    const answers = await Promise.all(Array.from({ length: 50 }, () => platform.send('GET', '/api/v1/nowhere')));
    expect(new Set(answers.map((answer) => errorOf(answer).request_id)).size).toBe(50);
  });

  it('survives hostile values without a 5xx', async () => {
    const platform = await openPlatform();
    const values = [
      '\u0000',
      '😀'.repeat(1000),
      'x'.repeat(100_000),
      1e308,
      -1e308,
      [[[[]]]],
      { constructor: { prototype: {} } },
      null,
      true,
    ];
    const raws = [
      ...values.map((value) => JSON.stringify({ ...STORE, name: value, tags: value, address: value })),
      '{"__proto__":{"a":1},"name":"\\ud800","currency":"EUR"}',
      '[]',
      'null',
      '"x"',
      '1e999',
    ];
    for (const raw of raws) expect((await platform.send('POST', '/api/v1/stores', { raw })).status).toBeLessThan(500);
    for (const query of [
      'limit=1&limit=2',
      'limit[]=1',
      '__proto__=1',
      'limit=%00',
      `limit=${'9'.repeat(400)}`,
      '%',
      '&&&=',
    ]) {
      expect((await platform.send('GET', `/api/v1/themes?${query}`)).status).toBeLessThan(500);
    }
  });
});

describe('resources', () => {
  it('are made, read, changed, listed and deleted', async () => {
    const platform = await openPlatform();
    const created = await platform.send('POST', '/api/v1/stores', {
      body: { ...STORE, address: { street: 'A', city: 'B' } },
    });
    expect(created.body).toMatchObject({ ...STORE, address: { street: 'A', city: 'B' } });
    const path = `/api/v1/stores/${String(asObject(created.body).id)}`;
    expect(created.headers.location).toBe(path);
    expect(await platform.send('GET', path)).toMatchObject({ status: 200, body: created.body });
    expect((await platform.send('PATCH', path, { body: { name: 'New' } })).body).toMatchObject({
      name: 'New',
      currency: 'EUR',
    });
    expect(await idsUnder(platform, '/api/v1/stores')).toContain(asObject(created.body).id);
    expect(await platform.send('DELETE', path)).toMatchObject({ status: 204, text: '' });
    expect((await platform.send('GET', path)).status).toBe(404);
  });

  it('never show what is writeOnly', async () => {
    const platform = await openPlatform();
    const customer = await platform.send('POST', '/api/v1/customers', {
      body: { email: 'a@example.com', name: 'A', password: 'topsecret' },
    });
    expect(customer.status).toBe(201);
    const payment = { store_id: 's', amount: 1, currency: 'EUR', method: { kind: 'card', number: '4242424242424242' } };
    const paid = await platform.send('POST', '/api/v1/stores/process-payment', { body: payment });
    expect(paid.status).toBe(201);
    expect(customer.text + paid.text).not.toMatch(/topsecret|4242424242424242/);
  });

  it('register an email once', async () => {
    const platform = await openPlatform();
    const register = (email: string) =>
      platform.send('POST', '/api/v1/auth/register', { key: null, body: { email, password: 'p' } });
    expect((await register('a@example.com')).status).toBe(201);
    expect((await register('A@example.com')).status).toBe(409);
    expect((await register('b@example.com')).status).toBe(201);
  });

  it('redirect to a domain settings page', async () => {
    const platform = await openPlatform();
    const [id = ''] = await idsUnder(platform, '/api/v1/stores');
    const answer = await platform.send('GET', `/api/v1/stores/${id}/domains/connect`);
    expect([answer.status, URL.canParse(String(answer.headers.location))]).toEqual([302, true]);
  });

  it('are the same at every start with one seed', async () => {
    const [one, other] = [await openPlatform(), await openPlatform()];
    for (const path of ['/api/v1/stores', '/api/v1/products?limit=3', '/api/v1/ai/models']) {
      expect((await one.send('GET', path)).text).toBe((await other.send('GET', path)).text);
    }
  });
});

describe('pages', () => {
  const lists: [string, (limit: number, at: number) => string][] = [
    ['/api/v1/auth/activity/logs', (limit, at) => `?limit=${limit}&page=${at / limit + 1}`],
    ['/api/v1/taxes/currencies', (limit, at) => `?limit=${limit}&page=${at / limit + 1}`],
    ['/api/v1/customers', (limit, at) => `?limit=${limit}&offset=${at}`],
  ];
  it.each(lists)('of %s tile the whole for every limit', async (path, query) => {
    const platform = await openPlatform();
    const whole = await idsUnder(platform, `${path}${query(100, 0)}`);
    expect(whole).toHaveLength(57);
    for (const limit of [1, 10, 57]) {
      const walked: string[] = [];
      for (let at = 0; at < 57; at += limit) walked.push(...(await idsUnder(platform, path + query(limit, at))));
      expect(walked).toEqual(whole);
    }
    expect(await idsUnder(platform, path + query(100, 100))).toEqual([]);
  });

  it('count from 1, by 20, up to 100', async () => {
    const platform = await openPlatform();
    const page = async (query: string) => (await platform.send('GET', `/api/v1/auth/activity/logs${query}`)).body;
    expect(await page('')).toMatchObject({ page: 1, limit: 20, total: 57, total_pages: 3 });
    expect(await page('?page=1')).toEqual(await page(''));
    expect(await page('?limit=1000')).toMatchObject({ limit: 100, total_pages: 1 });
    expect(asArray(asObject(await page('?page=3')).data)).toHaveLength(17);
  });

  it.each(['0', '-1', 'abc', '1.5', '', '99999999999999999999'])('refuse a limit of "%s"', async (limit) => {
    const platform = await openPlatform();
    const answer: TestAnswer = await platform.send('GET', `/api/v1/themes?limit=${limit}`);
    expect([answer.status, errorOf(answer).param]).toEqual([400, 'limit']);
  });
});

describe('idempotency', () => {
  it('answers the original again, and has one effect', async () => {
    const platform = await openPlatform();
    const send = (key: string, body: object = STORE, account: 'std-1' | 'gro-1' = 'std-1') =>
      platform.send('POST', '/api/v1/stores', { key: account, body, headers: { 'idempotency-key': key } });
    const before = (await idsUnder(platform, '/api/v1/stores')).length;
    const [first, ...again] = await Promise.all([send('k'), send('k'), send('k')]);
    expect(again.map(({ status, text }) => [status, text])).toEqual([
      [201, first.text],
      [201, first.text],
    ]);
    expect(await idsUnder(platform, '/api/v1/stores')).toHaveLength(before + 1);
    expect((await send('other')).text).not.toBe(first.text);
    expect((await send('k', STORE, 'gro-1')).text).not.toBe(first.text);
    expect((await send('k', { ...STORE, name: 'Other' })).status).toBe(409);
  });

  it('lets a corrected request use the key of one that failed', async () => {
    const platform = await openPlatform();
    const headers = { 'idempotency-key': 'k' };
    expect((await platform.send('POST', '/api/v1/stores', { body: {}, headers })).status).toBe(400);
    expect((await platform.send('POST', '/api/v1/stores', { body: STORE, headers })).status).toBe(201);
  });
});

describe('limits', () => {
  it('count down by key, refuse with Retry-After and come back', async () => {
    const platform = await openPlatform([], { standard: { calls: 3, seconds: 10 } });
    const get = async (key: 'std-1' | 'gro-1' = 'std-1') => {
      const { status, headers } = await platform.send('GET', '/api/v1/stores', { key });
      return [status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['retry-after']];
    };
    platform.pass(4_200);
    expect([await get(), await get(), await get(), await get()]).toEqual([
      [200, '3', '2', undefined],
      [200, '3', '1', undefined],
      [200, '3', '0', undefined],
      [429, '3', '0', '6'],
    ]);
    expect((await get('gro-1'))[0]).toBe(200);
    platform.pass(6_000);
    expect((await get())[0]).toBe(200);
  });

  it('throttle exports by user', async () => {
    const platform = await openPlatform();
    const ask = (key: 'std-1' | 'gro-1') => platform.send('POST', '/api/v1/auth/activity/export', { key, body: {} });
    const answers = await Promise.all(Array.from({ length: 21 }, () => ask('std-1')));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 202), 429]);
    expect((await ask('gro-1')).status).toBe(202);
    platform.pass(10_000);
    expect((await ask('std-1')).status).toBe(202);
  });
});
