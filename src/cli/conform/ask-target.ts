// What `assay plan --ask` learns from the target itself: that it is the right one, which keys it takes, and the limits that it states.
import { rateState, resetDelayMs } from '../../client/rate-headers.ts';
import { systemClock } from '../../clock/system.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Limit } from '../../platform/limits/limiter.ts';
import type { AskedTarget } from '../../reporters/terminal/plan.ts';
import { firstLook } from '../../run/perform/first-look.ts';
import { RunEnded } from '../../run/perform/interruption.ts';
import { NoVerdict } from '../process/failure.ts';
import type { Job } from './prepare.ts';

/** Sends the smoke stage. Throws NoVerdict where the target does not answer, or is not the right one. */
export async function askTarget(job: Job, stop: AbortSignal): Promise<AskedTarget> {
  const { config, options, descriptions, redactor } = job;
  try {
    return askedOf(await firstLook({ config, options, descriptions, redactor, clock: systemClock, stop }), config.keys);
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    throw new NoVerdict(error.message, '`assay doctor` tells where the way to the target ends');
  }
}

/** What the exchanges tell of the keys. Pure. */
export function askedOf(
  exchanges: readonly Exchange[],
  keys: readonly { readonly name: string; readonly plan: string }[],
): AskedTarget {
  const limits = new Map<string, Limit>();
  const refused: { key: string; status: number | null }[] = [];
  for (const { name, plan } of keys) {
    const own = exchanges.filter(({ plan: { credential } }) => credential.kind === 'key' && credential.name === name);
    const successes = own.filter(({ response }) => response !== null && response.status < 300);
    if (own.length > 0 && successes.length === 0)
      refused.push({ key: name, status: own.at(-1)?.response?.status ?? null });
    for (const limit of successes.flatMap((exchange) => limitOf(exchange) ?? [])) {
      const known = limits.get(plan);
      if (known === undefined || limit.calls < known.calls || limit.seconds > known.seconds) limits.set(plan, limit);
    }
  }
  return { requests: exchanges.length, limits: Object.fromEntries(limits), refused };
}

/** As the headers of the answer state it; null where they do not. */
function limitOf({ response, sentAt, durationMs }: Exchange): Limit | null {
  const stated = response && rateState(response.headers);
  const delayMs = stated && resetDelayMs(stated.reset, stated.date, sentAt + durationMs);
  if (stated === null || delayMs === null || delayMs <= 0) return null;
  return { calls: Math.floor(stated.limit), seconds: Math.ceil(delayMs / 1000) };
}
