// For tests: what an answer tells of a limit, as its headers have it.
import { type RateReading, readingOf } from '../../../src/limiters/reading.ts';
import { exchangeWith } from './exchanges.ts';

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
  const reading = readingOf(exchangeWith({ status, headers }));
  if (reading === null) throw new Error('the answer states no limit');
  return reading;
}
