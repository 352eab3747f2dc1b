import { expect, test } from 'vitest';
import { checkConfig } from './load.ts';
import { checkSkips, skipReason, withSkips } from './skip.ts';

const KEYS = ['GET /stores', 'DELETE /stores/{id}', 'POST /stores'];
const SKIP = [
  { operations: 'DELETE /stores/*', reason: 'shared' },
  { operations: '/stores*', reason: 'all of it' },
];

test('the first entry that matches gives the reason', () => {
  const reason = skipReason({ skipped: SKIP });
  expect(KEYS.map(reason)).toEqual(['all of it', 'shared', 'all of it']);
  expect(skipReason({})('GET /stores')).toBeNull();
});

test('what --exclude names is left out beside what the configuration skips', () => {
  const options = withSkips({ seed: 1 } as Parameters<typeof withSkips>[0], { skip: SKIP }, ['GET /stores']);
  expect(options.skipped?.map(({ reason }) => reason)).toEqual(['shared', 'all of it', 'left out by --exclude']);
});

test('an entry that matches nothing is told with its place and the nearest operation', () => {
  expect(() => checkSkips({ skip: [{ operations: 'GET /store', reason: 'x' }] }, [], KEYS)).toThrow(
    'skip[0].operation (/skip/0/operation): "GET /store" (did you mean "GET /stores"?) matches none of the 3 operations',
  );
  expect(() => checkSkips({ skip: [] }, ['PATCH /x'], KEYS)).toThrow('--exclude: "PATCH /x"');
  expect(() => checkSkips({ skip: SKIP }, ['POST *'], KEYS)).not.toThrow();
});

test.each([
  [[{ operation: 'DELETE /x' }], 'skip[0].reason: is missing; expected the reason, a sentence'],
  [[{ operation: 'stores', reason: 'x' }], 'skip[0].operation: expected an operation or a glob over operations'],
  [[{ operatoin: 'GET /x', reason: 'x' }], 'skip[0].operatoin: unknown key (did you mean "operation"?)'],
])('a mistake in skip is told with its key: %j', (skip, message) => {
  const document = { target: { baseUrl: 'http://127.0.0.1:1' }, skip };
  expect(() => checkConfig(document, 'a.yaml', { baseUrl: null, env: {} })).toThrow(message);
});
