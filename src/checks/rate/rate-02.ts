// RATE-02 (must): 0 ≤ Remaining ≤ Limit; Limit is constant for one key within a window.
import { breached, holds } from '../../contract/judgement.ts';
import { readingOf } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';
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
    if (remaining >= 0 && remaining <= limit) return holds();
    const expected = `a number from 0 to the Limit, ${limit}`;
    const values = { told: `X-RateLimit-Remaining is ${remaining}`, actual: String(remaining), expected };
    return breached([rate(remaining < 0 ? 'rate-02.negative' : 'rate-02.above-limit', values)]);
  },
};
