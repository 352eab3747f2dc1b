// Drafts of the contracts of APIs that nobody here wrote: each loads as it is, is at most a page, and states what the answers show.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { contractOf } from '../../config/contract-file.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Purpose, Seen } from '../../facts/seen.ts';
import { draftedContract } from './drafted.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-drafted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly of?: string;
  readonly purpose?: Purpose;
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const number = (name: string, more = {}) => ({ name, in: 'query', schema: { type: 'integer', ...more } });
const text = (name: string) => ({ name, in: 'query', schema: { type: 'string' } });
const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } });

/** The draft of an API that has these operations and gives these answers. */
async function draft(
  operations: Readonly<Record<string, readonly unknown[]>>,
  answers: readonly Answer[],
  statuses: readonly number[] = [],
) {
  const responses = Object.fromEntries([200, ...statuses].map((status) => [status, { description: 'As told' }]));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [key, parameters] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: { parameters, responses } };
  }
  const info = { title: 'Acme\nAPI', version: '1' };
  const description = await loadFiles({ 'acme.json': { openapi: '3.0.3', info, paths } });
  const seen = answers.map(
    ({ of = '', purpose = 'plain', status = 200, type = 'application/json', headers = {}, body }): Seen => {
      const operation = description.operations.find(({ key }) => key === of) ?? null;
      const path = operation?.path.replaceAll(/\{\w+\}/g, '7') ?? '/assay-unknown';
      return { purpose, operation, path, status, mediaType: type, headers: Object.entries(headers), body };
    },
  );
  const { text: yaml, questions } = draftedContract(seen, [description], { isOffline: answers.length === 0 });
  writeFileSync(join(folder, 'acme.contract.yaml'), yaml);
  const { terms } = contractOf('acme.contract.yaml', folder);
  return { yaml, questions, terms, lines: yaml.split('\n').length };
}

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, total: 3, next: 'x' }));
const members = ({ errors }: Terms) =>
  Object.fromEntries(Object.entries(errors?.members ?? {}).map(([role, { at }]) => [role, at]));

describe('a drafted contract', () => {
  it('finds what an envelope says by names and by values', async () => {
    const error = (status: number, code: string, id: string) => ({
      error: { code, status, message: 'No.', traceId: id, path: status === 404 ? '/users/7' : '/users', at: 'x' },
    });
    const { terms, yaml, lines } = await draft({ 'GET /users': [], 'GET /users/{id}': [] }, [
      { of: 'GET /users/{id}', status: 404, body: error(404, 'not_found', 'a1b2c3d4e5') },
      { of: 'GET /users', status: 401, purpose: 'no key', body: error(401, 'unauthorized', 'f6a7b8c9d0') },
    ]);
    expect(members(terms)).toEqual({
      ...{ code: '/error/code', status: '/error/status', message: '/error/message' },
      ...{ requestId: '/error/traceId', instance: '/error/path' },
    });
    expect(terms.errors).toMatchObject({
      envelope: '/error',
      codes: { not_found: { status: 404 }, unauthorized: { status: 401 } },
      members: { code: { form: 'snake_case' } },
    });
    // A wrong key may have another code than none.
    expect(terms.authentication.refused).toEqual({ statuses: [401], code: null });
    expect(yaml).toContain('# 404 of GET /users/{id}: it is 404');
    expect(lines).toBeLessThan(25);
  });

  it('stands on presets where they fit, and adds what they leave open', async () => {
    const problem = (status: number) => ({
      type: `https://acme.example/${status}`,
      ...{ title: 'No', status, detail: 'No.', errors: [{ pointer: '/name' }] },
    });
    const type = 'application/problem+json';
    const { terms, yaml } = await draft(
      { 'GET /users': [number('page', { default: 0 }), number('size', { maximum: 50 })] },
      [
        {
          of: 'GET /users',
          body: { content: rows(20), totalElements: 45, totalPages: 3, number: 0, size: 20 },
          headers: { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '30' },
        },
        {
          of: 'GET /users',
          purpose: 'one item',
          body: { content: rows(1), totalElements: 45, totalPages: 45, number: 0, size: 1 },
        },
        { of: 'GET /users', purpose: 'bad value', status: 400, type, body: problem(400) },
        { purpose: 'unknown path', status: 404, type, body: problem(404) },
      ],
    );
    expect(yaml).toMatch(/extends:\n {2}- problem-details .*\n {2}- pages-from-0 .*\n {2}- ratelimit-x .*\n/);
    expect(yaml).not.toMatch(/title:|\/detail/);
    expect(members(terms)).toMatchObject({ field: '/errors/*/pointer', code: '/type' });
    expect(terms.pagination).toMatchObject([
      {
        ...{ style: 'page', operations: null, first: 0, items: '/content' },
        counts: { total: '/totalElements', pages: '/totalPages', page: '/number', size: '/size' },
        size: { maximum: 50 },
      },
    ]);
    expect(terms.requests.invalid?.statuses).toEqual([400]);
  });

  it('tells lists of one API apart that page in different ways', async () => {
    const { terms } = await draft(
      {
        'GET /events': [text('cursor'), number('limit')],
        'GET /repos': [number('page'), number('per_page')],
        'GET /repos/{id}/forks': [number('page'), number('per_page')],
        'GET /pets': [number('offset'), number('limit')],
        'GET /tags': [number('offset'), number('limit')],
      },
      [
        { of: 'GET /events', body: { data: rows(2), meta: { nextCursor: 'abc', total: 2 } } },
        { of: 'GET /repos', body: rows(2), headers: { link: '</repos?page=2>; rel="next"' } },
        { of: 'GET /pets', body: { results: rows(2), count: 9 } },
        { of: 'GET /pets', purpose: 'one item', body: { results: rows(1), count: 9 } },
        { of: 'GET /tags', body: { items: rows(2), count: 2 } },
        { of: 'GET /tags', purpose: 'one item', body: { items: rows(1), count: 1 } },
      ],
    );
    const told = terms.pagination.map(({ style, operations, items, counts, links }) => [
      ...[style, operations, items, counts.total, links.next],
    ]);
    expect(told).toEqual([
      ['cursor', null, '/data', '/meta/total', { at: '/meta/nextCursor' }],
      ['offset', ['GET /pets'], '/results', '/count', null],
      ['offset', null, '/items', null, null],
      ['links', null, null, null, { header: 'Link', rel: 'next' }],
    ]);
  });

  it('leaves out a member that means something else in another error, and asks', async () => {
    const { terms, yaml, questions } = await draft({ 'GET /users': [] }, [
      { purpose: 'unknown path', status: 404, body: { detail: 'Not Found' } },
      {
        of: 'GET /users',
        status: 422,
        body: { detail: [{ loc: ['query', 'limit'], msg: 'No', type: 'int_parsing' }] },
      },
    ]);
    expect(members(terms)).toEqual({ field: '/detail/*/loc' });
    expect(yaml).not.toContain('message:');
    expect(questions).toBeGreaterThan(0);
  });

  it('takes bad input for refused by each status that is seen or declared', async () => {
    const answer = { of: 'GET /users', purpose: 'bad value', status: 400, body: { message: 'No' } } as const;
    const { terms } = await draft({ 'GET /users': [number('limit')] }, [answer], [404, 422]);
    expect(terms.requests.invalid).toEqual({ statuses: [400, 422], code: null });
  });

  it('names keys, ETags and limits of names of their own', async () => {
    const { terms } = await draft(
      { 'POST /orders': [header('X-Idempotency-Key')], 'PUT /orders/{id}': [header('If-Match')], 'GET /orders': [] },
      [
        {
          of: 'GET /orders',
          body: rows(2),
          headers: { etag: '"1"', 'x-quota': '10', 'x-quota-left': '9', 'x-quota-reset': '30' },
        },
        { of: 'GET /orders', purpose: 'known state', status: 304, body: undefined },
      ],
    );
    expect(terms.idempotency).toMatchObject({ header: 'X-Idempotency-Key', operations: ['POST /orders'] });
    expect(terms.conditional).toEqual(['GET /orders', 'PUT /orders/{id}']);
    expect(terms.rateLimits?.headers).toEqual({
      ...{ limit: 'X-Quota', remaining: 'X-Quota-Left', reset: 'X-Quota-Reset', resetForm: 'delta-seconds' },
    });
  });

  it.each([
    ['6m0s', 'duration'],
    ['59.5', 'delta-seconds'],
    ['1772366400', 'epoch-seconds'],
    ['1772366400000', 'epoch-milliseconds'],
    ['Sun, 01 Mar 2026 12:00:00 GMT', 'date'],
    ['2026-03-01T12:00:00Z', 'date'],
  ])('reads the reset %s as runs do: %s', async (reset, resetForm) => {
    const headers = { 'x-quota': '10', 'x-quota-left': '9', 'x-quota-reset': reset };
    const { terms } = await draft({ 'GET /orders': [] }, [{ of: 'GET /orders', body: rows(2), headers }]);
    expect(terms.rateLimits?.headers).toMatchObject({ reset: 'X-Quota-Reset', resetForm });
  });

  it('states no conditional requests where the ETag of an answer is not heeded, and asks', async () => {
    const answer = { of: 'GET /orders', body: rows(2), headers: { etag: '"1"' } };
    const { terms, yaml } = await draft({ 'GET /orders': [] }, [answer, { ...answer, purpose: 'known state' }]);
    expect(terms.conditional).toEqual([]);
    expect(yaml).toContain('# 200 of GET /orders in full, asked with the ETag that it has. Is If-None-Match heeded?');
  });

  it('is written where nothing is known, as questions alone', async () => {
    const { terms, questions } = await draft({ 'GET /users': [] }, []);
    expect(terms).toMatchObject({ errors: null, pagination: [], rateLimits: null });
    expect(questions).toBe(2);
  });

  it('names fields as frameworks do, and limits without a reset by their own headers', async () => {
    const operations = { 'GET /posts': [number('page'), number('per_page')] };
    const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' };
    const found = { of: 'GET /posts', headers, body: { data: [{ id: 1 }, { id: 2 }] } };
    const bad = (body: unknown) => ({ of: 'GET /posts', purpose: 'bad value' as const, status: 422, body });
    const byKeys = await draft(operations, [found, bad({ message: 'No.', errors: { page: ['is wrong'] } })]);
    expect(byKeys.yaml).toContain('field: { at: /errors, optional: true, form: keys }');
    expect(byKeys.terms.rateLimits?.headers).toMatchObject({ remaining: 'X-Ratelimit-Remaining', reset: null });
    const missing = { purpose: 'unknown path' as const, status: 404, body: { detail: 'Not Found' } };
    const bySegments = await draft(operations, [found, bad({ detail: [{ loc: ['query', 'page'] }] }), missing]);
    expect(members(bySegments.terms)).toEqual({ field: '/detail/*/loc' });
  });

  it('goes on after the id of the last item where no answer tells a cursor', async () => {
    const page = { data: [{ id: 'a' }, { id: 'b' }], has_more: true };
    const { terms } = await draft({ 'GET /charges': [text('starting_after'), number('limit')] }, [
      { of: 'GET /charges', body: page },
    ]);
    expect(terms.pagination[0]?.links.next).toEqual({ at: '/data/*/id' });
  });

  it('asks whether errors of other statuses have what those of one have', async () => {
    const missing = (of: string) => ({
      of,
      purpose: 'unknown id' as const,
      status: 404,
      body: { detail: 'Not found.' },
    });
    const { yaml } = await draft({ 'GET /books/{id}': [], 'GET /pens/{id}': [] }, [
      missing('GET /books/{id}'),
      missing('GET /pens/{id}'),
    ]);
    expect(yaml).toMatch(/message: \{ at: \/detail, optional: true \} .*other statuses.*\?/);
  });

  it('holds no line of the target', async () => {
    const { terms, yaml } = await draft({ 'GET /users': [] }, [
      {
        of: 'GET /users',
        status: 404,
        body: { 'a: b\nname: Mine #': { code: 'x_1', 'y"z': 1 }, code: 'evil\nname: Mine' },
      },
      { of: 'GET /users', status: 400, type: 'text/html\nname: Mine', body: undefined },
    ]);
    expect(yaml.match(/^name: .*$/gm)).toEqual(['name: "Acme API contract"']);
    expect(terms.errors?.members.code?.at).toBe('/a: b\nname: Mine #/code');
  });
});
