// When the platform is down: it is restarted now and then, which takes a moment, and ends every connection.
import type { Chance } from './chance.ts';

/** Between two restarts on average, and how long one takes. ms. */
export interface Restarts {
  readonly everyMs: number;
  readonly downMs: number;
}

export class Outages {
  readonly #chance: Chance;
  readonly #restarts: Restarts | null;
  /** The outages so far and the next one: begin and end, ms of the run. */
  readonly #known: (readonly [beginMs: number, endMs: number])[] = [];

  constructor(chance: Chance, restarts: Restarts | null) {
    this.#chance = chance;
    this.#restarts = restarts;
  }

  isDown(atMs: number): boolean {
    return this.#until(atMs).some(([begin, end]) => begin <= atMs && atMs < end);
  }

  /** Tells whether what was under way from then to then was cut off. */
  cutsOff(fromMs: number, toMs: number): boolean {
    return this.#until(toMs).some(([begin]) => fromMs < begin && begin <= toMs);
  }

  #until(atMs: number): readonly (readonly [number, number])[] {
    if (this.#restarts === null) return this.#known;
    const { everyMs, downMs } = this.#restarts;
    for (let last = this.#known.at(-1)?.[1] ?? 0; last <= atMs; last = this.#known.at(-1)?.[1] ?? 0) {
      const begin = last + this.#chance.between(0.5, 1.5) * everyMs;
      this.#known.push([begin, begin + downMs]);
    }
    return this.#known;
  }
}
