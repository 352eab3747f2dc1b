// Which paths say by a word what a call does, and what paths are about.
import { expect, it } from 'vitest';
import { collectionOfMaking, subjectOf, wordAtEnd } from './path-words.ts';

it.each([
  ['/users/create', '/users'],
  ['/users/create/', '/users'],
  ['/api/users.create', '/api/users'],
  ['/projects/{id}/secrets/create_or_update', '/projects/{id}/secrets'],
  ['/rows:upsert', '/rows'],
  ['/rows/bulk-create', '/rows'],
  ['/rows/batch', '/rows'],
  ['/bulk', null],
  ['/rows/{batch}', null],
  ['/users', null],
  ['/users/created', null],
  ['/users/create/preview', null],
  ['/orders/create-payment', null],
  ['/users/update', null],
  ['/create', null],
])('%s makes what %s holds', (path, collection) => {
  expect(collectionOfMaking(path)).toBe(collection);
});

it.each([
  ['/users/get_user', 'shows', 'user', false],
  ['/items:batchDelete', 'removes', '', true],
  ['/items/deleteByIds', 'removes', '', true],
  ['/users/deleteUser', 'removes', 'User', false],
  ['/items/deleteByName', 'removes', 'By-Name', false],
  ['/items/delete-all', 'empties', '', true],
  ['/items/delete-all-events', 'empties', 'events', true],
  ['/__flush__', 'empties', '', false],
  ['/rows.truncate', 'empties', '', false],
  ['/admin/import', 'replaces', '', false],
  ['/vms/{id}/stop', 'changes', '', false],
])('%s %s', (path, deed, object, isOfMany) => {
  expect(wordAtEnd(path)).toMatchObject({ deed, object, isOfMany });
});

it.each(['/users', '/settings', '/deleted', '/__flushes__', '/users/{id}', '/imports/{id}'])(
  '%s bears no such word',
  (path) => {
    expect(wordAtEnd(path)).toBeNull();
  },
);

it.each([
  ['/users', '/users', false],
  ['/users/{id}/', '/users', true],
  ['/users/create', '/users', false],
  ['/users/{id}/stop', '/users', true],
  ['/teams/{team}/users:get', '/teams/{team}/users', false],
  ['/reset', '/reset', false],
  ['/Books({id})', '/Books', true],
  ['/Books({id})/pages', '/Books({id})/pages', false],
])('%s is about %s, and one of them: %s', (path, collection, isOfOne) => {
  expect(subjectOf(path)).toMatchObject({ collection, isOfOne });
});
