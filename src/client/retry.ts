// When a contract lets a client send again, and after how long; the figures are those of the platform's own contract, and usual. Pure.
// Source: Retry guidance and Limits; CLIENT-01 to CLIENT-06; design decision 12.
//
//   answer                              again?                                      after
//   429, 503, the limiter's own status  at most 4 retries; not what is never to     Retry-After, else 1000 ms doubling,
//                                       happen twice without its key on 503         cap 30000, plus 0-250 ms
//   other 5xx, connection lost          contract only, at most 4 attempts, and      250 ms doubling
//                                       only where it can have had no second effect
//   none, since this process was halted where it can have had no second effect      at once, one more time
//   anything else, timeouts included    never
//   anything, of a plan sent once       never
import { operationMatcher } from '../contract/operation-glob.ts';
import { waitsOf } from '../contract/own-retry.ts';
import type { ClientTerms, Terms } from '../contract/terms.ts';
import { header } from '../exchange/body.ts';
import type { Exchange, RecordedResponse, RequestPlan } from '../exchange/exchange.ts';
import { keyIn } from '../exchange/idempotency-key.ts';
import { isSafe } from '../exchange/methods.ts';
import { isRefusal } from '../limiters/reading.ts';
import { retryAfterMs } from './rate-headers.ts';

/** A Retry-After beyond this is not waited for, whoever asks: the answer stands. ms. */
export const LONGEST_WAIT_MS = 120_000;

/** How a contract lets clients send again. */
export interface Retries {
  readonly waits: ClientTerms;
  /** Tells whether a limiter gave the answer. */
  isLimited(answer: Pick<RecordedResponse, 'status' | 'headers'>): boolean;
  /** Tells whether a limiter gave the answer, by another status than 429. */
  isOtherRefusal(response: RecordedResponse): boolean;
  /** Sending it twice has the effect of sending it once: it reads, or carries a key. */
  mayRepeat(plan: RequestPlan): boolean;
  /** Tells whether the request is never to happen twice, and carries no key that would keep it from that. Source: CLIENT-06. */
  isUnkeyedOnce(plan: RequestPlan): boolean;
}

export function retriesUnder(terms: Pick<Terms, 'clients' | 'idempotency' | 'rateLimits'>): Retries {
  const { never = [] } = terms.idempotency ?? {};
  const isNever = never.length === 0 ? () => false : operationMatcher(never);
  const keyHeader = terms.idempotency?.header ?? undefined;
  const hasKey = ({ headers }: RequestPlan): boolean => {
    const key = keyIn(headers, keyHeader) ?? keyIn(headers);
    return key !== null && key.trim() !== '';
  };
  return {
    waits: waitsOf(terms),
    isLimited: (answer) => answer.status === 429 || isRefusal(answer, terms.rateLimits),
    isOtherRefusal: (response) => response.status !== 429 && isRefusal(response, terms.rateLimits),
    mayRepeat: (plan) => isSafe(plan.method) || hasKey(plan),
    isUnkeyedOnce: (plan) =>
      !hasKey(plan) && (isNever(`${plan.method} ${plan.path}`) || (plan.operation !== null && isNever(plan.operation))),
  };
}

export interface RetryQuestion {
  readonly exchange: Exchange;
  readonly retries: Retries;
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
  const { exchange, attempt, retries } = question;
  const { plan, response } = exchange;
  if (plan.retry === 'once') return null;
  const status = response?.status ?? null;
  if (status === 503 && retries.isUnkeyedOnce(plan)) return null;
  if (status === 503 || (response !== null && retries.isLimited(response))) return throttledDelay(question);
  if (plan.retry === 'never' || attempt >= retries.waits.maxRetries) return null;
  const failed = status === null ? isLostConnection(exchange) : status >= 500;
  return failed && retries.mayRepeat(plan) ? retries.waits.base5xxMs * 2 ** (attempt - 1) : null;
}

/** The wait that such an answer asks for, or a longer one each time; null where it is not waited for. */
function throttledDelay({ exchange, retries, attempt, nowMs, patienceMs, random }: RetryQuestion): number | null {
  const { maxRetries, base429Ms, capMs, jitterMs } = retries.waits;
  if (attempt > maxRetries) return null;
  const { headers = [] } = exchange.response ?? {};
  const stated = retryAfterMs(header(headers, 'retry-after'), header(headers, 'date'), nowMs);
  if (stated !== null) return stated <= patienceMs ? stated : null;
  const backoffMs = Math.min(base429Ms * 2 ** (attempt - 1), capMs);
  return backoffMs + Math.floor(random() * (jitterMs + 1));
}

/**
 * Tells whether the failure can be an idle connection that the peer closed: no answer began, on a socket that had
 * served before.
 */
export function isStaleConnection({ plan, failure }: Exchange, retries: Retries): boolean {
  if (failure?.kind !== 'reset' || !failure.reusedSocket || failure.status !== undefined) return false;
  if (plan.retry === 'once' || retries.isUnkeyedOnce(plan)) return false;
  return isSafe(plan.method) || plan.body.kind === 'none';
}

/** Tells whether the answer was lost while this process did not run, and may be asked for again. */
export function isLostToHalt({ plan, failure, halted }: Exchange, retries: Retries): boolean {
  return halted === true && failure !== null && plan.retry !== 'once' && retries.mayRepeat(plan);
}

function isLostConnection({ failure }: Exchange): boolean {
  return failure?.kind === 'reset' || failure?.kind === 'refused' || failure?.kind === 'unreachable';
}
