// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the syntax under test
import { describe, expect, test } from 'vitest';
import { checkConfig } from './load.ts';

const TARGET = { baseUrl: 'http://127.0.0.1:8080' };
const secretsOf = (document: object, env: Record<string, string> = {}) =>
  checkConfig({ target: TARGET, ...document }, '/project/assay.config.yaml', { baseUrl: null, env }).secrets;

describe('secrets of a configuration', () => {
  test('are its tokens, written there or taken from the environment, also as part of a value', () => {
    const keys = [
      { name: 'a', plan: 'p', token: '${A}' },
      { name: 'b', plan: 'p', token: 'Token ${B}', scheme: 'apiKey' },
    ];
    expect(secretsOf({ keys, credentials: { locked: '${L}' } }, { A: 'token-a', B: 'token-b', L: 'token-l' })).toEqual([
      { name: 'key a', value: 'token-a' },
      { name: 'key b', value: 'Token token-b' },
      { name: 'locked token', value: 'token-l' },
      { name: 'key b', value: 'token-b' },
    ]);
  });

  test('are what a command gets, and what an address has in its query', () => {
    const keys = [{ name: 'a', plan: 'p', tokenCommand: ['vault', '${V}'] }];
    const services = { admin: { spec: 'https://${HOST}/openapi.json?key=${Q}' } };
    expect(secretsOf({ keys, services }, { V: 'vault-token', Q: 'query-key', HOST: 'example.com' })).toEqual([
      { name: 'variable V', value: 'vault-token' },
      { name: 'variable Q', value: 'query-key' },
    ]);
  });

  test('are not addresses, fixtures or names', () => {
    const document = { target: { baseUrl: '${URL}' }, fixtures: { storeId: '${STORE}' } };
    expect(secretsOf(document, { URL: 'http://example.com', STORE: 'store_1' })).toEqual([]);
  });
});
