import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodySchemas, posting } from '../../test/support/generate/schemas.ts';
import { isObject } from '../openapi/json.ts';
import type { Parameter } from '../openapi/model/operation.ts';
import { asText, type Draw, type Fullness, isValid, serialPlaces, validBody, withSerial } from './bodies.ts';
import { parameterValue } from './parameters.ts';
import { ANY_SERIAL } from './preferred.ts';

const from = (seed: number, serial = 'qhzkwe', run = 'run-m3x9k2'): Draw => ({ seed, nonce: { run, serial } });
const FULLNESS: readonly Fullness[] = ['example', 'required', 'full'];

/** The body of one schema. */
async function bodyOf(schema: unknown, fullness: Fullness = 'full', draw = from(1), version?: string) {
  const [posted] = await posting([schema], version);
  if (posted === undefined) throw new Error('nothing is posted');
  const { description, operation } = posted;
  const body = validBody(description, operation, fullness, draw);
  return { body, valid: isValid(description, posted.schema, body) };
}

describe('a drawn body', () => {
  it('validates against its schema, at every fullness and seed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodySchemas, { minLength: 8, maxLength: 8 }), fc.nat(), async (schemas, seed) => {
        for (const { description, operation, schema } of await posting(schemas)) {
          for (const fullness of FULLNESS) {
            const body = validBody(description, operation, fullness, from(seed));
            expect(isValid(description, schema, body), JSON.stringify({ schema: schema.value, body })).toBe(true);
          }
        }
      }),
      { numRuns: 3 },
    );
  });

  it.each([
    ['a pattern of letters alone', { type: 'string', pattern: '^[a-z-]+$' }, 'slug'],
    ['a narrow range', { type: 'number', minimum: 0.01, maximum: 0.1 }, 'rate'],
    ['ids of 64 bits', { type: 'integer', minimum: 1e17, maximum: 999_999_999_999_999_900 }, 'number'],
    ['a lower bound beyond 2^53', { type: 'integer', minimum: 1e17 }, 'number'],
    ['whole tens below -2^53', { type: 'integer', multipleOf: 10, exclusiveMaximum: -1e18 }, 'number'],
    ['an upper bound alone', { type: 'number', maximum: 0.2 }, 'rate'],
  ])('validates for %s', async (_name, inner, member) => {
    const schema = { type: 'object', required: [member], properties: { [member]: inner } };
    expect((await bodyOf(schema)).valid).toBe(true);
  });

  it.each([
    ['id', { type: 'integer' }],
    ['id', { type: 'integer', examples: [7] }],
    ['note_id', { type: 'integer', minimum: 1 }],
    ['noteIds', { type: 'array', minItems: 3, items: { type: 'integer', format: 'int64' } }],
  ])('holds no number at %s that others may have given', async (member, inner) => {
    const schema = { type: 'object', required: [member], properties: { [member]: inner } };
    for (let seed = 1; seed <= 20; seed += 1) {
      const { body, valid } = await bodyOf(schema, 'full', from(seed));
      const numbers = Object.values(body as object).flat();
      expect(valid).toBe(true);
      expect(numbers.every((number: number) => number > 1e9 && number < 2 ** 31)).toBe(true);
    }
  });

  it.each([
    ['a range', 'id', { type: 'integer', minimum: 1, maximum: 50 }],
    ['an example', 'note_id', { type: 'integer', example: 7 }],
    ['a name that is no id', 'paid', { type: 'integer' }],
  ])('holds a small number where there is %s', async (_what, member, inner) => {
    const schema = { type: 'object', required: [member], properties: { [member]: inner } };
    const { body } = await bodyOf(schema, 'full', from(1), '3.0.3');
    expect(Object.values(body as object)[0]).toBeLessThan(200);
  });

  it('is the same for the same seed and serial, whoever asked before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodySchemas, { minLength: 5, maxLength: 5 }), fc.nat(), async (schemas, seed) => {
        const [forwards, backwards] = [await posting(schemas), (await posting(schemas)).toReversed()];
        const drawn = (posted: typeof forwards) =>
          new Map(
            posted.map(({ description, operation }) => [
              operation.key,
              validBody(description, operation, 'full', from(seed)),
            ]),
          );
        expect(drawn(backwards)).toEqual(new Map([...drawn(forwards)].toReversed()));
      }),
      { numRuns: 3 },
    );
  });

  it('differs from the next in what must be unique, by the serial alone', async () => {
    const schema = {
      type: 'object',
      required: ['name', 'email', 'note'],
      properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' }, note: { type: 'string' } },
    };
    const [one] = await posting([schema]);
    const draw = (serial: string): Record<string, string> =>
      validBody(one!.description, one!.operation, 'full', from(1, serial)) as Record<string, string>;
    const [first, second] = [draw('000001'), draw('000002')];
    expect(first.name).not.toBe(second.name);
    expect(first.email).not.toBe(second.email);
    expect(first.note).toBe(second.note);
    expect(JSON.parse(JSON.stringify(first).replaceAll('000001', '000002'))).toEqual(second);
  });

  it.each([
    ['an enumeration', { enum: ['a'] }, 'a'],
    ['a constant', { const: 7 }, 7],
    ['its example', { type: 'string', example: 'shown' }, 'shown'],
    ['its default', { type: 'integer', default: 3 }, 3],
    ['the first listed example', { type: 'string', examples: ['one', 'two'] }, 'one'],
    [
      'an array of exactly what is asked for',
      { type: 'array', minItems: 2, maxItems: 2, items: { enum: [1] } },
      [1, 1],
    ],
    ['a tuple', { type: 'array', prefixItems: [{ const: 1 }, { const: 'b' }], items: false }, [1, 'b']],
  ])('takes %s', async (_name, inner, expected) => {
    const { body } = await bodyOf({ type: 'object', required: ['it'], properties: { it: inner } });
    expect(body).toEqual({ it: expected });
  });

  it('leaves out what is read-only, and optional members where only the required ones are asked for', async () => {
    const schema = {
      type: 'object',
      required: ['id', 'label'],
      properties: { id: { type: 'string', readOnly: true }, label: { const: 'a' }, note: { const: 'b' } },
    };
    expect((await bodyOf(schema, 'required')).body).toEqual({ label: 'a' });
    expect((await bodyOf(schema, 'full')).body).toEqual({ label: 'a', note: 'b' });
  });

  it('folds allOf and follows the branch that is not null', async () => {
    const { body, valid } = await bodyOf({
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 3 } } },
        {
          required: ['b'],
          properties: { a: { maximum: 3 }, b: { oneOf: [{ type: 'null' }, { type: 'string', const: 'x' }] } },
        },
      ],
    });
    expect({ body, valid }).toEqual({ body: { a: 3, b: 'x' }, valid: true });
  });

  it('is drawn for the 3.0 dialect: nullable and boolean exclusive bounds', async () => {
    const schema = {
      type: 'object',
      required: ['count', 'note'],
      properties: {
        count: { type: 'integer', minimum: 5, exclusiveMinimum: true, maximum: 7, exclusiveMaximum: true },
        note: { type: 'string', nullable: true, enum: [null, 'a'] },
      },
    };
    expect(await bodyOf(schema, 'full', from(1), '3.0.3')).toEqual({ body: { count: 6, note: 'a' }, valid: true });
  });

  it.each([
    ['3.0.0', (schema: object) => ({ nullable: true, allOf: [schema] })],
    ['3.1.0', (schema: object) => ({ anyOf: [schema, { type: 'null' }] })],
  ])('holds null only where nothing else is possible, however deep (%s)', async (version, nullable) => {
    const person = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
    const nested = (inner: object): object => ({ type: 'object', required: ['in'], properties: { in: inner } });
    const { body, valid } = await bodyOf(nested(nested(nested(nested(nullable(person))))), 'full', from(1), version);
    expect(valid).toBe(true);
    expect(body).toEqual({ in: { in: { in: { in: { id: expect.any(String) } } } } });
  });

  it('ends for a schema that contains itself', async () => {
    const itself = { $ref: '#/paths/~1things~10/post/requestBody/content/application~1json/schema' };
    const node = { type: 'object', properties: { label: { const: 'a' }, children: { type: 'array', items: itself } } };
    expect((await bodyOf({ ...node, required: ['children'] }, 'required')).valid).toBe(true);
    expect((await bodyOf(node, 'full')).body).toMatchObject({ label: 'a', children: [{ label: 'a' }] });
  });

  it("is the description's own example, emails in it made new", async () => {
    const [posted] = await posting([{ type: 'object' }]);
    const { description, operation } = posted!;
    const media = {
      mediaType: 'application/json',
      schema: null,
      examples: [{ email: 'a@shop.test', deep: [{ to: 'b@shop.test' }] }],
    };
    const withExample = { ...operation, requestBody: { required: true, content: [media] } };
    expect(validBody(description, withExample, 'example', from(1, '00000s'))).toEqual({
      email: 'assay-run-m3x9k2-00000s@shop.test',
      deep: [{ to: 'assay-run-m3x9k2-00000s@shop.test' }],
    });
  });

  it('is absent where the operation takes no JSON', async () => {
    const [posted] = await posting([{}]);
    const { description, operation } = posted!;
    expect(validBody(description, { ...operation, requestBody: null }, 'full', from(1))).toBeUndefined();
  });

  it('is an object for a schema that says nothing', async () => {
    expect(isObject((await bodyOf({})).body)).toBe(true);
  });
});

describe('a parameter value', () => {
  const parameter = (schema: unknown, examples: readonly unknown[] = []): Parameter => ({
    name: 'filter',
    in: 'query',
    required: true,
    schema: { pointer: '', value: schema },
    style: 'form',
    explode: true,
    examples,
  });

  it.each([
    [{ enum: ['a'] }, [], 'a'],
    [{ type: 'integer', minimum: 4, maximum: 4 }, [], '4'],
    [{ type: 'array', items: { const: 'x' }, minItems: 2, maxItems: 2 }, [], 'x,x'],
    [{ type: 'string' }, ['shown'], 'shown'],
    [{ type: 'boolean' }, ['yes', false], 'false'],
  ])('of %j with examples %j is %j', async (schema, examples, expected) => {
    const [posted] = await posting([{}]);
    expect(parameterValue(posted!.description, parameter(schema, examples), from(1))).toBe(expected);
  });

  it('is written as text', () => {
    expect([1, null, { a: 1 }, ['a', 2]].map(asText)).toEqual(['1', 'null', '{"a":1}', 'a,2']);
  });
});

const texts = fc.oneof(
  fc.string(),
  fc.tuple(fc.string(), fc.string()).map(([left, right]) => `${left}${ANY_SERIAL}${right}`),
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}));

it('every mark is replaced, and nothing else', () => {
  fc.assert(
    fc.property(values, (value) => {
      const made = withSerial(value, serialPlaces(value), 'abcdef');
      const expected = JSON.parse(JSON.stringify(value), (_key, member) =>
        typeof member === 'string' ? member.replaceAll(ANY_SERIAL, 'abcdef') : member,
      );
      expect(made).toEqual(expected);
    }),
  );
});

it('a mark in capital letters is replaced by the serial in capital letters', () => {
  const template = { code: `AB${ANY_SERIAL.toUpperCase()}` };
  expect(withSerial(template, serialPlaces(template), 'abcdef')).toEqual({ code: 'ABABCDEF' });
});

it('what holds no mark is shared with the template, and the template stays as it is', () => {
  const template = { name: `a ${ANY_SERIAL}`, place: { city: 'Bonn' }, tags: [ANY_SERIAL, 'b'] };
  const before = structuredClone(template);
  const made = withSerial(template, serialPlaces(template), 'abcdef') as typeof template;
  expect(made).toEqual({ name: 'a abcdef', place: { city: 'Bonn' }, tags: ['abcdef', 'b'] });
  expect(made.place).toBe(template.place);
  expect(template).toEqual(before);
});
