// Tries which changes of an operation count: those of its requests and answers, however they are written.
import { describe, expect, it } from 'vitest';
import { documentWith, loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { changedOperations } from './changed-operations.ts';

type Json = Record<string, unknown>;

const THING = { type: 'object', properties: { id: { type: 'string' }, of: { $ref: '#/components/schemas/Kind' } } };
const KIND = {
  type: 'object',
  properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Kind' } },
};

function shop(
  schemas: Json = {},
  change: (document: Json & { paths: Record<string, Record<string, Json>> }) => void = () => {},
) {
  const document = documentWith('3.0.3', { Thing: THING, Kind: KIND, ...schemas });
  const plain = { get: { responses: { 204: { description: 'Fine' } } } };
  const changed = structuredClone({ ...document, paths: { ...(document.paths as Json), '/plain': plain } });
  change(changed as never);
  return loadFiles({ 'shop.json': changed });
}

async function changed(after: ReturnType<typeof shop>, before = shop()): Promise<readonly string[]> {
  return [...changedOperations(await before, await after)].sort();
}

describe('an operation has changed', () => {
  it.each([
    ['a schema that it refers to', shop({ Thing: { ...THING, required: ['id'] } })],
    ['a schema further on, which refers to itself', shop({ Kind: { ...KIND, required: ['name'] } })],
  ])('by %s', async (_what, after) => {
    expect(await changed(after)).toEqual(['GET /things', 'POST /things']);
  });

  it.each<[string, Parameters<typeof shop>[1]]>([
    [
      'a parameter',
      ({ paths }) => Object.assign(paths['/plain']!, { parameters: [{ name: 'q', in: 'query', schema: {} }] }),
    ],
    ['a status', ({ paths }) => Object.assign(paths['/plain']!.get!.responses as Json, { 404: { description: 'No' } })],
    ['its security', ({ paths }) => Object.assign(paths['/plain']!.get!, { security: [{ token: [] }] })],
    ['the security of all', (document) => Object.assign(document, { security: [{ token: [] }] })],
    ['a body', ({ paths }) => Object.assign(paths['/plain']!.get!, { requestBody: { content: { 'a/b': {} } } })],
  ])('by %s', async (_what, change) => {
    expect(await changed(shop({}, change))).toContain('GET /plain');
  });

  it('when its path or its method is new', async () => {
    const after = shop({}, ({ paths }) => {
      paths['/new'] = paths['/plain']!;
      delete paths['/plain'];
    });
    expect(await changed(after)).toEqual(['GET /new']);
  });

  it('when the scheme that it demands is another', async () => {
    const secured = (scheme: Json) =>
      shop({}, (document) => {
        Object.assign(document.components as Json, { securitySchemes: { token: scheme } });
        Object.assign(document.paths['/plain']!.get!, { security: [{ token: [] }] });
      });
    const before = secured({ type: 'http', scheme: 'bearer' });
    expect(await changed(secured({ type: 'http', scheme: 'basic' }), before)).toEqual(['GET /plain']);
  });
});

describe('an operation has not changed', () => {
  it.each<[string, ReturnType<typeof shop>]>([
    ['when nothing has', shop()],
    [
      'by prose and tags',
      shop({}, ({ paths }) => Object.assign(paths['/plain']!.get!, { summary: 's', description: 'd', tags: ['t'] })),
    ],
    ['by a schema that it does not reach', shop({ Other: { type: 'string' } })],
    ['by the order of members', shop({ Kind: { properties: KIND.properties, type: 'object' } })],
    [
      'by the name of a schema',
      shop({
        Thing: { ...THING, properties: { ...THING.properties, of: { $ref: '#/components/schemas/Sort' } } },
        Sort: { ...KIND, properties: { ...KIND.properties, parent: { $ref: '#/components/schemas/Sort' } } },
      }),
    ],
  ])('%s', async (_what, after) => {
    expect(await changed(after)).toEqual([]);
  });

  it('by a schema that now stands in its place, or elsewhere', async () => {
    const leaf = { Kind: { type: 'object', properties: { name: { type: 'string' } } } };
    const inPlace = shop({ ...leaf, Thing: { ...THING, properties: { ...THING.properties, of: leaf.Kind } } });
    expect(await changed(inPlace, shop(leaf))).toEqual([]);
  });
});
