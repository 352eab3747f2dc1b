import { beforeAll, expect, it } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { keyResult } from './examination.ts';

const loaded = (security: readonly unknown[]) =>
  loadFiles({
    'pets.json': {
      openapi: '3.0.0',
      info: { title: 'Pets', version: '1' },
      security,
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      paths: { '/pets': { get: { responses: { 200: { description: 'All' } } } } },
    },
  });
let [open, closed] = [] as unknown as [Description, Description];
beforeAll(async () => {
  [open, closed] = [await loaded([]), await loaded([{ token: [] }])];
});

const key = {
  name: 'one',
  plan: 'any',
  token: 'token-of-a-test-0001',
  tokenCommand: null,
  account: null,
  scheme: null,
};
const without = configWith({ contract: 'openapi', keys: [] });

it('misses no key where no described operation asks for one', () => {
  expect(keyResult(without, [open])).toMatchObject({ state: 'ok', advice: '' });
  expect(keyResult({ ...without, keys: [key] }, [open])).toMatchObject({ state: 'ok', advice: '' });
  expect(keyResult(without, [open, closed])).toMatchObject({ state: 'warn' });
  expect(keyResult(without, null)).toMatchObject({ state: 'warn' });
});

it('tells of the header that goes with every request where the description asks for no key', () => {
  const headers = [{ name: 'Authorization', value: 'token-of-a-test-0002', secret: 'header Authorization' }];
  const { found } = keyResult({ ...without, target: { ...without.target, headers } }, [open]);
  expect(found).toBe('none, and no described operation asks for one; every request carries the header Authorization');
});

it('asks for the credentials of clauses that the contract has', () => {
  const none = { locked: null, expired: null };
  const under = (contract: 'openapi' | 'commerce') =>
    keyResult(configWith({ contract, keys: [key], credentials: none }), [closed]).advice;
  expect(under('openapi')).toBe('credentials not configured: expired, without which AUTH-03 cannot be judged');
  expect(under('commerce')).toMatch(/expired and locked, without which AUTH-03 and AUTH-04 /);
});
