import { beforeAll, expect, it } from 'vitest';
import type { Description } from '../openapi/operation.ts';
import { loadShop } from '../probes/test-world.ts';
import { benchWith, getting, type Script, sending } from './test-session.ts';

const KEY = { kind: 'key', name: 'ent-1' } as const;
const LIST = getting('/api/v1/products', { credential: KEY });
const CREATE = { ...LIST, method: 'POST', operation: 'POST /api/v1/products' };

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

async function told(script: Script): Promise<string> {
  const { session } = benchWith(shop, script, { contract: 'openapi', inRun: () => false });
  return session.perform(sending([LIST, CREATE, LIST, LIST])).then(
    () => 'goes on',
    (error: Error) => error.message,
  );
}

it('a key that is refused for good ends the run, and the last change is named', async () => {
  expect(await told((_plan, index) => ({ status: index < 2 ? 200 : 401 }))).toMatch(
    /^key ent-1 was accepted and is refused now \(401\); the last call that changed something was POST \/api\/v1\/products/,
  );
});

it('one refusal among many does not', async () => {
  expect(await told((_plan, index) => ({ status: index === 2 ? 401 : 200 }))).toBe('goes on');
});

it('an operation that never served the key is no ground for doubt', async () => {
  expect(await told(() => ({ status: 401 }))).toBe('goes on');
});
