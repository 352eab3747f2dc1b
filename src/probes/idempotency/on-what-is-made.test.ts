// IDEM-02 on what a create has made: a replay whose answer is equal must not change it.
import { expect, it } from 'vitest';
import {
  breachesOf,
  loadStores,
  performed,
  reachedStores,
  STORES,
  Stores,
} from '../../../test/support/probes/idempotency/stores.ts';
import { worldWith } from '../../../test/support/probes/world.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { idempotencyExperiments } from './family.ts';

/** The change of a store where its key is sent again, or where it is read; `turn` counts both. */
type Change = (store: Record<string, unknown>, by: 'replay' | 'read', turn: number) => Record<string, unknown>;

/** The breaches that the experiment finds on a server whose replays are answered as the original. */
async function breachesWhere(change: Change): Promise<readonly string[]> {
  const keys = new Set<string>();
  let turn = 0;
  const server = new Stores({
    first: (plan, { made }) => {
      const key = keyIn(plan.headers, undefined);
      const isReplay = plan.method === 'POST' && key !== null && keys.has(key);
      if (key !== null) keys.add(key);
      const { name } = sentMembers({ plan });
      const at = made.findIndex(({ id, body }) => plan.path.endsWith(`/${id}`) || (isReplay && body.name === name));
      const one = made[at];
      turn += 1;
      if (one !== undefined) made[at] = { ...one, body: change(one.body, isReplay ? 'replay' : 'read', turn) };
      return null;
    },
  });
  const world = worldWith();
  const experiments = idempotencyExperiments(world, reachedStores(world, await loadStores()));
  const own = experiments.find(
    ({ probe, operation }) => probe === 'idempotency/on-what-is-made' && operation === STORES,
  );
  return own === undefined ? ['not there'] : breachesOf(await performed(own, server.send));
}

const timeOf = (turn: number): string => new Date(Date.UTC(2026, 0, 1) + turn * 1000).toISOString();

it.each<[string, Change]>([
  ['counts', (store, by) => (by === 'read' ? store : { ...store, attempts: Number(store.attempts ?? 0) + 1 })],
  [
    'changes a state',
    (store, by) => (by === 'read' ? store : { ...store, status: store.status === 'new' ? 'paid' : 'new' }),
  ],
  ['moves a time', (store, by, turn) => (by === 'read' ? store : { ...store, updatedAt: timeOf(turn) })],
])('blames a replay that %s', async (_, change) => {
  const onWhole: Change = (store, by, turn) =>
    change({ attempts: 0, status: 'new', updatedAt: timeOf(0), ...store }, by, turn);
  expect(await breachesWhere(onWhole)).toEqual(['IDEM-02 a key that is sent again changes a thing once more']);
});

it.each<[string, Change]>([
  ['nothing changes', (store) => store],
  ['each reading moves a time', (store, _, turn) => ({ ...store, lastSeenAt: timeOf(turn) })],
  ['each reading is counted', (store) => ({ ...store, views: Number(store.views ?? 0) + 1 })],
])('blames nobody where %s', async (_, change) => {
  expect(await breachesWhere(change)).toEqual([]);
});
