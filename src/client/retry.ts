// When the platform's contract lets a client send again, and after how long. Pure.
// Source: Retry guidance and Limits; CLIENT-01 to CLIENT-06; design decision 12.
//
//   answer                              again?                                      after
//   429, 503                            at most 4 retries; not a payment without    Retry-After, else 1000 ms doubling,
//                                       its key on 503                              cap 30000, plus 0-250 ms
//   other 5xx, connection lost          contract only, at most 4 attempts, and      250 ms doubling
//                                       only where it can have had no second effect
//   none, since this process was halted where it can have had no second effect      at once, one more time
//   anything else, timeouts included    never
//   anything, of a plan sent once       never
import { RETRY } from '../contract/own-retry.ts';
import { PAYMENT_OPERATION } from '../contract/platform.ts';
import { header } from '../exchange/body.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import { keyIn } from '../exchange/idempotency-key.ts';
import { isSafe } from '../exchange/methods.ts';
import { retryAfterMs } from './rate-headers.ts';

/** A Retry-After beyond this is not waited for, whoever asks: the answer stands. ms. */
export const LONGEST_WAIT_MS = 120_000;

export interface RetryQuestion {
  readonly exchange: Exchange;
  /** 1 for the first attempt that counts. */
  readonly attempt: number;
  readonly nowMs: number;
  /** The longest Retry-After that is waited for, in ms. */
  readonly patienceMs: number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** The wait before the next attempt, in ms; null when the answer stands. */
export function nextDelay(question: RetryQuestion): number | null {
  const { exchange, attempt } = question;
  const { plan, response } = exchange;
  if (plan.retry === 'once') return null;
  const status = response?.status ?? null;
  if (status === 429 || (status === 503 && !isUnkeyedPayment(plan))) return throttledDelay(question);
  if (status === 503) return null;
  if (plan.retry === 'never' || attempt >= RETRY.maxRetries) return null;
  const failed = status === null ? isLostConnection(exchange) : status >= 500;
  return failed && mayRepeat(plan) ? RETRY.serverErrorBaseMs * 2 ** (attempt - 1) : null;
}

/** The wait that a 429 or a 503 asks for, or a longer one each time; null where it is not waited for. */
function throttledDelay({ exchange, attempt, nowMs, patienceMs, random }: RetryQuestion): number | null {
  if (attempt > RETRY.maxRetries) return null;
  const { headers = [] } = exchange.response ?? {};
  const stated = retryAfterMs(header(headers, 'retry-after'), header(headers, 'date'), nowMs);
  if (stated !== null) return stated <= patienceMs ? stated : null;
  const backoffMs = Math.min(RETRY.throttledBaseMs * 2 ** (attempt - 1), RETRY.throttledCapMs);
  return backoffMs + Math.floor(random() * (RETRY.jitterMs + 1));
}

/**
 * Tells whether the failure can be an idle connection that the peer closed: no answer began, on a socket that had
 * served before.
 */
export function isStaleConnection({ plan, failure }: Exchange): boolean {
  if (failure?.kind !== 'reset' || !failure.reusedSocket || failure.status !== undefined) return false;
  if (plan.retry === 'once' || isUnkeyedPayment(plan)) return false;
  return isSafe(plan.method) || plan.body.kind === 'none';
}

/** Tells whether the answer was lost while this process did not run, and may be asked for again. */
export function isLostToHalt({ plan, failure, halted }: Exchange): boolean {
  return halted === true && failure !== null && plan.retry !== 'once' && mayRepeat(plan);
}

/** Sending it twice has the effect of sending it once: it reads, or carries a key. */
export function mayRepeat(plan: RequestPlan): boolean {
  return isSafe(plan.method) || hasKey(plan);
}

function hasKey(plan: RequestPlan): boolean {
  const key = keyIn(plan.headers);
  return key !== null && key.trim() !== '';
}

/** A payment is never sent again without its key. Source: CLIENT-06. */
function isUnkeyedPayment(plan: RequestPlan): boolean {
  const isPayment = plan.operation === PAYMENT_OPERATION || `${plan.method} ${plan.path}` === PAYMENT_OPERATION;
  return isPayment && !hasKey(plan);
}

function isLostConnection({ failure }: Exchange): boolean {
  return failure?.kind === 'reset' || failure?.kind === 'refused' || failure?.kind === 'unreachable';
}
