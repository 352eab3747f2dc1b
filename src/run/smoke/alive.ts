// Whether the target still answers anything, after a request that it did not answer.
import { type Clock, haltsOf } from '../../clock/clock.ts';
import { HEALTH_PATH, PATH_PREFIX } from '../../contract/platform.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { placePlan } from '../../probes/requests/platform-places.ts';
import { RunEnded } from '../perform/interruption.ts';

/** Liveness first; where that is what hangs, any other path. Twice, since a restart takes a moment. */
const PATHS = [HEALTH_PATH, PATH_PREFIX, HEALTH_PATH, PATH_PREFIX];

/** A machine that slept finds its network again within this time. ms. */
const AFTER_HALT_MS = 60_000;
const BETWEEN_LOOKS_MS = 3000;

/** Throws RunEnded (target-lost) when nothing answers; after a halt of this process only when nothing does for a minute. */
export async function assureAlive(
  send: (plan: RequestPlan) => Promise<readonly Exchange[]>,
  { failure }: Exchange,
  clock: Clock,
): Promise<void> {
  for (;;) {
    for (const path of PATHS) {
      const attempts = await send({ ...placePlan('run/alive', path, { kind: 'none' }), fresh: true, onlyAlive: true });
      if (attempts.some(({ response }) => response !== null)) return;
    }
    if (clock.monotonic() - haltsOf(clock).endedAtMs > AFTER_HALT_MS) break;
    await clock.sleep(BETWEEN_LOOKS_MS);
  }
  throw new RunEnded('target-lost', `the target stopped answering: ${failure?.message ?? 'no answer'}`);
}
