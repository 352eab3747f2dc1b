// Makes sure that the target still answers anything, after a request that it did not answer.
import { type Clock, haltsOf } from '../../clock/clock.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Exchange, Failure, RequestPlan } from '../../exchange/exchange.ts';
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
/** A run that ends sooner after the first look in vain may have met a restart. ms. */
const MIN_IN_VAIN_MS = 10_000;
const BETWEEN_LOOKS_MS = 3000;

/** A target that is looked for. */
export interface Sought {
  readonly clock: Clock;
  readonly terms: Terms;
  /** True where it has answered before: it may be back soon. */
  readonly wasThere: boolean;
}

/** Nothing answered while the target was looked for, until it was given up or the run ended. */
export class TargetLost extends RunEnded {
  /** The target takes new connections and answers none: it is at work on something, for a network or a machine that is gone takes none. */
  readonly isStuck: boolean;

  constructor({ reasonCode, message }: RunEnded, { kind }: Failure) {
    super(reasonCode, message);
    this.isStuck = kind === 'timeout';
  }
}

/**
 * Resolves with whether nothing answered at first. Throws TargetLost when nothing answers, where the target was there for as long as a restart
 * takes; after a halt of this process when nothing does for a minute; and where the run ends when nothing has for longer than a quick restart takes.
 */
export async function assureAlive(send: Send, lost: Exchange, sought: Sought): Promise<boolean> {
  const beganMs = sought.clock.monotonic();
  let look: Failure | null = null;
  const ask: Send = async (plan) => {
    const attempts = await send(plan);
    look = attempts.at(-1)?.failure ?? look;
    return attempts;
  };
  try {
    return await wasGone(ask, lost, sought);
  } catch (error) {
    if (!(error instanceof RunEnded) || look === null) throw error;
    const isLost = error.reasonCode === 'target-lost' || sought.clock.monotonic() - beganMs >= MIN_IN_VAIN_MS;
    throw isLost ? new TargetLost(error, look) : error;
  }
}

type Send = (plan: RequestPlan) => Promise<readonly Exchange[]>;

/** The same; throws RunEnded where nothing answers. */
async function wasGone(send: Send, { failure }: Exchange, { clock, terms, wasThere }: Sought): Promise<boolean> {
  const restartedAtMs = clock.monotonic() + (wasThere ? RESTART_MS : 0);
  for (let isDown = false; ; isDown = true) {
    for (const path of pathsIn(terms)) {
      const attempts = await send({ ...placePlan('run/alive', path, { kind: 'none' }), fresh: true, onlyAlive: true });
      if (attempts.some(({ response }) => response !== null)) return isDown;
    }
    const untilMs = Math.max(restartedAtMs, haltsOf(clock).endedAtMs + AFTER_HALT_MS);
    if (clock.monotonic() >= untilMs) break;
    await clock.sleep(BETWEEN_LOOKS_MS);
  }
  throw new RunEnded('target-lost', `the target stopped answering: ${failure?.message ?? 'no answer'}`);
}
