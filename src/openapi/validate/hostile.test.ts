import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentWith, loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { appended, isObject, type JsonObject } from '../json.ts';
import { createCatalogue } from '../model/catalogue.ts';
import type { Description } from '../model/operation.ts';
import { DescriptionUnreadable } from '../read/unreadable.ts';

/** A document that uses a bit of everything. */
function rich(version: '3.0.3' | '3.1.0'): JsonObject {
  const document = documentWith(version, {
    A: {
      oneOf: [{ $ref: '#/components/schemas/B' }],
      discriminator: { propertyName: 'k', mapping: { b: 'B' } },
      required: ['k'],
    },
    B: {
      allOf: [
        { properties: { k: { enum: ['b'] }, list: { type: 'array', items: { $ref: '#/components/schemas/A' } } } },
      ],
      minimum: 1,
    },
  });
  const parameter = { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^a' }, example: 'a' };
  return {
    ...document,
    servers: [{ url: '/{v}', variables: { v: { default: 'v1' } } }],
    security: [{ bearer: [] }],
    paths: {
      ...(document.paths as object),
      '/a/{id}': {
        parameters: [parameter],
        get: { operationId: 'a', tags: ['A'], responses: { '2XX': { $ref: '#/components/responses/R' } } },
      },
    },
    components: {
      ...(document.components as object),
      responses: {
        R: {
          description: 'R',
          headers: { 'X-A': { schema: { type: 'integer' } } },
          content: { 'text/plain': { examples: { e: { value: 1 } } } },
        },
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function pointersOf(node: unknown, pointer = ''): string[] {
  if (typeof node !== 'object' || node === null) return [pointer];
  return [pointer, ...Object.entries(node).flatMap(([name, value]) => pointersOf(value, appended(pointer, name)))];
}

function withValueAt(node: unknown, pointer: string, value: unknown, at = ''): unknown {
  if (at === pointer) return value;
  if (Array.isArray(node)) return node.map((item, index) => withValueAt(item, pointer, value, appended(at, index)));
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, item]) => [name, withValueAt(item, pointer, value, appended(at, name))]),
  );
}

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  '',
  'text',
  [],
  [null],
  {},
  { a: null },
  { $ref: '#/nowhere' },
  { $ref: '' },
  { $ref: '#' },
  { $ref: 3 },
  { $ref: 'http://[' },
];

/** The schemas of all bodies and parameters. */
function schemasOf({ operations }: Description) {
  return operations
    .flatMap(({ requestBody, responses, parameters }) => [
      ...(requestBody?.content ?? []),
      ...responses.flatMap(({ content }) => content),
      ...parameters,
    ])
    .flatMap(({ schema }) => schema ?? []);
}

describe.each<'3.0.3' | '3.1.0'>(['3.0.3', '3.1.0'])('a document of %s with any one part replaced', (version) => {
  const document = rich(version);

  it('has no problem before', async () => {
    expect((await loadFiles({ 'a.json': document })).problems).toEqual([]);
  });

  it('is loaded, asked and judged by, or refused as unreadable, and never ends in another error', async () => {
    const pointer = fc.constantFrom(...pointersOf(document));
    await fc.assert(
      fc.asyncProperty(pointer, fc.constantFrom(...ODD_VALUES), async (place, value) => {
        const changed = withValueAt(document, place, value);
        try {
          const description = await loadFiles({ 'a.json': changed });
          createCatalogue([description]).match('GET', '/v1/a/1');
          for (const schema of schemasOf(description)) {
            description.deref(schema.value);
            description.undescribed(schema, { k: 'b', more: [{}] }, 'response');
            for (const direction of ['request', 'response'] as const)
              description.validator(schema, direction)?.({ k: 'b', list: [1] });
          }
        } catch (error) {
          expect(error).toBeInstanceOf(DescriptionUnreadable);
        }
      }),
      { numRuns: 150 },
    );
  });
});
