// Reads from an answer how long to wait: Retry-After and X-RateLimit-*, in every form that src/limiters knows. Pure.
// Source: RFC 9110 section 10.2.3.
import { RATE_HEADERS } from '../contract/platform.ts';
import type { HeaderList } from '../exchange/exchange.ts';
import { epochOfIso8601 } from '../exchange/iso-8601.ts';
import { epochOfHttpDate, resetOf } from '../limiters/reset-forms.ts';

/** A local clock this close to the response's Date is believed, as it is finer than whole seconds. ms. */
const SAME_CLOCK_MS = 2000;

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** As received; null when absent. */
  readonly reset: string | null;
  readonly date: string | null;
}

/** The delay that Retry-After asks for, in ms, at least 0; null when absent or neither seconds nor a date. */
export function retryAfterMs(value: string | null, date: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const until = parseDate(text);
  return until === null ? null : Math.max(0, until - (parseDate(date) ?? nowMs));
}

/** How long until the reset, in ms, negative for one in the past; null when absent or unreadable. */
export function resetDelayMs(reset: string | null, date: string | null, nowMs: number): number | null {
  if (reset === null) return null;
  const stated = resetOf(reset);
  if (stated === null || stated.ms < 0) return null;
  return stated.form === 'delta-seconds' ? stated.ms : stated.ms - serverNow(date, nowMs);
}

/** The rate-limit headers when they make sense: 0 <= Remaining <= Limit, Limit at least 1. */
export function rateState(headers: HeaderList): RateState | null {
  let limit = Number.NaN;
  let remaining = Number.NaN;
  let reset: string | null = null;
  let date: string | null = null;
  for (const [name, value] of headers) {
    if (name === RATE_HEADERS.limit) limit = Number.parseFloat(value);
    else if (name === RATE_HEADERS.remaining) remaining = Number.parseFloat(value);
    else if (name === RATE_HEADERS.reset) reset = value;
    else if (name === 'date') date = value;
  }
  return Number.isFinite(limit) && limit >= 1 && remaining >= 0 && remaining <= limit
    ? { limit, remaining, reset, date }
    : null;
}

function serverNow(date: string | null, nowMs: number): number {
  const stated = parseDate(date);
  return stated === null || Math.abs(stated - nowMs) <= SAME_CLOCK_MS ? nowMs : stated;
}

/** Epoch ms of an HTTP date, or of one as ISO 8601 writes it. */
function parseDate(text: string | null): number | null {
  return text === null ? null : (epochOfHttpDate(text) ?? epochOfIso8601(text.trim()));
}
