import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentWith, loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { Description } from '../model/operation.ts';
import { loadDescription } from './load.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-parse-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function loaded(name: string, content: string | Uint8Array): Promise<Description> {
  await writeFile(join(folder, name), content);
  return loadDescription({ service: 'a', file: join(folder, name), remoteRefs: [] });
}

const HEAD = 'openapi: 3.0.3\ninfo: { title: Shop, version: "1" }\n';
const TEXT = `${HEAD}paths:\n  /a:\n    get:\n      responses:\n        200: { description: Done }\n`;
const JSON_TEXT = JSON.stringify(documentWith('3.0.3', { Thing: { type: 'object' } }));

describe('a text', () => {
  it.each<[string, string, string | Uint8Array]>([
    ['YAML with a byte order mark', 'a.yaml', `\ufeff${TEXT}`],
    ['YAML with CRLF', 'a.yaml', TEXT.replaceAll('\n', '\r\n')],
    ['YAML under the name of text', 'a.txt', TEXT],
    ['YAML with a directive and an end mark', 'a.yaml', `%YAML 1.2\n---\n${TEXT}...\n`],
    ['YAML with tabs before comments and values', 'a.yaml', TEXT.replace('openapi: 3.0.3', 'openapi:\t3.0.3\t# old')],
    ['JSON with a byte order mark', 'a.json', `\ufeff${JSON_TEXT}`],
    ['JSON in UTF-16', 'a.json', Buffer.from(`\ufeff${JSON_TEXT}`, 'utf16le')],
    ['JSON under the name of YAML', 'a.yaml', JSON_TEXT],
  ])('is read: %s', async (_, name, content) => {
    const { operations, problems } = await loaded(name, content);
    expect(problems).toEqual([]);
    expect(operations).not.toEqual([]);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['two documents', `${TEXT}---\n${TEXT}`, 'single document'],
    ['Latin-1', Buffer.from(`${TEXT}x-a: caf\u00e9\n`, 'latin1'), 'no UTF-8 text'],
    ['a tag of its own', `${TEXT}x-a: !!js/function "x"\n`, 'unknown scalar tag'],
    ['more lines than values are read', '\n'.repeat(2_000_001) + TEXT, '2 million values'],
    ['merge keys that multiply', `${TEXT}${multiplied()}`, '2 million values'],
    ['names that make pointers endless', `${TEXT}x-a: { ${'k'.repeat(9000)}: { a: 1 } }`, '8 KiB'],
  ])('is refused: %s', async (_, content, reason) => {
    await expect(loaded('a.yaml', content)).rejects.toMatchObject({
      code: 'ASSAY_DESCRIPTION_UNREADABLE',
      message: expect.stringContaining(reason),
    });
  });

  it('has words where YAML 1.1 saw booleans, times and octal numbers', async () => {
    const names = '{ on: 1, no: 2 }';
    const { document } = await loaded('a.yaml', `${TEXT}x-a: [yes, NO, off, 12:30:45, 2020-01-01]\nx-b: ${names}\n`);
    expect(document).toMatchObject({ 'x-a': ['yes', 'NO', 'off', '12:30:45', '2020-01-01'], 'x-b': { on: 1, no: 2 } });
  });

  it('has merge keys followed: own fields win, then earlier sources', async () => {
    const bases = 'x-a: &a { k: a, l: a }\nx-b: &b { <<: *a, l: b, m: b }\n';
    const { document } = await loaded('a.yaml', `${TEXT}${bases}x-c:\n  <<: [*b, { m: c, n: c }]\n  k: own\n`);
    expect(document).toMatchObject({ 'x-c': { k: 'own', l: 'b', m: 'b', n: 'c' } });
  });

  it('tells fields that JSON gives twice', async () => {
    const { problems } = await loaded('a.json', JSON_TEXT.replace('"/things":', '"/a": {},\n"/a":'));
    expect(problems).toMatchObject([{ rule: 'duplicate-key', pointer: '/paths/~1a', line: 1 }]);
  });
});

/** Each line merges a thousand fields again. */
function multiplied(): string {
  const fields = Array.from({ length: 1000 }, (_, index) => `k${index}: 1`).join(', ');
  return `x-a: &a { ${fields} }\n${Array.from({ length: 2100 }, (_, index) => `x-${index}: { <<: *a }\n`).join('')}`;
}

describe('what has no end', () => {
  const LENGTH = 12_000;
  const chain = (link: (next: { $ref: string }) => unknown, last: number) =>
    Object.fromEntries(
      Array.from({ length: LENGTH }, (_, index) => {
        const next = index === LENGTH - 1 ? last : index + 1;
        return [`S${index}`, link({ $ref: `#/components/schemas/S${next}` })];
      }),
    );

  it('a composition that comes back to itself is one problem', async () => {
    const description = await loadFiles({
      'a.json': documentWith(
        '3.0.3',
        chain((next) => ({ allOf: [next] }), 0),
      ),
    });
    expect(description.problems).toMatchObject([{ rule: 'circular-ref' }]);
  });

  it('a chain that leads nowhere makes its operation one that is not tested', async () => {
    const schemas = chain((next) => ({ type: 'object', required: ['a'], properties: { a: next } }), LENGTH);
    const document = documentWith('3.0.3', schemas);
    const { operations, problems } = await loadFiles({ 'a.json': required(document) });
    expect(problems).toMatchObject([{ rule: 'unresolved-ref' }]);
    expect(operations.map(({ unsupported }) => unsupported)).toEqual([
      null,
      expect.stringContaining('does not resolve'),
    ]);
  });

  it('problems are counted where they are too many to list', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 10_003 }, (_, index) => [`field${index}`, 1]));
    const { problems } = await loadFiles({ 'a.json': { ...documentWith('3.0.3', { A: {} }), ...unknown } });
    expect(problems).toHaveLength(10_001);
    expect(problems.at(-1)?.message).toBe('3 further problems are not listed');
  });
});

function required(document: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(document).replace('"requestBody":{', '"requestBody":{"required":true,'));
}

it('a path whose parameters nobody declares is one problem', async () => {
  const path = `/${Array.from({ length: 7 }, (_, index) => `{p${index}}`).join('/')}`;
  const paths = { [path]: { get: { responses: { 200: { description: 'Done' } } } } };
  const { problems } = await loadFiles({ 'a.json': { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths } });
  expect(problems.map(({ message }) => message)).toEqual([
    'the path has "{p0}", "{p1}", "{p2}", "{p3}", "{p4}" and 2 more, but no parameter of that name in path is declared',
  ]);
});

it('a symbolic link does not lead out of the folder', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'assay-outside-'));
  await writeFile(join(outside, 'parts.json'), '{"A":{"type":"string"}}');
  await symlink(join(outside, 'parts.json'), join(folder, 'parts.json'));
  const document = documentWith('3.0.3', { Thing: { $ref: 'parts.json#/A' } });
  const { problems } = await loaded('a.json', JSON.stringify(document));
  await rm(outside, { recursive: true });
  expect(problems).toMatchObject([{ rule: 'unresolved-ref', message: expect.stringContaining('symbolic link') }]);
});
