import { beforeAll, expect, it } from 'vitest';
import type { Description } from '../../openapi/model/operation.ts';
import { loadShop } from '../../probes/testing/world.ts';
import { benchWith, getting, type Script, sending } from '../testing/test-session.ts';

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

/** A run over lists of three resources, and one create; what the script answers comes after all three were served. */
async function afterServed(script: Script): Promise<string> {
  const lists = ['products', 'orders', 'customers'].map((noun) => getting(`/api/v1/${noun}`, { credential: KEY }));
  const answer: Script = (plan, index) => (index < 4 ? {} : script(plan, index));
  const { session } = benchWith(shop, answer, { contract: 'openapi', inRun: () => false });
  return session.perform(sending([...lists, CREATE, ...lists, ...lists])).then(
    () => 'goes on',
    (error: Error) => error.message,
  );
}

it('a key that loses its rights everywhere ends the run, and the last change is named', async () => {
  expect(await afterServed(() => ({ status: 403 }))).toMatch(
    /^key ent-1 has lost its rights: it was accepted and is refused now \(403\); the last call that changed something was POST/,
  );
});

it('a 403 of some operations is their own affair, and is asked about once each', async () => {
  let asked = 0;
  const script: Script = ({ path, probe }) => {
    if (probe === 'run/key') asked += 1;
    return { status: path.endsWith('customers') ? 200 : 403 };
  };
  expect(await afterServed(script)).toBe('goes on');
  expect(asked).toBe(4);
});
