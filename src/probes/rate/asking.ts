// What the probes of limits share: one operation that is cheap to ask again and again, answers read as readings, and time.
import { type RateReading, readingOf } from '../../checks/rate/reading.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Send } from '../probe.ts';
import { planOf } from '../recipe.ts';
import { drawFor, type Reached, requiresToken, type World } from '../world.ts';

/** Time, so that tests wait in no time. */
export interface Timing {
  /** Epoch ms. */
  now(): number;
  sleep(delayMs: number): Promise<void>;
}

/** Longer waits for a limit are not waited for. ms. */
export const LONGEST_WAIT_MS = 75_000;

/** Operations that read, need a token and no id, and were called with success: the fastest first. */
export function plainReads(reached: readonly Reached[]): readonly Reached[] {
  return reached
    .filter(
      ({ operation, proof }) =>
        operation.method === 'GET' &&
        !operation.path.includes('{') &&
        requiresToken(operation) &&
        (proof?.response?.status ?? 599) < 300,
    )
    .toSorted((left, right) => (left.proof?.durationMs ?? 0) - (right.proof?.durationMs ?? 0));
}

/** Asks for the operation under a key, once and at once; null without an answer. */
export type Ask = (key: string, reached: Reached) => Promise<RateReading | null>;

/** `once`: the refusal itself is wanted. `never`: at the key's pace, and a refusal is waited out. */
export function asker(world: World, send: Send, probe: string, retry: RequestPlan['retry']): Ask {
  let serial = 0;
  return async (key, { recipe }) => {
    serial += 1;
    const change = { credential: { kind: 'key', name: key }, retry } as const;
    const { last } = await send(planOf(recipe, probe, drawFor(world, `${probe}${serial}`), change));
    return readingOf(last);
  };
}
