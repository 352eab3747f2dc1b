import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodySchemas, posting } from '../../test/support/generate/schemas.ts';
import { isObject } from '../openapi/json.ts';
import type { Change, Description, SchemaBreach } from '../openapi/model/operation.ts';
import { validBody } from './bodies.ts';
import type { Spoiler } from './spoiled-place.ts';
import { spoilerCandidates, spoilersOf } from './spoilers.ts';

const NONCE = { run: 'run-m3x9k2', serial: 'qhzkwe' };

async function spoiled(schema: unknown, body: unknown, version?: string): Promise<readonly Spoiler[]> {
  const [posted] = await posting([schema], version);
  return [...spoilersOf(posted!.description, posted!.schema, body)];
}

/** Pointers at which two JSON values differ, the uppermost ones. */
function differences(left: unknown, right: unknown, pointer = ''): readonly string[] {
  if (JSON.stringify(left) === JSON.stringify(right)) return [];
  const bothArrays = Array.isArray(left) && Array.isArray(right) && left.length === right.length;
  if (!bothArrays && !(isObject(left) && isObject(right))) return [pointer];
  const [a, b] = [left as Record<string, unknown>, right as Record<string, unknown>];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.flatMap((key) =>
    key in a && key in b ? differences(a[key], b[key], `${pointer}/${key}`) : [`${pointer}/${key}`],
  );
}

describe('a spoiled body', () => {
  it('is invalid, and differs from the valid one at the named place alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodySchemas, { minLength: 8, maxLength: 8 }), fc.nat(), async (schemas, seed) => {
        for (const { description, operation, schema } of await posting(schemas)) {
          const body = validBody(description, operation, 'full', { seed, nonce: NONCE });
          for (const spoiler of spoilersOf(description, schema, body)) {
            expect(description.validator(schema, 'request')?.(spoiler.body)).not.toEqual([]);
            const [place, ...others] = differences(body, spoiler.body);
            expect(others).toEqual([]);
            // A place that was an object or array and is still one differs below itself.
            expect(`${place}/`.startsWith(`${spoiler.pointer}/`), `${place} under ${spoiler.pointer}`).toBe(true);
            // A demand on the body as a whole names no field of its own.
            const isOfWhole = spoiler.path.length < 2 && spoiler.what.startsWith('the body ');
            expect(spoiler.field).toBe(isOfWhole ? '' : spoiler.path[0]);
          }
        }
      }),
      { numRuns: 3 },
    );
  });

  it('is offered where the schema as a whole finds a breach of the place, of its keyword, and no other', async () => {
    const isAtOrBelow = (pointer: string, other: string): boolean =>
      pointer === other || pointer.startsWith(`${other}/`);
    await fc.assert(
      fc.asyncProperty(fc.array(bodySchemas, { minLength: 8, maxLength: 8 }), fc.nat(), async (schemas, seed) => {
        for (const { description, operation, schema } of await posting(schemas)) {
          const body = validBody(description, operation, 'full', { seed, nonce: NONCE });
          const changes: Change[] = [];
          const isBrokenAt: Description['isBrokenAt'] = (handle, change) => {
            changes.push(change);
            return description.isBrokenAt(handle, change);
          };
          for (const candidate of spoilerCandidates({ ...description, isBrokenAt }, schema, body)) {
            const { pointer: place, body: changed } = candidate.spoiler;
            const offered = candidate.isClean;
            const breaches = description.validator(schema, 'request')?.(changed) ?? [];
            const keywords = changes.at(-1)?.keywords ?? null;
            const isOfChange = ({ pointer, keyword }: SchemaBreach): boolean =>
              pointer === place
                ? (keywords?.includes(keyword) ?? true)
                : isAtOrBelow(pointer, place) || isAtOrBelow(place, pointer);
            expect(offered).toBe(breaches.length > 0 && breaches.every(isOfChange));
          }
        }
      }),
      { numRuns: 3 },
    );
  });

  it('is not offered where it changes what is asked of another place', async () => {
    const members = { kind: { type: 'string', enum: ['a', 'b'] }, size: { type: 'integer' } };
    const plain = { type: 'object', properties: members, required: ['kind', 'size'] };
    const missing = async (schema: unknown) =>
      (await spoiled(schema, { kind: 'a', size: 1 }))
        .filter(({ kind }) => kind === 'missing')
        .map(({ field }) => field);
    expect(await missing(plain)).toEqual(['kind', 'size']);
    // Without its kind the value is judged by "else", which asks something of its size.
    const entangled = { if: { required: ['kind'] }, else: { properties: { size: { minimum: 5 } } } };
    for (const schema of [{ ...plain, ...entangled }, { allOf: [plain, entangled] }])
      expect(await missing(schema)).toEqual(['size']);
  });

  it('is offered for each kind of breach', async () => {
    const schema = {
      type: 'object',
      required: ['email'],
      additionalProperties: false,
      properties: { email: { type: 'string', format: 'email', maxLength: 60 }, age: { type: 'integer', minimum: 0 } },
    };
    const offered = await spoiled(schema, { email: 'a@example.com', age: 3 });
    expect(offered.map(({ kind, what }) => `${kind}: ${what}`)).toEqual([
      'missing: email left out',
      'wrong-type: email is an object instead of string',
      'wrong-type: email is an array instead of string',
      'wrong-scalar: email is a number instead of string',
      'wrong-scalar: email is a boolean instead of string',
      'wrong-type: email is null instead of string',
      'constraint: email is longer than 60',
      'constraint: email is not of format email',
      'wrong-type: age is an object instead of integer',
      'wrong-type: age is an array instead of integer',
      'wrong-scalar: age is a string instead of integer',
      'wrong-scalar: age is a fraction instead of integer',
      'null-optional: age is null instead of integer',
      'constraint: age is below 0',
      'constraint: the body has the member assayUnknown, which is not described',
    ]);
  });

  it('breaks one keyword and obeys the others', async () => {
    const members = {
      slug: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$', minLength: 3, maxLength: 12 },
      code: { type: 'string', enum: ['AB', 'CD'], pattern: '^[A-Z]{2}$' },
      mail: { type: 'string', format: 'email', maxLength: 20 },
      price: { type: 'number', exclusiveMinimum: 0, maximum: 99.5, multipleOf: 0.25 },
      size: { type: 'integer', enum: [1, 2, 3] },
      tags: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3, uniqueItems: true },
      rows: { type: 'array', items: { type: 'integer' }, maxItems: 2 },
    };
    const body = { slug: 'a-bc', code: 'AB', mail: 'a@b.co', price: 1, size: 2, tags: ['a', 'b'], rows: [1] };
    const [posted] = await posting([{ type: 'object', properties: members }]);
    const { description, schema } = posted!;
    const offered = [...spoilersOf(description, schema, body)].filter(({ kind }) => kind === 'constraint');
    const broken = offered.map((spoiler) => {
      const breaches = description.validator(schema, 'request')!(spoiler.body);
      expect(breaches.map(({ pointer }) => pointer)).toEqual([spoiler.pointer]);
      return `${spoiler.field} ${breaches[0]?.keyword}`;
    });
    expect(broken).toEqual([
      ...['slug minLength', 'slug maxLength', 'slug pattern', 'code enum', 'mail maxLength', 'mail format'],
      ...['price exclusiveMinimum', 'price maximum', 'price multipleOf', 'size enum'],
      ...['tags minItems', 'tags uniqueItems', 'rows maxItems'],
    ]);
    expect(offered.find(({ what }) => what === 'price is above 99.5')?.body).toMatchObject({ price: 99.75 });
  });

  it('breaks what an object asks of its members, nested ones too', async () => {
    const parcel = {
      type: 'object',
      minProperties: 1,
      maxProperties: 3,
      dependentRequired: { unit: ['weight'] },
      properties: { unit: { type: 'string' }, weight: { type: 'number' } },
    };
    const schema = { type: 'object', properties: { parcel, labels: { type: 'object', unevaluatedProperties: false } } };
    const offered = await spoiled(schema, { parcel: { unit: 'kg', weight: 2 }, labels: {} });
    const constraints = offered.filter(({ kind }) => kind === 'constraint');
    expect(constraints.map(({ what, field, body }) => [what, field, body])).toEqual([
      ['parcel has fewer than 1 member', 'parcel', { parcel: {}, labels: {} }],
      [
        'parcel has more than 3 members',
        'parcel',
        { parcel: { unit: 'kg', weight: 2, assay0: 'kg', assay1: 'kg' }, labels: {} },
      ],
      ['parcel lacks weight, which is required beside unit', 'parcel', { parcel: { unit: 'kg' }, labels: {} }],
      [
        'labels has the member assayUnknown, which is not described',
        'labels',
        { parcel: { unit: 'kg', weight: 2 }, labels: { assayUnknown: 'assay' } },
      ],
    ]);
  });

  it('is of a type that no alternative of its place admits', async () => {
    const any = { anyOf: [{ type: 'integer' }, { type: 'string', minLength: 2 }] };
    const offered = await spoiled(
      { type: 'object', properties: { any, open: { anyOf: [{ type: 'integer' }, {}] } } },
      { any: 1, open: 1 },
    );
    expect(offered.map(({ what }) => what)).toEqual([
      'any is an object instead of integer or string',
      'any is an array instead of integer or string',
      'any is a boolean instead of integer or string',
      'any is a fraction instead of integer or string',
      'any is null instead of integer or string',
    ]);
  });

  it('goes below the top level and names the top-level field', async () => {
    const address = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
    const schema = { type: 'object', properties: { address, lines: { type: 'array', items: address } } };
    const offered = await spoiled(schema, { address: { city: 'A' }, lines: [{ city: 'B' }] });
    const missing = offered.filter(({ kind }) => kind === 'missing').map(({ pointer, field }) => [pointer, field]);
    expect(missing).toEqual([
      ['/address/city', 'address'],
      ['/lines/0/city', 'lines'],
    ]);
  });

  it('is not offered where null is a value, where anything is, or where the schema still holds', async () => {
    const nullable = { type: 'object', properties: { note: { type: 'string', nullable: true }, any: {} } };
    const offered = await spoiled(nullable, { note: 'a', any: 1 }, '3.0.3');
    expect(offered.map(({ what }) => what).filter((what) => what.includes('null') || what.startsWith('any'))).toEqual(
      [],
    );
  });

  it('is not offered for a body that is invalid to begin with, or is neither object nor list', async () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    expect(await spoiled(schema, { a: 1 })).toEqual([]);
    expect(await spoiled({ type: 'string' }, 'a')).toEqual([]);
    expect(await spoiled({ type: 'array', items: { type: 'string' } }, [])).toEqual([]);
  });

  it('of a list is spoiled in its first item, and no field can be named', async () => {
    const item = { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } };
    const offered = await spoiled({ type: 'array', items: item }, [{ sku: 'a' }, { sku: 'b' }]);
    expect(new Set(offered.map(({ field }) => field))).toEqual(new Set(['']));
    expect(offered.map(({ kind, pointer }) => `${kind} ${pointer}`)).toContain('missing /0/sku');
    expect(offered.find(({ kind }) => kind === 'missing')?.body).toEqual([{}, { sku: 'b' }]);
    expect(offered.map(({ kind, pointer }) => `${kind} ${pointer}`)).not.toContain('missing /0');
  });

  it('is not offered where it breaks a second place as well', async () => {
    const schema = {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, extra: { type: 'string' } },
      if: { properties: { kind: { const: 'simple' } } },
      else: { properties: { extra: { minLength: 5 } } },
    };
    const offered = await spoiled(schema, { kind: 'simple', extra: 'a' });
    expect(offered.filter(({ kind, field }) => field === 'kind' && kind === 'wrong-scalar')).toEqual([]);
  });

  it('escapes names in the pointer', async () => {
    const schema = { type: 'object', required: ['a/b~c'], properties: { 'a/b~c': { type: 'string' } } };
    const [missing] = await spoiled(schema, { 'a/b~c': 'x' });
    expect(missing).toMatchObject({ pointer: '/a~1b~0c', field: 'a/b~c', body: {} });
  });
});
