// The bracket of a search for capacity as lines of text.
import type { CapacityPart } from '../../contract/load-part.ts';
import { number, plural, threeDigits } from '../words.ts';

/** Two lines under a title; none where no capacity was searched, or the part has another shape. */
export function capacityLines(load: unknown): readonly string[] {
  const { capacity } = Object(load) as { readonly capacity?: unknown };
  if (!isCapacity(capacity)) return [];
  const { met, missed, open, steps, confidence, p50Ms, p99Ms } = capacity;
  const at = met === null ? '' : `: p50 ${threeDigits(p50Ms)} ms, p99 ${threeDigits(p99Ms)} ms`;
  return [
    'Capacity',
    `  ${bracket(met, missed)}${at}`,
    `  ${plural(steps.length, 'step')}; ${open == null ? confidence : 'not settled'}`,
  ];
}

function bracket(met: number | null, missed: number | null): string {
  if (met === null && missed === null) return 'unknown, no step was decided';
  // Rounded to the side that claims less.
  const [least, most] = [rate(Math.floor(met ?? 0)), rate(Math.ceil(missed ?? 0))];
  if (met === null) return `below ${most}`;
  return missed === null ? `at least ${least}` : `${least} are sustained, ${most} are not`;
}

function rate(requestsPerSecond: number): string {
  return `${number(requestsPerSecond)} requests/s`;
}

export function isCapacity(value: unknown): value is CapacityPart {
  const { steps, confidence, p50Ms, p99Ms } = Object(value) as Partial<CapacityPart>;
  return (
    Array.isArray(steps) && typeof confidence === 'string' && typeof p50Ms === 'number' && typeof p99Ms === 'number'
  );
}
