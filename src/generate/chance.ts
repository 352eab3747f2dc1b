// Random choices, drawn by fast-check and by nothing else.
import * as fc from 'fast-check';

export class Chance {
  private readonly random: fc.Random;

  constructor(random: fc.Random) {
    this.random = random;
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return this.random.nextInt(low, high);
  }

  /** One of the entries; there must be one. */
  pick<T>(entries: ArrayLike<T>): T {
    return entries[this.random.nextInt(0, entries.length - 1)] as T;
  }

  /** A value of another arbitrary. */
  of<T>(arbitrary: fc.Arbitrary<T>): T {
    return arbitrary.generate(this.random, undefined).value;
  }
}

/** Values that a function makes by chance. They do not shrink. */
export function drawnBy<T>(make: (chance: Chance) => T): fc.Arbitrary<T> {
  return new Drawn(make);
}

class Drawn<T> extends fc.Arbitrary<T> {
  private readonly make: (chance: Chance) => T;

  constructor(make: (chance: Chance) => T) {
    super();
    this.make = make;
  }

  override generate(random: fc.Random): fc.Value<T> {
    return new fc.Value(this.make(new Chance(random)), undefined);
  }

  override canShrinkWithoutContext(_value: unknown): _value is T {
    return false;
  }

  override shrink(): fc.Stream<fc.Value<T>> {
    return fc.Stream.nil();
  }
}
