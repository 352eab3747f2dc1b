// Makes sure that the target still answers anything, after a request that it did not answer.
import { type Clock, haltsOf } from '../../clock/clock.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { placePlan } from '../../probes/requests/platform-places.ts';
import { RunEnded } from '../perform/interruption.ts';

/** Liveness first, where the contract names it; where that is what hangs, any other path. */
function pathsIn({ health, versions }: Terms): readonly string[] {
  return [pathOf(health?.operation ?? 'GET /'), versions.prefix ?? '/assay-alive'];
}

/** The path of an operation key. */
function pathOf(operation: string): string {
  return operation.slice(operation.indexOf(' ') + 1);
}

/** A machine that slept finds its network again within this time. ms. */
const AFTER_HALT_MS = 60_000;
const BETWEEN_LOOKS_MS = 3000;

/** Throws RunEnded (target-lost) when nothing answers; after a halt of this process only when nothing does for a minute. */
export async function assureAlive(
  send: (plan: RequestPlan) => Promise<readonly Exchange[]>,
  { failure }: Exchange,
  { clock, terms }: { readonly clock: Clock; readonly terms: Terms },
): Promise<void> {
  // Twice, since a restart takes a moment.
  const paths = [...pathsIn(terms), ...pathsIn(terms)];
  for (;;) {
    for (const path of paths) {
      const attempts = await send({ ...placePlan('run/alive', path, { kind: 'none' }), fresh: true, onlyAlive: true });
      if (attempts.some(({ response }) => response !== null)) return;
    }
    if (clock.monotonic() - haltsOf(clock).endedAtMs > AFTER_HALT_MS) break;
    await clock.sleep(BETWEEN_LOOKS_MS);
  }
  throw new RunEnded('target-lost', `the target stopped answering: ${failure?.message ?? 'no answer'}`);
}
