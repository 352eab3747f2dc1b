import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { documentWith, responseSchema } from '../../../test/support/openapi/descriptions.ts';
import { DescriptionCache, KeptJudges, written } from '../cache/cache.ts';
import type { Description } from '../model/operation.ts';
import { loadDescription } from '../read/load.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-judges-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function load(schemas: Record<string, unknown>): Promise<Description> {
  await writeFile(join(folder, 'a.json'), JSON.stringify(documentWith('3.1.0', schemas)));
  const cache = new DescriptionCache(join(folder, 'cache'), '1');
  return loadDescription({ service: 'a', file: join(folder, 'a.json'), remoteRefs: [], cache });
}

async function codeFile(): Promise<string | null> {
  const entries = join(folder, 'cache', 'descriptions');
  const name = (await readdir(entries)).find((one) => one.endsWith('.code'));
  return name === undefined ? null : join(entries, name);
}

async function codeFileOf(): Promise<string> {
  const file = await codeFile();
  if (file === null) throw new Error('no code was kept');
  return file;
}

/** `pointer keyword` of all breaches of these values. */
function judged(description: Description, values: readonly unknown[]): unknown {
  const schema = responseSchema(description);
  const judge = (value: unknown) => (direction: 'request' | 'response') =>
    description
      .validator(
        schema,
        direction,
      )?.(value)
      .map(({ pointer, keyword }) => `${pointer} ${keyword}`);
  return values.map((value) => (['request', 'response'] as const).map(judge(value)));
}

const SCHEMAS = {
  Thing: {
    type: 'object',
    required: ['id', 'secret'],
    properties: {
      id: { type: 'string', format: 'uuid', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      name: { type: 'string', maxLength: 3, pattern: '^\\p{Lu}' },
      slug: { type: 'string', pattern: '^[a-z\\-]+$' },
      price: { type: 'number', multipleOf: 0.01 },
      at: { type: 'string', format: 'date-time' },
      tags: { type: 'array', uniqueItems: true, contains: { const: 'a' }, prefixItems: [{ enum: ['a', { b: 1 }] }] },
      parent: { $ref: '#/components/schemas/Thing' },
      key: { $ref: '#/components/schemas/Key' },
      constructor: { type: 'string' },
      pet: { $ref: '#/components/schemas/Pet' },
    },
  },
  Key: { type: 'string', readOnly: true },
  Pet: {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind' },
  },
  Cat: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: 'Cat' }, lives: { type: 'integer', format: 'int32' } },
  },
  Dog: {
    allOf: [
      { $ref: '#/components/schemas/Cat/properties' },
      { type: 'object', properties: { kind: { const: 'Dog' } } },
    ],
    unevaluatedProperties: false,
  },
};
const ID = '7b4d3e0a-5f0e-4b9c-8a55-0d7c6f2b1a90';
const VALUES: readonly unknown[] = [
  { id: ID },
  { secret: 'x' },
  { id: 'no', secret: 'x' },
  { id: ID, name: 'Éva' },
  { id: ID, name: 'eva1' },
  { id: ID, slug: 'a-b', price: 19.99, at: '2026-01-01T00:00:00Z' },
  { id: ID, slug: 'A', price: 0.001, at: 'now' },
  { id: ID, tags: ['a', 'a'] },
  { id: ID, tags: [{ b: 1 }, 'a'] },
  { id: ID, parent: { id: ID, parent: { id: 3 } } },
  { id: ID, pet: { kind: 'Cat', lives: 9 } },
  { id: ID, pet: { kind: 'Cat', lives: 9.5 } },
  { id: ID, pet: { kind: 'Dog', tail: 1 } },
  { id: ID, pet: { kind: 'Dog' } },
  { secret: 'x', key: 'k' },
  { id: ID, constructor: 1 },
  [],
  null,
];

it('kept code judges as the schema does, and nothing is compiled that was kept', async () => {
  const first = await load(SCHEMAS);
  const expected = judged(first, VALUES);
  await first.keep?.();
  const { ino } = await stat(await codeFileOf());
  const second = await load(SCHEMAS);
  expect(judged(second, VALUES)).toEqual(expected);
  await second.keep?.();
  expect((await stat(await codeFileOf())).ino).toBe(ino);
});

it('what was let go of is compiled anew', async () => {
  const one = await load(SCHEMAS);
  const expected = judged(one, VALUES);
  await one.keep?.();
  expect(judged(one, VALUES)).toEqual(expected);
});

it('what another run kept meanwhile stays', async () => {
  const both = {
    Thing: {
      type: 'object',
      properties: { a: { $ref: '#/components/schemas/A' }, b: { $ref: '#/components/schemas/B' } },
    },
    A: { type: 'string' },
    B: { type: 'number' },
  };
  const [one, other] = [await load(both), await load(both)];
  judged(one, [{ a: 'a' }]);
  judged(other, [{ b: 1 }]);
  await one.keep?.();
  await other.keep?.();
  const names = [...new KeptJudges((await readFile(await codeFileOf())).subarray(64))].map(([name]) => name);
  expect(names).toContain('response #/components/schemas/A');
  expect(names).toContain('response #/components/schemas/B');
});

it.each<[string, (bytes: Buffer) => Buffer]>([
  ['is cut off', (bytes) => bytes.subarray(0, -9)],
  ['has another byte', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from('x')])],
  ['is whole but no code', () => sealed(Buffer.from('nonsense'))],
  ['holds text that is no judge', (bytes) => sealed(...written(changed(bytes, '(function () { return null.x; })')))],
  ['holds machine code of another text', (bytes) => sealed(...written(changed(bytes, null)))],
])('schemas are compiled anew when the file %s', async (_, change) => {
  const first = await load(SCHEMAS);
  const expected = judged(first, VALUES);
  await first.keep?.();
  await writeFile(await codeFileOf(), change(await readFile(await codeFileOf())));
  expect(judged(await load(SCHEMAS), VALUES)).toEqual(expected);
});

it('another description has other code', async () => {
  const first = await load({ Thing: { type: 'string' } });
  judged(first, ['a']);
  await first.keep?.();
  expect(judged(await load({ Thing: { type: 'number' } }), ['a'])).toEqual([[[' type'], [' type']]]);
});

it('nothing is kept of what nobody asked for', async () => {
  await (await load(SCHEMAS)).keep?.();
  expect(await codeFile()).toBeNull();
});

function sealed(...pieces: readonly Buffer[]): Buffer {
  const body = Buffer.concat(pieces);
  return Buffer.concat([Buffer.from(createHash('sha256').update(body).digest('hex')), body]);
}

/** Every judge with this text; null: with a blank more, so that the machine code is not of it. */
function changed(bytes: Buffer, text: string | null) {
  const kept = [...new KeptJudges(bytes.subarray(64))];
  return new Map(kept.map(([name, code]) => [name, { ...code, text: text ?? `${code.text} ` }]));
}
