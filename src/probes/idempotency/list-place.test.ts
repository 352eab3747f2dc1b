// Effects are counted where the configuration says that a list keeps its items.
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
import { idempotencyExperiments } from './family.ts';

const description = await loadStores();

/** The findings against a server that executes every replay, gives the first answer, and lists two arrays. */
async function blamedWith(place: string | null): Promise<readonly string[]> {
  const world = worldWith({ listPlace: (key) => (key === 'GET /api/v1/stores' ? place : null) });
  const stores = new Stores({
    replayAs: (reply, _resend, again) => {
      again();
      return reply;
    },
    listAs: (items) => ({ closed: [{ id: 'store_0', name: 'Gone' }], open: items }),
  });
  const replays = idempotencyExperiments(world, reachedStores(world, description)).find(
    ({ probe, operation }) => probe === 'idempotency/replays' && operation === STORES,
  );
  return replays === undefined ? [] : breachesOf(await performed(replays, stores.send));
}

it('a replay that is executed shows in the array that is configured, and not in the other', async () => {
  expect(await blamedWith('/open')).toEqual([expect.stringMatching(/^IDEM-02 /)]);
  expect(await blamedWith('/closed')).toEqual([]);
});
