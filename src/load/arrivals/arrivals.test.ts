import { expect, it } from 'vitest';
import type { Reached } from '../../probes/world.ts';
import { sendersOf } from './arrivals.ts';

const KEYS = [
  { name: 'a-1', account: 'a' },
  { name: 'b-1', account: 'b' },
  { name: 'b-2', account: 'b' },
  { name: 'x-1', account: null },
  { name: 'x-2', account: null },
];
const reached = (method: string, path: string, key: string | null) =>
  ({
    operation: { method, path },
    recipe: { credential: key === null ? { kind: 'none' } : { kind: 'key', name: key } },
  }) as unknown as Reached;

it.each([
  ['a list is asked for under every key', 'GET', '/stores', 'b-1', null],
  ['what an account owns is asked for under its own keys', 'GET', '/stores/{id}', 'b-1', [1, 2]],
  ['what refers to it is sent under its own keys', 'POST', '/orders', 'a-1', [0]],
  ['keys of which no account is known are not taken for one', 'GET', '/stores/{id}', 'x-1', [3]],
  ['what needs no key is asked for under any', 'GET', '/stores/{id}', null, null],
])('%s', (_says, method, path, key, senders) => {
  expect(sendersOf(reached(method, path, key), KEYS)).toEqual(senders);
});
