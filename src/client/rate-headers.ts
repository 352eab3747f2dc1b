// Reads from an answer how long to wait: Retry-After and X-RateLimit-*, in every form they are seen in. Pure. Source:
// Limits, RATE-01 (reset forms), RFC 9110 section 10.2.3.
import { RATE_HEADERS } from '../contract/platform.ts';
import type { HeaderList } from '../exchange/exchange.ts';

/** A local clock this close to the response's Date is believed, as it is finer than whole seconds. ms. */
const SAME_CLOCK_MS = 2000;
/** Numbers above are epoch seconds, respectively epoch milliseconds; smaller ones count from now. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

const WEEKDAY_OR_YEAR = /^(?:[A-Za-z]{3,9},? |\d{4}-\d\d-\d\d)/;

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
  const number = /^\s*\d+(\.\d+)?\s*$/.test(reset) ? Number(reset) : null;
  if (number !== null && number < EPOCH_SECONDS) return number * 1000;
  const until = number === null ? parseDate(reset) : number < EPOCH_MS ? number * 1000 : number;
  return until === null ? null : until - serverNow(date, nowMs);
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

/** Epoch ms of a date in words; numbers that Date.parse would take for years are no dates. */
function parseDate(text: string | null): number | null {
  if (text === null || !WEEKDAY_OR_YEAR.test(text.trim())) return null;
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? null : epochMs;
}
