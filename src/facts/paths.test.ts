// Which paths say by a word that they make something.
import { expect, it } from 'vitest';
import { collectionOfMaking } from './paths.ts';

it.each([
  ['/users/create', '/users'],
  ['/users/create/', '/users'],
  ['/api/users.create', '/api/users'],
  ['/projects/{id}/secrets/create_or_update', '/projects/{id}/secrets'],
  ['/rows:upsert', '/rows'],
  ['/users', null],
  ['/users/created', null],
  ['/users/create/preview', null],
  ['/create', null],
])('%s makes what %s holds', (path, collection) => {
  expect(collectionOfMaking(path)).toBe(collection);
});
