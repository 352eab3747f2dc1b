// Everything that is remembered of one key: bounded, however many calls there are.

import type { RateReading } from '../../limiters/reading.ts';
import { TargetClock } from '../../limiters/reset-clock.ts';
import { Windows } from '../../limiters/windows.ts';
import { LimitConstancy } from './rate-02-constant-limit.ts';
import { StandingResets } from './rate-03-fixed-reset.ts';
import { RefusedResets } from './rate-03-refused-reset.ts';
import { Rises } from './rate-03-remaining-rises.ts';
import { StatedResets } from './rate-03-stated-reset.ts';
import { Episodes } from './rate-04-episodes.ts';
import { Waits } from './rate-06-retry-wait.ts';

const REMEMBERED = 256;

export class KeySeries {
  readonly key: string;
  readonly clock = new TargetClock();
  readonly limits = new LimitConstancy(this.clock);
  readonly rises = new Rises(this.clock);
  readonly standing = new StandingResets(this.clock);
  readonly refusedResets = new RefusedResets();
  readonly statedResets = new StatedResets(this.clock);
  readonly waits = new Waits(this.clock);
  readonly episodes = new Episodes(this.clock);
  readonly windows = new Windows(this.clock);
  /** The last answer that stated a limit. */
  latest: RateReading | null = null;
  /** The one before it. */
  beforeLatest: RateReading | null = null;
  /** The most that was ever left. */
  highest = 0;
  /** When the last calls were answered. */
  readonly #answered: number[] = [];

  constructor(key: string) {
    this.key = key;
  }

  /** Whether resets move on before they come, as those of buckets and sliding logs do. */
  get movesEarly(): boolean {
    return this.rises.movesEarly || this.standing.movesEarly;
  }

  /** Whether its Remaining can be relied on: it never rose but as a limit comes back. */
  get isMeasure(): boolean {
    return this.movesEarly || this.rises.conclude(false).rise === null;
  }

  /** How many of the last calls were answered between these times, both included; epoch ms. */
  callsBetween(sinceMs: number, untilMs = Number.POSITIVE_INFINITY): number {
    return this.#answered.filter((at) => at >= sinceMs && at <= untilMs).length;
  }

  add(reading: RateReading): void {
    this.#answered.push(reading.answeredAt);
    if (this.#answered.length > REMEMBERED) this.#answered.shift();
    this.clock.add(reading);
    this.highest = Math.max(this.highest, reading.remaining ?? 0);
    this.limits.add(reading);
    this.rises.add(reading);
    this.standing.add(reading);
    this.refusedResets.add(reading);
    this.statedResets.add(reading);
    this.waits.add(reading, reading.exchange.plan.ownWaits !== true);
    this.episodes.add(reading);
    this.windows.add(reading);
    if (reading.limit === null || reading.status === 429) return;
    this.beforeLatest = this.latest;
    this.latest = reading;
  }
}
