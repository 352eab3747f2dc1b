// Where an older draft of JSON Schema holds, and where it does not. What each keyword means, the official tests ask
// (test/json-schema-test-suite).
import { describe, expect, it } from 'vitest';
import { documentWith, judge, loadFiles, responseSchema } from '../../../test/support/openapi/descriptions.ts';

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#';
const DRAFT_7 = 'https://json-schema.org/draft-07/schema';
const LATEST = 'https://json-schema.org/draft/2020-12/schema';
const PAIR = { items: [{ type: 'integer' }, { type: 'string' }], additionalItems: false };

describe('a schema of OpenAPI 3.1', () => {
  it.each<[string, Record<string, unknown>, unknown, readonly string[]]>([
    ['by the draft that it names', { Case: { $schema: DRAFT_7, ...PAIR } }, [1, 'a', 1], [' items']],
    ['by the draft that it names, with a sound value', { Case: { $schema: DRAFT_7, ...PAIR } }, [1, 'a'], []],
    [
      'by the draft of the schema around it',
      { Case: { $schema: DRAFT_4, properties: { a: PAIR } } },
      { a: ['b'] },
      ['/a/0 type'],
    ],
    [
      'by 2020-12 where one within an older one names that',
      { Case: { $schema: DRAFT_4, properties: { a: { $schema: LATEST, const: 1 }, b: { const: 1 } } } },
      { a: 2, b: 2 },
      ['/a const'],
    ],
    [
      'by 2020-12 where it names nothing, whatever one beside it names',
      { Case: { dependentRequired: { a: ['b'] }, dependencies: { a: ['c'] } }, Other: { $schema: DRAFT_7 } },
      { a: 1, b: 1 },
      [],
    ],
    [
      'with members that are called as keywords of older drafts are',
      {
        Case: {
          $schema: DRAFT_4,
          properties: { id: { type: 'integer' }, items: {}, dependencies: { type: 'string' } },
        },
      },
      { id: 'a', items: [1], dependencies: 1 },
      ['/id type', '/dependencies type'],
    ],
    [
      'that is led to where it stood',
      { Case: { $ref: '#/components/schemas/Pair/items/0' }, Pair: { $schema: DRAFT_7, ...PAIR } },
      'a',
      [' type'],
    ],
  ])('is judged %s', async (_, schemas, value, breaches) => {
    expect(await judge('3.1.0', schemas, value)).toEqual(breaches);
  });

  it('is judged by the draft that the document names, in other files, too', async () => {
    const document = documentWith('3.1.0', { Case: { $ref: 'pair.json' } });
    const description = await loadFiles({
      'shop.json': { ...document, jsonSchemaDialect: DRAFT_4 },
      'pair.json': PAIR,
    });
    expect(description.problems).toEqual([]);
    const told = description.validator(responseSchema(description), 'response')?.([1, 'a', 1]);
    expect(told?.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual([' items']);
  });
});
