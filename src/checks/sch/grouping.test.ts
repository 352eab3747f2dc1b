// Tests that SCH-01 and SCH-09 tell breaches and drifts of one place in the schema as one.
import { beforeAll, expect, it } from 'vitest';
import { exchangeWith, subjectOf } from '../../../test/support/checks/exchanges.ts';
import { brief } from '../../../test/support/checks/judging.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { ContractName } from '../../contract/contract.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { sch01 } from './sch-01.ts';
import { sch09 } from './sch-09.ts';

const pet = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const schema = {
  type: 'object',
  properties: {
    owner: { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false },
    pets: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Pet' } },
    best: { anyOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'null' }] },
    made: { $ref: '#/components/schemas/Made' },
    colour: { type: 'string', enum: ['red', 'blue'], minLength: 3 },
    byColour: {
      anyOf: [{ type: 'object', patternProperties: { '^c': { type: 'array', items: pet } } }, { type: 'null' }],
    },
  },
};

let description: Description;
beforeAll(async () => {
  const content = { 'application/json': { schema } };
  description = await loadFiles({
    'd.json': {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/a': { get: { responses: { 200: { description: 'x', content } } } } },
      components: { schemas: { Pet: pet, Made: { type: 'object', required: ['id', 'at', 'by'] } } },
    },
  });
});

const said = (check: typeof sch01, body: unknown, contract: ContractName = 'commerce') => {
  const operation = description.operations[0] ?? null;
  return brief(check, subjectOf(exchangeWith({ body }), { operation, description, contract }));
};

it('members that one object excludes are one cause', () => {
  expect(said(sch01, { owner: { id: 1, a: 1, b: 2, c: 3 } })).toEqual([
    '/owner breaks "additionalProperties" of its schema (/owner/a)',
  ]);
});

it('three or more members that one object lacks are one cause, fewer are one each', () => {
  expect(said(sch01, { made: { error: 'none' } })).toEqual(['/made breaks "required" of its schema (/made)']);
  expect(said(sch01, { made: { id: 1 } })).toEqual([
    '/made/at breaks "required" of its schema (/made/at)',
    '/made/by breaks "required" of its schema (/made/by)',
  ]);
  expect(said(sch01, { made: {} }, 'openapi')).toEqual(['Made breaks "required" of its schema (/made)']);
});

it('values of a map break its schema as one, whatever their keys', () => {
  const pets = { 'pet-1': {}, 'pet-2': {}, 'a/b': { name: 1 } };
  expect(said(sch01, { pets })).toEqual([
    '/pets/*/name breaks "required" of its schema (/pets/pet-1/name)',
    '/pets/*/name breaks "type" of its schema (/pets/a~1b/name)',
  ]);
  expect(said(sch09, { pets: { one: { name: 'a', age: 1 }, two: { name: 'b', age: 2 } } })).toEqual([
    '/pets/*/age is not described (/pets/one/age)',
  ]);
});

it('so do values below patterns and alternatives', () => {
  expect(said(sch01, { byColour: { c1: [{ name: 'a' }, {}], c2: [{}] } })).toEqual([
    '/byColour/*/*/name breaks "required" of its schema (/byColour/c1/1/name)',
  ]);
});

it('what is of another type breaks nothing else', () => {
  expect(said(sch01, { colour: null })).toEqual(['/colour breaks "type" of its schema (/colour)']);
  expect(said(sch01, { colour: 'a' })).toHaveLength(2);
});

it('by a description alone one flaw of a component is one cause, wherever it shows', () => {
  const pet = { name: null };
  expect(said(sch01, { best: pet, pets: { a: pet } }, 'openapi')).toEqual([
    'Pet/name breaks "type" of its schema (/pets/a/name)',
  ]);
  expect(said(sch09, { best: { name: 'a', age: 1 } }, 'openapi')).toEqual(['Pet/age is not described (/best/age)']);
  expect(said(sch01, { owner: { a: 1 } }, 'openapi')).toEqual([
    '/owner breaks "additionalProperties" of its schema (/owner/a)',
  ]);
});
