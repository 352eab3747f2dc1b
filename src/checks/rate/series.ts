// The laws over the answers of one key, beside their history.
import { KeyHistory } from '../../limiters/key-history.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { LimitConstancy } from './rate-02-constant-limit.ts';
import { StandingResets } from './rate-03-fixed-reset.ts';
import { RefusedResets } from './rate-03-refused-reset.ts';
import { Rises } from './rate-03-remaining-rises.ts';
import { StatedResets } from './rate-03-stated-reset.ts';
import { Episodes } from './rate-04-episodes.ts';
import { Waits } from './rate-06-retry-wait.ts';

export class KeySeries extends KeyHistory {
  readonly constancy = new LimitConstancy(this.clock);
  readonly rises = new Rises(this);
  readonly standing = new StandingResets(this);
  readonly refusedResets = new RefusedResets();
  readonly statedResets = new StatedResets(this.clock);
  readonly waits = new Waits(this.clock);
  readonly episodes = new Episodes(this.clock);
  readonly #laws = [
    ...[this.constancy, this.rises, this.standing, this.refusedResets, this.statedResets],
    ...[this.waits, this.episodes],
  ];

  /** Whether its Remaining can be relied on: it never rose but as a limit comes back. */
  get isMeasure(): boolean {
    return this.movesEarly || this.rises.worst() === null;
  }

  override add(reading: RateReading): void {
    super.add(reading);
    for (const law of this.#laws) law.add(reading);
  }
}
