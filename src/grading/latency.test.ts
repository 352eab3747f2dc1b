import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Latency } from '../contract/latency.ts';
import { addLatencies, latencyClass, latencyCount, percentileMs } from './latency.ts';

const durations = fc.array(fc.double({ min: 0.125, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 300 });

function counted(all: readonly number[]): Latency {
  return addLatencies(all.map((ms) => ({ [latencyClass(ms)]: 1 })));
}

describe('latency classes', () => {
  test('tell any percentile of any durations within 5 %', () => {
    fc.assert(
      fc.property(durations, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, share) => {
        const sorted = all.toSorted((left, right) => left - right);
        const exact = sorted[Math.ceil(share * all.length - 1e-9) - 1]!;
        expect(Math.abs(percentileMs(counted(all), share)! / exact - 1)).toBeLessThan(0.05);
      }),
    );
  });

  test('of parts add up to those of the whole', () => {
    fc.assert(
      fc.property(durations, durations, (one, other) => {
        expect(addLatencies([counted(one), counted(other)])).toEqual(counted([...one, ...other]));
        expect(latencyCount(counted([...one, ...other]))).toBe(one.length + other.length);
      }),
    );
  });

  test('nothing counted has no percentile; no duration at all is the shortest', () => {
    expect(percentileMs({}, 0.5)).toBeNull();
    expect(latencyClass(0)).toBe(latencyClass(0.125));
  });
});
