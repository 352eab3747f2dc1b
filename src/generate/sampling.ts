// Data drawn by fast-check and by nothing else: one value for one place, the same for the same seed.
import { hash } from 'node:crypto';
import * as fc from 'fast-check';

/** A 32-bit seed that depends on the run's seed and on the place that asks, not on the order in which places ask. */
export function placeSeed(seed: number, place: string): number {
  return hash('sha256', `${seed}\n${place}`, 'buffer').readInt32BE(0);
}

/** One value of the arbitrary; equal for equal seed and place. */
export function draw<T>(arbitrary: fc.Arbitrary<T>, seed: number, place: string): T {
  const [value] = fc.sample(arbitrary, { seed: placeSeed(seed, place), numRuns: 1 });
  return value as T;
}

/**
 * The case at a path of a property over the arbitrary, its given cases being `examples`; null where the path leads
 * nowhere: cases may depend on what the target holds.
 */
export function caseAt<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, path }: { readonly seed: number; readonly path: string },
  examples: readonly T[],
): T | null {
  const given = examples.map((value): [T] => [value]);
  try {
    const [found] = fc.sample(fc.tuple(arbitrary), { seed, path, examples: given as never, numRuns: 1 });
    return found === undefined ? null : found[0];
  } catch {
    // The path comes from an earlier report, and leads nowhere once the schema has changed.
    return null;
  }
}

/**
 * Words of small letters (or of the given characters). Unlike `fc.string` never one of the strings that JavaScript
 * engines stumble over ("length", "constructor"): what must be new would be the same word every time.
 */
export function words(
  minLength: number,
  maxLength: number,
  characters = 'abcdefghijklmnopqrstuvwxyz',
): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...characters), { minLength, maxLength, size: 'max' })
    .map((letters) => letters.join(''));
}
