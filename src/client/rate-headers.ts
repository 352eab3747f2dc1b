// Reads from an answer how long to wait: Retry-After, and how much is left of a limit, in every form they are seen in.
// Pure. Source: RFC 9110 section 10.2.3.
import type { RateTerms } from '../contract/terms.ts';
import { header } from '../exchange/body.ts';
import type { HeaderList } from '../exchange/exchange.ts';
import { epochOfHttpDate, type Reset, resetOf } from '../limiters/reset-forms.ts';
import { type Stated, statedIn } from '../limiters/stated.ts';

/** A local clock this close to the response's Date is believed, as it is finer than whole seconds. ms. */
const SAME_CLOCK_MS = 2000;

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** null when absent or unreadable. */
  readonly reset: Reset | null;
  readonly date: string | null;
}

/** The delay that Retry-After asks for, in ms, at least 0; null when absent or neither seconds nor a date. */
export function retryAfterMs(value: string | null, date: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const until = dateIn(text);
  return until === null ? null : Math.max(0, until - (dateIn(date) ?? nowMs));
}

/** How long until the reset, in ms, negative for one in the past; null when there is none. */
export function resetDelayMs(reset: Reset | null, date: string | null, nowMs: number): number | null {
  if (reset === null || reset.ms < 0) return null;
  return reset.form === 'delta-seconds' ? reset.ms : reset.ms - serverNow(date, nowMs);
}

/** Rest of the limit that is nearest to its end, where that makes sense: 0 <= Remaining <= Limit, Limit at least 1. */
export function rateState(headers: HeaderList, terms: RateTerms | null = null): RateState | null {
  const sound = statedIn(headers, terms).flatMap((stated) => soundIn(stated) ?? []);
  const [nearest] = sound.toSorted((left, right) => left.remaining - right.remaining);
  return nearest === undefined ? null : { ...nearest, date: header(headers, 'date') };
}

function soundIn({ limit, remaining, reset }: Stated): Omit<RateState, 'date'> | null {
  if (
    limit === null ||
    remaining === null ||
    limit < 1 ||
    limit === Number.MAX_SAFE_INTEGER ||
    remaining < 0 ||
    remaining > limit
  )
    return null;
  return { limit, remaining, reset };
}

function serverNow(date: string | null, nowMs: number): number {
  const stated = dateIn(date);
  return stated === null || Math.abs(stated - nowMs) <= SAME_CLOCK_MS ? nowMs : stated;
}

/** Epoch ms of a date in words. */
function dateIn(text: string | null): number | null {
  const read = text === null ? null : resetOf(text);
  return read?.form === 'iso-date' ? read.ms : epochOfHttpDate(text ?? '');
}
