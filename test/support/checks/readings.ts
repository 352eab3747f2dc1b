// For tests: what an answer tells of a limit, as its headers have it.
import { COMMERCE_TERMS } from '../../../src/contract/shipped.ts';
import { type Limited, type RateReading, readingOf } from '../../../src/limiters/reading.ts';
import { exchangeWith } from './exchanges.ts';

/** The platform's own limits. */
export const LIMITED: Limited = { terms: COMMERCE_TERMS.rateLimits, isAnonymous: false };

/** Exports of the platform, and their throttle. */
export const EXPORTS = {
  throttle: { operation: 'POST /api/v1/auth/activity/export', calls: 200, seconds: 10, refused: 429 },
  limited: LIMITED,
} as const;

export interface Told {
  readonly limit: number;
  readonly remaining: number;
  /** As the header has it: "30". */
  readonly reset: string;
  /** Absent: 200. */
  readonly status?: number;
}

/** The reading of an answer with these headers. */
export function readingWith({ limit, remaining, reset, status = 200 }: Told): RateReading {
  const headers = [
    ['x-ratelimit-limit', String(limit)],
    ['x-ratelimit-remaining', String(remaining)],
    ['x-ratelimit-reset', reset],
  ] as const;
  const reading = readingOf(exchangeWith({ status, headers }), LIMITED);
  if (reading === null) throw new Error('the answer states no limit');
  return reading;
}
