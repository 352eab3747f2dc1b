// Reads the rate-limit headers of one answer to a key, with when the call can have been counted.
import { HEALTH_PATH, RATE_HEADERS } from '../contract/platform.ts';
import { header, headers } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { epochOfHttpDate, type Reset, resetOf } from './reset-forms.ts';

export interface RateReading {
  readonly exchange: Exchange;
  readonly key: string;
  /** Operation key, or method and path where no description has it. */
  readonly operation: string;
  readonly status: number;
  /** The call was counted somewhere between these. Epoch ms of the local clock. */
  readonly sentAt: number;
  readonly answeredAt: number;
  /** null when absent or not numeric. */
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly reset: Reset | null;
  /** The response's Date; null when absent or unreadable. Epoch ms of the target's clock. */
  readonly dateMs: number | null;
  /** The wait that Retry-After asks for, in ms; null when absent, unreadable or past, or a date in an answer without Date. */
  readonly retryAfterMs: number | null;
}

/** A date so long before the answer's own is no wait at all (RATE-05). ms. */
const PAST_MS = 1000;
const NUMERIC = /^[+-]?\d+(\.\d+)?$/;

/** The reading of an answer to a configured key; null for other credentials, failures, and 401s and health checks, which RATE-01 exempts. */
export function readingOf(exchange: Exchange): RateReading | null {
  let reading = read.get(exchange);
  if (reading === undefined) {
    reading = readAnew(exchange);
    read.set(exchange, reading);
  }
  return reading;
}

/** Several judges ask for the same reading. */
const read = new WeakMap<Exchange, RateReading | null>();

function readAnew(exchange: Exchange): RateReading | null {
  const { plan, response, sentAt, durationMs } = exchange;
  if (plan.credential.kind !== 'key' || response === null || response.status === 401) return null;
  if (plan.path === HEALTH_PATH) return null;
  const answeredAt = sentAt + Math.ceil(durationMs) + 1;
  const dateMs = epochOfHttpDate(header(response.headers, 'date') ?? '');
  const reset = rateHeader(exchange, 'reset');
  return {
    exchange,
    key: plan.credential.name,
    operation: plan.operation ?? `${plan.method} ${plan.path}`,
    status: response.status,
    sentAt,
    answeredAt,
    limit: numeric(rateHeader(exchange, 'limit')),
    remaining: numeric(rateHeader(exchange, 'remaining')),
    reset: reset === null ? null : resetOf(reset),
    dateMs,
    retryAfterMs: retryAfterMs(header(response.headers, 'retry-after'), dateMs),
  };
}

/** The header as text, equal repetitions taken as one; null when absent. */
export function rateHeader({ response }: Exchange, which: keyof typeof RATE_HEADERS): string | null {
  const values = headers(response?.headers ?? [], RATE_HEADERS[which]);
  const [only = null] = values;
  return values.length > 1 ? [...new Set(values.map((value) => value.trim()))].join(', ') : (only?.trim() ?? null);
}

/** The number that the text is, at most what is counted exactly; null for any other text and for none. */
export function numeric(text: string | null): number | null {
  return text !== null && NUMERIC.test(text) ? countable(Number(text)) : null;
}

/** Hundreds of digits are a number, too, and infinity is none that a report can hold. */
function countable(number: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER));
}

/** Tells whether the key's limiter let the call pass, whatever else was wrong with it. */
export function isAdmitted({ status }: RateReading): boolean {
  return status !== 429 && status < 500;
}

/**
 * Tells whether the call succeeded: only these must lower Remaining. HEAD beside a described GET is no described call:
 * it may be counted, or not.
 */
export function isSuccessful({ status, exchange }: RateReading): boolean {
  const { method, operation } = exchange.plan;
  return status >= 200 && status < 400 && (method !== 'HEAD' || operation !== null);
}

/** Tells whether the answer states how much is left of a limit. A value below 0 or above Limit is RATE-02's. */
export function isTelling({ status, remaining, limit }: RateReading): boolean {
  return status !== 429 && remaining !== null && limit !== null && remaining >= 0 && remaining <= limit;
}

function retryAfterMs(text: string | null, dateMs: number | null): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text.trim())) return countable(Number(text) * 1000);
  const until = epochOfHttpDate(text);
  if (until === null || dateMs === null || until < dateMs - PAST_MS) return null;
  return Math.max(0, until - dateMs);
}
