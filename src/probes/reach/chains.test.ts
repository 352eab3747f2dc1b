import { expect, it } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { operationOf, shopDocument } from '../../../test/support/probes/world.ts';
import { makesAlone, makesByName } from './chains.ts';

const answers = (status: number) => ({ responses: { [status]: { description: 'x' } } });

/** Tells whether the operation makes by name, among these paths. */
async function makes(key: string, paths: Record<string, unknown>): Promise<boolean> {
  const description = await loadFiles({ 'd.json': shopDocument(paths as never) });
  return makesByName(operationOf(description, key), description);
}

it.each<[string, string, Record<string, unknown>, boolean]>([
  ['a PUT', 'PUT /users/{n}', { '/users/{n}': { put: answers(200) } }, true],
  ['a POST alone', 'POST /users/{n}', { '/users/{n}': { post: answers(200), get: answers(200) } }, true],
  [
    'a POST that declares 201 beside one on the collection',
    'POST /users/{n}',
    { '/users': { post: answers(201) }, '/users/{n}': { post: answers(201), delete: answers(204) } },
    true,
  ],
  [
    'a POST that declares 200 beside one on the collection, which changes what there is,',
    'POST /users/{n}',
    { '/users': { post: answers(201) }, '/users/{n}': { post: answers(200), get: answers(200) } },
    false,
  ],
  ['a POST to what cannot be read or deleted', 'POST /checks/{n}', { '/checks/{n}': { post: answers(201) } }, false],
  [
    'a POST below the name',
    'POST /users/{n}/notes',
    { '/users/{n}/notes': { post: answers(201), get: answers(200) } },
    false,
  ],
])('%s makes what its parameter names, or not', async (_what, key, paths, expected) => {
  expect(await makes(key, paths)).toBe(expected);
});

const PUT_OF_NEW = { '/users/{n}': { put: answers(201), get: answers(200) } };

it.each<[string, Record<string, unknown>, boolean]>([
  ['one that declares 201, where no POST adds to the collection,', PUT_OF_NEW, true],
  ['one beside a POST on the collection', { '/users': { post: answers(201) }, ...PUT_OF_NEW }, false],
  ['one that declares no 201', { '/users/{n}': { put: answers(200), get: answers(200) } }, false],
])('of PUTs %s makes things alone, or not', async (_what, paths, expected) => {
  const description = await loadFiles({ 'd.json': shopDocument(paths as never) });
  expect(makesAlone(operationOf(description, 'PUT /users/{n}'), description)).toBe(expected);
});
