// Limiters other than fixed windows, for one name each: what faults and tolerance cases put in the fixed window's place.
import type { Grant, Limit } from './limiter.ts';

/** Takes `cost` calls at the time (epoch ms); a refused call takes nothing. */
export type Take = (nowMs: number, cost: number) => Grant;

function grantOf(granted: boolean, limit: number, remaining: number, resetMs: number, waitMs: number): Grant {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return {
    granted,
    limit,
    remaining: Math.max(0, Math.floor(remaining)),
    resetSeconds: Math.ceil(resetMs / 1000),
    retryAfterSeconds,
  };
}

/** The window opens with its first call. */
export function firstHit({ calls, seconds }: Limit): Take {
  let end = 0;
  let used = 0;
  return (nowMs, cost) => {
    if (nowMs >= end) {
      end = nowMs + seconds * 1000;
      used = 0;
    }
    const granted = used + cost <= calls;
    if (granted) used += cost;
    return grantOf(granted, calls, calls - used, end, end - nowMs);
  };
}

/** Each call counts for one window from its own time on; Reset tells when the oldest goes. */
export function slidingLog({ calls, seconds }: Limit): Take {
  const windowMs = seconds * 1000;
  let log: number[] = [];
  return (nowMs, cost) => {
    log = log.filter((at) => at + windowMs > nowMs);
    const granted = log.length + cost <= calls;
    if (granted) log.push(...Array.from({ length: cost }, () => nowMs));
    const oldest = (log[0] ?? nowMs) + windowMs;
    const freed = (log[Math.max(0, log.length + cost - calls - 1)] ?? nowMs) + windowMs;
    return grantOf(granted, calls, calls - log.length, oldest, freed - nowMs);
  };
}

/** The last window counts by the share of it that still reaches into the sliding one. */
export function slidingCounter({ calls, seconds }: Limit): Take {
  const windowMs = seconds * 1000;
  let start = 0;
  let last = 0;
  let used = 0;
  return (nowMs, cost) => {
    const begins = Math.floor(nowMs / windowMs) * windowMs;
    if (begins > start) {
      last = begins - start === windowMs ? used : 0;
      used = 0;
      start = begins;
    }
    const end = start + windowMs;
    const weighted = used + (last * (end - nowMs)) / windowMs;
    const granted = weighted + cost <= calls;
    if (granted) used += cost;
    const over = weighted + cost - calls;
    const waitMs = used + cost <= calls ? (over * windowMs) / Math.max(1, last) : end - nowMs + windowMs / calls;
    return grantOf(granted, calls, calls - weighted - (granted ? cost : 0), end, waitMs);
  };
}

/** Refills steadily. Reset tells when it is full, or when the next call is granted. */
export function tokenBucket({ calls, seconds }: Limit, resetTells: 'full' | 'next'): Take {
  const perMs = calls / (seconds * 1000);
  let tokens = calls;
  let at = 0;
  return (nowMs, cost) => {
    tokens = Math.min(calls, tokens + (nowMs - at) * perMs);
    at = nowMs;
    const granted = tokens >= cost;
    if (granted) tokens -= cost;
    const nextMs = Math.max(0, cost - tokens) / perMs;
    const resetMs = nowMs + (resetTells === 'full' ? (calls - tokens) / perMs : nextMs);
    return grantOf(granted, calls, tokens, resetMs, nextMs);
  };
}
