// For tests: limiters of every kind on a clock that is handed in, and the headers that a platform writes of them.
import type { HeaderList } from '../../../src/exchange/exchange.ts';

export interface Grant {
  readonly granted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** What X-RateLimit-Reset is about, and when a refused call would be granted. Epoch ms. */
  readonly resetMs: number;
  readonly againMs: number;
}

/** Takes `cost` units at the time; a refused call takes nothing. */
export type Limiter = (nowMs: number, cost: number) => Grant;

export type Kind =
  | 'aligned'
  | 'first-hit'
  | 'sliding-log'
  | 'log-till-empty'
  | 'log-in-windows'
  | 'sliding-counter'
  | 'bucket'
  | 'bucket-next';
export const KINDS: readonly Kind[] = [
  'aligned',
  'first-hit',
  'sliding-log',
  'log-till-empty',
  'log-in-windows',
  'sliding-counter',
  'bucket',
  'bucket-next',
];

/** A conformant limiter of this kind: `limit` units in each `windowMs`. */
export function limiterOf(kind: Kind, limit: number, windowMs: number): Limiter {
  if (kind === 'aligned' || kind === 'first-hit') return fixedWindow(limit, windowMs, kind === 'aligned');
  if (kind === 'sliding-log') return slidingLog(limit, windowMs);
  if (kind === 'log-till-empty') return tillEmpty(slidingLog(limit, windowMs), windowMs);
  if (kind === 'log-in-windows') return inWindows(slidingLog(limit, windowMs), windowMs);
  if (kind === 'sliding-counter') return slidingCounter(limit, windowMs);
  return tokenBucket(limit, limit / windowMs, kind === 'bucket' ? 'full' : 'next');
}

/** The limiter of a key that another client uses, too: a call every `gapMs` on average. */
export function sharedWith(gapMs: number, limiter: Limiter): Limiter {
  let next: number | null = null;
  let calls = 0;
  return (nowMs, cost) => {
    for (next ??= nowMs; next <= nowMs; next += gapMs * (0.2 + (1.6 * ((calls * 7) % 11)) / 10), calls += 1)
      limiter(next, 1);
    return limiter(nowMs, cost);
  };
}

export function fixedWindow(limit: number, windowMs: number, aligned = true): Limiter {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  return (nowMs, cost) => {
    if (nowMs >= start + windowMs) {
      start = aligned ? Math.floor(nowMs / windowMs) * windowMs : nowMs;
      used = 0;
    }
    const granted = used + cost <= limit;
    if (granted) used += cost;
    return { granted, limit, remaining: limit - used, resetMs: start + windowMs, againMs: start + windowMs };
  };
}

function slidingLog(limit: number, windowMs: number): Limiter {
  let log: number[] = [];
  return (nowMs, cost) => {
    log = log.filter((at) => at > nowMs - windowMs);
    const granted = log.length + cost <= limit;
    if (granted) for (let unit = 0; unit < cost; unit += 1) log.push(nowMs);
    const oldest = (log[0] ?? nowMs) + windowMs;
    const again = (log[Math.max(0, log.length + cost - limit - 1)] ?? nowMs) + windowMs;
    return { granted, limit, remaining: limit - log.length, resetMs: oldest, againMs: again };
  };
}

/** A log whose Reset is when all of its calls will have left, as some write it. */
function tillEmpty(limiter: Limiter, windowMs: number): Limiter {
  let lastMs = 0;
  return (nowMs, cost) => {
    const grant = limiter(nowMs, cost);
    if (grant.granted) lastMs = nowMs;
    return { ...grant, resetMs: lastMs + windowMs };
  };
}

/** A log whose Reset stands for a window that a call opens, as @nestjs/throttler writes it. */
function inWindows(limiter: Limiter, windowMs: number): Limiter {
  let endsMs = 0;
  return (nowMs, cost) => {
    if (nowMs >= endsMs) endsMs = nowMs + windowMs;
    return { ...limiter(nowMs, cost), resetMs: endsMs };
  };
}

function slidingCounter(limit: number, windowMs: number): Limiter {
  let start = 0;
  let previous = 0;
  let current = 0;
  return (nowMs, cost) => {
    const begins = Math.floor(nowMs / windowMs) * windowMs;
    if (begins !== start) {
      previous = begins === start + windowMs ? current : 0;
      current = 0;
      start = begins;
    }
    const weighted = (atMs: number) => previous * (1 - (atMs - start) / windowMs) + current;
    const granted = weighted(nowMs) + cost <= limit;
    if (granted) current += cost;
    let again = nowMs;
    if (current + cost <= limit && previous > 0) again = start + windowMs * (1 - (limit - current - cost) / previous);
    else if (current + cost > limit) again = start + windowMs * (2 - (limit - cost) / current);
    const remaining = Math.max(0, Math.floor(limit - weighted(nowMs)));
    return { granted, limit, remaining, resetMs: start + windowMs, againMs: Math.max(nowMs, again) };
  };
}

export function tokenBucket(burst: number, perMs: number, resetTells: 'full' | 'next'): Limiter {
  let tokens = burst;
  let last: number | null = null;
  return (nowMs, cost) => {
    tokens = Math.min(burst, tokens + (nowMs - (last ?? nowMs)) * perMs);
    last = nowMs;
    const granted = tokens >= cost;
    if (granted) tokens -= cost;
    const next = nowMs + Math.max(0, cost - tokens) / perMs;
    const full = nowMs + (burst - tokens) / perMs;
    return {
      granted,
      limit: burst,
      remaining: Math.floor(tokens),
      resetMs: resetTells === 'full' ? full : next,
      againMs: next,
    };
  };
}

export type ResetStyle = 'epoch-seconds' | 'epoch-milliseconds' | 'delta-seconds' | 'http-date' | 'iso-date';
export const RESET_STYLES: readonly ResetStyle[] = [
  'epoch-seconds',
  'epoch-milliseconds',
  'delta-seconds',
  'http-date',
  'iso-date',
];

export interface HeaderStyle {
  readonly reset: ResetStyle;
  readonly rounding: 'ceil' | 'floor' | 'round';
  /** By how much the target's clock is ahead. ms. */
  readonly skewMs: number;
  readonly date: boolean;
  /** Age of the Date, which some servers write once a second; absent: 0. ms. */
  readonly dateAgeMs?: number;
  readonly retryAfter: 'seconds' | 'date' | 'none';
}

export const PLAIN_STYLE: HeaderStyle = {
  reset: 'epoch-seconds',
  rounding: 'ceil',
  skewMs: 0,
  date: true,
  retryAfter: 'seconds',
};

/** The headers of an answer of this grant, written at `nowMs` of the local clock. */
export function headersOf(grant: Grant, nowMs: number, style: HeaderStyle): HeaderList {
  const { skewMs } = style;
  const whole = Math[style.rounding];
  const resetSeconds = whole((grant.resetMs + skewMs) / 1000);
  const values: Readonly<Record<ResetStyle, string>> = {
    'epoch-seconds': String(resetSeconds),
    'epoch-milliseconds': String(Math.round(grant.resetMs + skewMs)),
    'delta-seconds': String(Math.max(0, whole((grant.resetMs - nowMs) / 1000))),
    'http-date': new Date(resetSeconds * 1000).toUTCString(),
    'iso-date': new Date(Math.round(grant.resetMs + skewMs)).toISOString(),
  };
  const list: [string, string][] = [
    ['content-type', 'application/json'],
    ['x-ratelimit-limit', String(grant.limit)],
    ['x-ratelimit-remaining', String(grant.remaining)],
    ['x-ratelimit-reset', values[style.reset]],
  ];
  if (style.date) list.push(['date', new Date(nowMs + skewMs - (style.dateAgeMs ?? 0)).toUTCString()]);
  if (!grant.granted && style.retryAfter !== 'none') {
    const seconds = Math.max(0, whole((grant.againMs - nowMs) / 1000));
    const until = Math.ceil((grant.againMs + skewMs) / 1000) * 1000;
    list.push(['retry-after', style.retryAfter === 'seconds' ? String(seconds) : new Date(until).toUTCString()]);
  }
  return list;
}
