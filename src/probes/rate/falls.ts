// Calls of a key one after the other, and by how much each lowered Remaining: what it cost.
import type { KeyHistory } from '../../limiters/key-history.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import type { Reached } from '../world.ts';
import type { Ask } from './asking.ts';

export class Falls {
  readonly #ask: Ask;
  readonly #key: string;
  readonly #history: Pick<KeyHistory, 'latest' | 'beforeLatest'>;
  #prior: RateReading | null = null;

  /** `history`: the key's, which sees calls of others in this run, too. */
  constructor(ask: Ask, key: string, history: Pick<KeyHistory, 'latest' | 'beforeLatest'>) {
    this.#ask = ask;
    this.#key = key;
    this.#history = history;
  }

  /** The answer to one more call, and its fall; null where that cannot be told. `elsewhere`: another shard answers for it. */
  async call(
    reached: Reached,
    elsewhere = false,
  ): Promise<{ readonly reading: RateReading | null; readonly fall: number | null }> {
    const asked = this.#prior;
    const reading = await this.#ask(this.#key, reached, elsewhere);
    this.#prior = reading;
    return { reading, fall: asked === null || reading === null ? null : this.#fallTo(reading, asked) };
  }

  #fallTo(after: RateReading, asked: RateReading): number | null {
    const before = this.#answeredBefore(after, asked);
    // An attempt before this one, a 503, may have been counted.
    if (!isSuccessful(after) || before.limit !== after.limit || after.exchange.attempt > 1) return null;
    return before.remaining === null || after.remaining === null ? null : before.remaining - after.remaining;
  }

  /** The answer just before: that of the last call, unless the key was used for something else in between. */
  #answeredBefore(after: RateReading, asked: RateReading): RateReading {
    const { latest, beforeLatest } = this.#history;
    const isLatest = latest?.exchange.id === after.exchange.id;
    if (!isLatest || beforeLatest === null || beforeLatest.exchange.id === asked.exchange.id) return asked;
    // Two answers may come within one millisecond.
    return beforeLatest.answeredAt >= asked.answeredAt ? beforeLatest : asked;
  }
}
