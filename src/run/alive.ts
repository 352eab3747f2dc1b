// Whether the target still answers anything, after a request that it did not answer.
import { HEALTH_PATH, PATH_PREFIX } from '../contract/platform.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import { placePlan } from '../probes/places.ts';
import { RunEnded } from './interruption.ts';

/** Liveness first; where that is what hangs, any other path. Twice, since a restart takes a moment. */
const PATHS = [HEALTH_PATH, PATH_PREFIX, HEALTH_PATH, PATH_PREFIX];

/** Throws RunEnded (target-lost) when nothing answers. */
export async function assureAlive(
  send: (plan: RequestPlan) => Promise<readonly Exchange[]>,
  { failure }: Exchange,
): Promise<void> {
  for (const path of PATHS) {
    const attempts = await send({ ...placePlan('run/alive', path, { kind: 'none' }), fresh: true });
    if (attempts.some(({ response }) => response !== null)) return;
  }
  throw new RunEnded('target-lost', `the target stopped answering: ${failure?.message ?? 'no answer'}`);
}
