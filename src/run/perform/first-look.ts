// The smoke stage alone, and one reading call with each further key: what a target says of itself before a run is decided on.
import type { Exchange } from '../../exchange/exchange.ts';
import { placePlan } from '../../probes/requests/platform-places.ts';
import { readable, smoke } from '../smoke/smoke.ts';
import { smokeAny } from '../smoke/smoke-any.ts';
import type { RunInput } from './input.ts';
import { connect, newState } from './opening.ts';
import { withoutSkipped } from './stages.ts';

/**
 * Sends a dozen reading requests, and resolves with their exchanges. Rejects with RunEnded where the target does not answer, is not
 * the right one, or refuses the first key.
 */
export async function firstLook(input: RunInput): Promise<readonly Exchange[]> {
  const { options, clock } = input;
  const seen: Exchange[] = [];
  const runId = options.runId ?? `look-${clock.now().toString(36)}`;
  const state = newState(input, runId, () => false);
  state.session.events.on('exchange', ({ exchange }) => seen.push(exchange));
  const client = connect(state, input.stop);
  try {
    const { world, session } = state;
    const descriptions = withoutSkipped(input.descriptions, options);
    const knock = world.contract === 'openapi' ? smokeAny : smoke;
    await knock(world, descriptions, async (plan) => (await session.send(plan)).last);
    const [operation] = readable(descriptions);
    for (const { name } of operation === undefined ? [] : world.keys.slice(1)) {
      const { service, key, path } = operation as NonNullable<typeof operation>;
      const plan = placePlan('smoke/key', path, { kind: 'key', name });
      await session.send({ ...plan, service, operation: key, retry: 'once' });
    }
    return seen;
  } finally {
    await client.close();
    state.books.firstUses.close();
  }
}
