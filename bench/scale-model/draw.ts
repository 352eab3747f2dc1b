// Choices of the scale model: the same seed and key give the same choice, whatever was chosen before.
import { numberFrom } from '../../src/platform/store/hash.ts';

export class Draw {
  private readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number, key: string): number {
    return least + (numberFrom(`${this.seed} ${key}`) % (most - least + 1));
  }

  /** One of the list, which is not empty. */
  pick<T>(list: readonly T[], key: string): T {
    return list[this.between(0, list.length - 1, key)] as T;
  }

  /** True `percent` times in a hundred. */
  happens(percent: number, key: string): boolean {
    return this.between(1, 100, key) <= percent;
  }

  /** All of the list, in an order of the seed's. */
  shuffled<T>(list: readonly T[], key: string): T[] {
    const ranked = list.map((one, at) => [numberFrom(`${this.seed} ${key} ${at}`), at, one] as const);
    return ranked.sort(([a, left], [b, right]) => a - b || left - right).map(([, , one]) => one);
  }
}
