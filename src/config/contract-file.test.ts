import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHIPPED_CONTRACTS, shippedContract } from '../contract/shipped.ts';
import { contractOf, idleNamesIn } from './contract-file.ts';
import { checkConfig } from './load.ts';
import { schemaProblems } from './schema-problems.ts';

/** Writes the files into a new folder, and reads the first of them as a contract. */
function read(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-contract-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return contractOf(Object.keys(files)[0] ?? '', folder);
}

const HEAD = 'contract: 1\nname: Acme\n';

describe('a contract file', () => {
  it('stands on the descriptions alone where it extends nothing', () => {
    const contract = read({ 'acme.yaml': `${HEAD}errors: { members: { code: /code } }\n` });
    expect(contract).toMatchObject({ base: 'openapi', name: 'Acme', file: 'acme.yaml' });
    expect(contract.terms.errors?.members.code).toEqual({ at: '/code', isOptional: false, form: null });
    expect(contract.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('takes what it leaves out from the contracts that it extends, of which later ones win', () => {
    const { terms, base } = read({
      'acme.yaml': `${HEAD}extends: [problem-details, ./base.yaml]\nerrors: { members: { title: null } }\n`,
      'base.yaml': `${HEAD}extends: commerce\nerrors: { members: { requestId: /traceId } }\n`,
    });
    expect(base).toBe('commerce');
    expect(terms.errors?.mediaType).toBe('application/problem+json');
    expect(terms.errors?.members.requestId?.at).toBe('/traceId');
    expect(terms.errors?.members.title).toBeUndefined();
  });

  it('makes an entry on lists of the preset of its style, which then stands for no other list', () => {
    const text = `${HEAD}extends: [cursor, pages-from-0]\npagination:\n  - { operations: [GET /v2/*], style: cursor, items: /data }\n`;
    const { pagination } = read({ 'acme.yaml': text }).terms;
    expect(pagination.map(({ style, operations }) => [style, operations])).toEqual([
      ['cursor', ['GET /v2/*']],
      ['page', null],
    ]);
    expect(pagination[0]).toMatchObject({ links: { next: { at: '/next_cursor' } }, items: '/data' });
  });

  it('states a member of errors anew, whatever a preset says of it', () => {
    const text = `${HEAD}extends: problem-details\nerrors: { members: { code: { at: /type, form: uri }, status: /status } }\n`;
    const { members } = read({ 'acme.yaml': text }).terms.errors ?? {};
    expect([members?.code, members?.status, members?.title]).toEqual([
      { at: '/type', isOptional: false, form: 'uri' },
      { at: '/status', isOptional: false, form: null },
      { at: '/title', isOptional: true, form: null },
    ]);
  });

  it('tells a form of codes that is no regular expression', () => {
    const text = `${HEAD}errors: { members: { code: { at: /code, form: "[" }, title: { at: /title, form: "[" } } }\n`;
    expect(() => read({ 'acme.yaml': text })).toThrow(/"\[" is no form: write snake_case, kebab-case, uri/);
  });

  it('reads the schema of errors from another file', () => {
    const { terms } = read({
      'acme.yaml': `${HEAD}errors: { schema: problem.json }\n`,
      'problem.json': '{ "required": ["title"] }',
    });
    expect(terms.errors?.schema).toEqual({ required: ['title'] });
  });

  it('says how clients wait with every figure, or with none', () => {
    const figures = { maxRetries: 3, base429Ms: 500, capMs: 8000, jitterMs: 100, base5xxMs: 200 };
    expect(read({ 'acme.yaml': `${HEAD}clients: ${JSON.stringify(figures)}\n` }).terms.clients).toEqual({
      ...figures,
      tasks: {},
    });
    expect(read({ 'acme.yaml': HEAD }).terms.clients).toBeNull();
    expect(() => read({ 'acme.yaml': `${HEAD}clients: { maxRetries: 3 }\n` })).toThrow(
      /clients\.base429Ms: is missing/,
    );
  });

  it('tells all mistakes at once, each with its line, its key and the nearest one', () => {
    const wrong = () =>
      read({
        'acme.yaml': `${HEAD}erors: {}\npagination:\n  - items: /data\n    style: pages\nextends: [openapi, cursr]\n`,
      });
    expect(wrong).toThrow(
      /acme\.yaml has 3 problems:\n {2}line 3, erors: unknown key \(did you mean "errors"\?\).*\n {2}line 6, pagination\[0\]\.style: .*page.*\n {2}line 7, extends\[1\]: "cursr" is neither .*did you mean "cursor"/,
    );
  });

  it.each([
    ['a name that nothing has', { 'a.yaml': `${HEAD}extends: cursr\n` }, /"cursr" is neither .*did you mean "cursor"/],
    [
      'a file that is absent',
      { 'a.yaml': `${HEAD}extends: ./b.yaml\n` },
      /a\.yaml:3: extends: .*b\.yaml does not exist/,
    ],
    ['itself', { 'a.yaml': `${HEAD}extends: ./b.yaml\n`, 'b.yaml': `${HEAD}extends: ./a.yaml\n` }, /leads back/],
    [
      'a schema that is absent',
      { 'a.yaml': `${HEAD}errors: { schema: x.json }\n` },
      /errors\.schema: .*x\.json does not exist/,
    ],
  ])('refuses to stand on %s', (_, files, told) => {
    expect(() => read(files)).toThrow(told);
  });
});

it.each(SHIPPED_CONTRACTS)('%s, which ships, keeps the schema', (name) => {
  expect(schemaProblems(shippedContract(name), new Set(), 'contract.schema.json')).toEqual([]);
});

it('gives a configuration what that leaves out of signatures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-contract-'));
  const taken = (webhooks: string, own: object) => {
    writeFileSync(join(folder, 'acme.yaml'), `${HEAD}webhooks: ${webhooks}\n`);
    const target = { baseUrl: 'http://127.0.0.1:8080' };
    const document = { target, contract: join(folder, 'acme.yaml'), webhooks: { secret: 's', ...own } };
    const config = checkConfig(document, join(folder, 'assay.config.yaml'), { baseUrl: null, env: {} });
    return [config.webhooks?.header, config.webhooks?.form];
  };
  const stated = '{ algorithm: hmac-sha256, header: X-Acme, signed: "{x-time}.{body}" }';
  expect(taken(stated, {})).toEqual(['X-Acme', 'of {x-time}.{body}']);
  expect(taken(stated, { form: 'hex' })).toEqual(['X-Acme', 'hex']);
  // Which header tells the time is found out.
  expect(taken('{ header: X-Timed, signed: "{timestamp}.{body}" }', {})).toEqual(['X-Timed', null]);
});

it('tells operations that no description has, with the nearest ones', () => {
  const text = `${HEAD}pagination: [{ operations: [GET /item, "GET /v2/*"], style: limit }]\nidempotency: { operations: [POST /items] }\n`;
  const keys = ['GET /items', 'POST /items', 'GET /v2/things'];
  expect(idleNamesIn(read({ 'acme.yaml': text }), keys)).toMatch(
    /acme\.yaml names .*: GET \/item \(did you mean "GET \/items"\?\)$/,
  );
  expect(idleNamesIn(read({ 'acme.yaml': HEAD }), keys)).toBeNull();
});
