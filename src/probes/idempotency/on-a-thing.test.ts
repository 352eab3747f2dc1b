// IDEM-02 on operations that change a thing and make none: a second effect shows in the thing, and what it does not show is not told.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadStores, performed } from '../../../test/support/probes/idempotency/stores.ts';
import { reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { Answered } from '../probe.ts';
import { idempotencyExperiments } from './family.ts';

const WALLET = '/api/v1/wallets/{walletId}';
const WALLET_ID = { name: 'walletId', in: 'path', required: true, schema: { type: 'string' } };
const KEY = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
const amount = { type: 'object', required: ['amount'], properties: { amount: { type: 'integer', minimum: 1 } } };
const PATHS = {
  [WALLET]: { parameters: [WALLET_ID], get: { responses: { 200: { description: 'The wallet' } } } },
  [`${WALLET}/topups`]: {
    parameters: [WALLET_ID],
    post: {
      parameters: [KEY],
      requestBody: { required: true, content: { 'application/json': { schema: amount } } },
      responses: { 204: { description: 'Done' } },
    },
  },
};

interface Wallet {
  readonly balance: number;
  readonly seen: number;
}

/** Ways in which the server differs from a sound one. */
interface Ways {
  /** The wallet after a key came again. */
  readonly again?: (wallet: Wallet) => Wallet;
  /** The wallet as it is read the so many-th time. */
  readonly shown?: (wallet: Wallet, reading: number) => object;
  readonly status?: number;
}

/** The kinds of judgement on IDEM-02, with what they say. */
async function toldOf({ again = (one) => one, shown = (one) => one, status = 204 }: Ways): Promise<readonly string[]> {
  const world = worldWith();
  const description = await loadStores(PATHS);
  const reached = description.operations.map(({ key }) => reachedWith(world, description, key, { walletId: 'w1' }));
  const keys = new Set<string>();
  let [wallet, readings]: [Wallet, number] = [{ balance: 0, seen: 0 }, 0];
  const one = idempotencyExperiments(world, reached).find(({ probe }) => probe === 'idempotency/on-a-thing');
  if (one === undefined) return [];
  const outcomes = await performed(one, async (plan): Promise<Answered> => {
    const key = plan.headers.find(([name]) => name === KEY.name)?.[1] ?? '';
    if (plan.method === 'GET') readings += 1;
    else if (status < 300) wallet = keys.has(key) ? again(wallet) : { ...wallet, balance: wallet.balance + 10 };
    if (plan.method !== 'GET') keys.add(key);
    const read = { status: 200, body: JSON.stringify(shown(wallet, readings)) };
    const last = exchangeWith({ plan, ...(plan.method === 'GET' ? read : { status, body: '' }) });
    return { attempts: [last], last };
  });
  return outcomes.map(({ judgement }) =>
    judgement.kind === 'breached'
      ? judgement.breaches.map(({ message }) => message).join()
      : judgement.kind === 'holds'
        ? 'holds'
        : judgement.kind === 'cannot-tell'
          ? judgement.reason
          : '',
  );
}

it.each<[string, Ways, string]>([
  ['holds where the thing stands still', {}, 'holds'],
  [
    'is breached where a key that comes again changes it once more',
    { again: (one) => ({ ...one, balance: one.balance + 10 }) },
    'balance of /api/v1/wallets/w1 after two sends with one key',
  ],
  ['holds where readings are counted', { shown: (one, reading) => ({ ...one, seen: reading }) }, 'holds'],
  [
    'holds where a key that comes again is noted elsewhere',
    { again: (one) => ({ ...one, seen: one.seen + 1 }) },
    'holds',
  ],
  [
    'holds where a key that comes again moves a time beside it alone',
    {
      again: (one) => ({ ...one, seen: one.seen + 1 }),
      shown: ({ balance, seen }) => ({
        data: { balance, updated: new Date(1_772_366_400_000 + seen * 1000 + balance) },
      }),
    },
    'holds',
  ],
  [
    'is breached where the thing shows it within a wrapper',
    { again: (one) => ({ ...one, balance: one.balance + 10 }), shown: ({ balance }) => ({ data: { balance } }) },
    'data/balance of /api/v1/wallets/w1 after two sends with one key',
  ],
  ['is not told where the thing does not show it', { shown: () => ({ owner: 'Ada' }) }, 'does not show it'],
  [
    'is not told where the thing keeps changing',
    { shown: (one, reading) => ({ balance: one.balance + reading }) },
    'does not show it',
  ],
  [
    'is not told where times alone change',
    { shown: (one) => ({ updated_at: 1_772_366_400 + one.balance }) },
    'does not show it',
  ],
  ['is not told where a send is refused', { status: 409 }, 'a send was no success'],
])('an effect on a thing %s', async (_what, ways, told) => {
  expect(await toldOf(ways)).toEqual([expect.stringContaining(told)]);
});
