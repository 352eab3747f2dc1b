// RATE-02 (must): 0 ≤ Remaining ≤ Limit; Limit is constant for one key within a window.
import { type Breach, breached } from '../../contract/judgement.ts';
import { readingOf } from '../../limiters/reading.ts';
import type { ExchangeCheck } from '../check.ts';

export const rate02: ExchangeCheck = {
  clause: 'RATE-02',
  title: 'Remaining is at least 0 and at most Limit',
  applies({ exchange }) {
    const reading = readingOf(exchange);
    return reading !== null && reading.limit !== null && reading.remaining !== null;
  },
  judge({ exchange }) {
    const reading = readingOf(exchange);
    const limit = reading?.limit ?? 0;
    const remaining = reading?.remaining ?? 0;
    const expected = `a number from 0 to the Limit, ${limit}`;
    const told = (code: string, cause: string): Breach => ({
      weight: 'breach',
      code,
      cause,
      message: `X-RateLimit-Remaining is ${remaining}, expected ${expected}`,
      expected,
      actual: String(remaining),
    });
    if (remaining < 0) return breached([told('rate-02.negative', 'Remaining is negative')]);
    return breached(remaining > limit ? [told('rate-02.above-limit', 'Remaining is above Limit')] : []);
  },
};
