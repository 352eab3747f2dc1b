// Which address a description leads to.
import { expect, test } from 'vitest';
import { targetAddress } from './target-address.ts';

const HERE = 'http://127.0.0.1:8000/openapi.json';
const THERE = 'https://docs.example.com/v1/openapi.json';
const FILE = 'file:///work/openapi.json';

test.each<[string, string, readonly string[] | undefined, string | null]>([
  ['without servers: where it was read', THERE, undefined, 'https://docs.example.com'],
  ['the server', THERE, ['https://api.example.com/v2/'], 'https://api.example.com/v2'],
  ['a relative one: from where it was read', THERE, ['/api'], 'https://docs.example.com/api'],
  ['an empty one: where it was read, for nothing lies below a document', THERE, [''], 'https://docs.example.com'],
  ['relative to the folder', THERE, ['v3'], 'https://docs.example.com/v1/v3'],
  [
    'the one on its own host first',
    THERE,
    ['https://x.example.com', 'https://docs.example.com/a'],
    'https://docs.example.com/a',
  ],
  ['none of this machine for one from elsewhere', THERE, ['http://localhost:8080/a'], 'https://docs.example.com'],
  ['none from elsewhere for one of this machine', HERE, ['https://api.example.com/v2'], 'http://127.0.0.1:8000'],
  ['another port of this machine', HERE, ['http://localhost:9000/v2'], 'http://localhost:9000/v2'],
  ['what is no http', THERE, ['wss://api.example.com'], 'https://docs.example.com'],
  ['of a file: the server', FILE, ['https://api.example.com/v2'], 'https://api.example.com/v2'],
  ['of a file without a host', FILE, ['/v2'], null],
  ['of a file without servers', FILE, undefined, null],
])('%s', (_case, location, urls, baseUrl) => {
  const servers = urls?.map((url) => ({ url }));
  expect(targetAddress({ servers }, location, null)?.baseUrl ?? null).toBe(baseUrl);
});

test('what is stated wins, and variables have their defaults', () => {
  const servers = [{ url: 'https://{region}.example.com', variables: { region: { default: 'eu' } } }];
  expect(targetAddress({ servers }, THERE, null)?.baseUrl).toBe('https://eu.example.com');
  expect(targetAddress({ servers }, THERE, 'http://127.0.0.1:1/')).toEqual({
    baseUrl: 'http://127.0.0.1:1',
    because: null,
  });
});

test('a server that is not the first brings its own path along, chosen or stated', () => {
  const servers = [{ url: 'https://a.example.com/v1' }, { url: 'https://docs.example.com/v2' }];
  const chosen = targetAddress({ servers }, THERE, null);
  expect(chosen).toMatchObject({ baseUrl: 'https://docs.example.com/v2', isWhole: true });
  expect(targetAddress({ servers }, THERE, 'https://docs.example.com/v2')).toMatchObject({ isWhole: true });
});
