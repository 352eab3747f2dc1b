// Everything that is remembered of one key: bounded, however many calls there are.
import { Episodes } from './episodes.ts';
import { LimitConstancy } from './limit-constancy.ts';
import { TargetClock } from './moments.ts';
import type { RateReading } from './reading.ts';
import { Rises } from './rises.ts';
import { Waits } from './waits.ts';
import { Windows } from './windows.ts';

export class KeySeries {
  readonly key: string;
  readonly clock = new TargetClock();
  readonly limits = new LimitConstancy(this.clock);
  readonly rises = new Rises(this.clock);
  readonly waits = new Waits(this.clock);
  readonly episodes = new Episodes(this.clock);
  readonly windows = new Windows(this.clock);
  /** The last answer that stated a limit. */
  latest: RateReading | null = null;

  constructor(key: string) {
    this.key = key;
  }

  add(reading: RateReading): void {
    this.clock.add(reading);
    this.limits.add(reading);
    this.rises.add(reading);
    this.waits.add(reading);
    this.episodes.add(reading);
    this.windows.add(reading);
    if (reading.limit !== null && reading.status !== 429) this.latest = reading;
  }
}
