// Data drawn by fast-check and by nothing else: one value for one place, the same for the same seed.
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';

/** A 32-bit seed that depends on the run's seed and on the place that asks, not on the order in which places ask. */
export function placeSeed(seed: number, place: string): number {
  return createHash('sha256').update(`${seed}\n${place}`).digest().readInt32BE(0);
}

/** One value of the arbitrary; equal for equal seed and place. */
export function draw<T>(arbitrary: fc.Arbitrary<T>, seed: number, place: string): T {
  const [value] = fc.sample(arbitrary, { seed: placeSeed(seed, place), numRuns: 1 });
  return value as T;
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
