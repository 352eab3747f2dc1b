import { describe, expect, it } from 'vitest';
import { handleOf } from '../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../test/support/openapi/descriptions.ts';
import { nounsBefore, schemaNouns } from './nouns.ts';

it.each([
  ['/v2/pets/{petId}', 'petId', ['pet']],
  ['/api/flows/{id}/graph', 'id', ['flow']],
  ['/deployments/name/{flow_name}/{deployment_name}', 'deployment_name', ['deploymentname', 'deployment', 'name']],
  ['/block_types/slug/{slug}', 'slug', ['slug', 'blocktype']],
  ['/admin/claims/{id}/items/{item_id}', 'id', ['claim']],
  ['/admin/{id}', 'id', ['admin']],
])('in %s, %s may name one of %j', (template, parameter, nouns) => {
  expect(nounsBefore(template, parameter)).toEqual(nouns);
});

describe('a schema', () => {
  const pet = { type: 'object', properties: { tags: { type: 'array', items: { $ref: '#/components/schemas/Tag' } } } };
  const components = { schemas: { PetResponseDto: pet, Tag: { type: 'object' }, 'shop.v2.Cats': { type: 'object' } } };
  const of = (name: string) => ({ $ref: `#/components/schemas/${name}` });

  it.each([
    [of('PetResponseDto'), ['pet']],
    [{ type: 'array', items: of('PetResponseDto') }, ['pet']],
    [{ type: 'object', properties: { data: { type: 'array', items: of('shop.v2.Cats') } } }, ['cat']],
    [{ type: 'object' }, []],
  ])('%j is about %j', async (schema, nouns) => {
    const document = { openapi: '3.0.0', info: { title: 'T', version: '1' }, paths: {}, components };
    const description = await loadFiles({ 'd.json': document });
    const found = schemaNouns(description, handleOf(schema));
    expect(found).toEqual(expect.arrayContaining(nouns));
    expect(found.length === 0).toBe(nouns.length === 0);
  });
});
