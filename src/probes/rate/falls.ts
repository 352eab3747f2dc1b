// Calls of a key one after the other, and by how much each lowered Remaining: what it cost.
import type { KeyHistory } from '../../limiters/key-history.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import type { Reached } from '../world.ts';
import type { Ask } from './asking.ts';

type Answered = Pick<KeyHistory, 'latest' | 'beforeLatest'>;

/** The answer to one more call, and its fall; null where that cannot be told. `elsewhere`: another shard answers for it. */
export type Falling = (
  reached: Reached,
  elsewhere?: boolean,
) => Promise<{ readonly reading: RateReading | null; readonly fall: number | null }>;

/** Calls of the key in a row. `history`: the key's, which sees calls of others in this run, too. */
export function fallsOf(ask: Ask, key: string, history: Answered): Falling {
  let prior: RateReading | null = null;
  return async (reached, elsewhere = false) => {
    const asked = prior;
    const reading = await ask(key, reached, elsewhere);
    prior = reading;
    return {
      reading,
      fall: asked === null || reading === null ? null : fallTo(reading, answerBefore(reading, asked, history)),
    };
  };
}

function fallTo(after: RateReading, before: RateReading): number | null {
  // An attempt before this one, a 503, may have been counted.
  if (!isSuccessful(after) || before.limit !== after.limit || after.exchange.attempt > 1) return null;
  if (before.policy !== after.policy) return null;
  return before.remaining === null || after.remaining === null ? null : before.remaining - after.remaining;
}

/** The answer just before: that of the last call, unless the key was used for something else in between. */
function answerBefore(after: RateReading, asked: RateReading, { latest, beforeLatest }: Answered): RateReading {
  const isLatest = latest?.exchange.id === after.exchange.id;
  if (!isLatest || beforeLatest === null || beforeLatest.exchange.id === asked.exchange.id) return asked;
  // Two answers may come within one millisecond.
  return beforeLatest.answeredAt >= asked.answeredAt ? beforeLatest : asked;
}
