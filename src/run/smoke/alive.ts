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
/** A target that ended, and is started again by what watches over it, is back within this time. ms. */
const RESTART_MS = 30_000;
const BETWEEN_LOOKS_MS = 3000;

/** A target that is looked for. */
export interface Sought {
  readonly clock: Clock;
  readonly terms: Terms;
  /** True where it has answered before: it may be back soon. */
  readonly wasThere: boolean;
}

/** The target takes new connections and answers none: it is at work on something, for a network or a machine that is gone takes none. */
export class TargetStuck extends RunEnded {
  constructor(message: string) {
    super('target-lost', message);
  }
}

/**
 * Resolves with whether nothing answered at first. Throws RunEnded (target-lost) when nothing answers, where the target was there for as long as
 * a restart takes; after a halt of this process when nothing does for a minute. Throws TargetStuck where the last look was connected.
 */
export async function assureAlive(
  send: (plan: RequestPlan) => Promise<readonly Exchange[]>,
  { failure }: Exchange,
  { clock, terms, wasThere }: Sought,
): Promise<boolean> {
  const restartedAtMs = clock.monotonic() + (wasThere ? RESTART_MS : 0);
  let isConnected = false;
  for (let isDown = false; ; isDown = true) {
    for (const path of pathsIn(terms)) {
      const attempts = await send({ ...placePlan('run/alive', path, { kind: 'none' }), fresh: true, onlyAlive: true });
      if (attempts.some(({ response }) => response !== null)) return isDown;
      isConnected = attempts.at(-1)?.failure?.kind === 'timeout';
    }
    const untilMs = Math.max(restartedAtMs, haltsOf(clock).endedAtMs + AFTER_HALT_MS);
    if (clock.monotonic() >= untilMs) break;
    await clock.sleep(BETWEEN_LOOKS_MS);
  }
  const message = `the target stopped answering: ${failure?.message ?? 'no answer'}`;
  throw isConnected ? new TargetStuck(message) : new RunEnded('target-lost', message);
}
