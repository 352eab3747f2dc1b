// Reads the limit that one answer to a key states, with when the call can have been counted.
import { operationMatcher } from '../contract/operation-glob.ts';
import type { RateTerms, Terms } from '../contract/terms.ts';
import { header } from '../exchange/body.ts';
import type { Exchange, RecordedResponse, RequestPlan } from '../exchange/exchange.ts';
import type { Operation } from '../openapi/model/operation.ts';
import { epochOfHttpDate } from './reset-forms.ts';
import { countable, type Stated, statedIn, statedNames } from './stated.ts';

export interface RateReading extends Stated {
  readonly exchange: Exchange;
  readonly key: string;
  /** Operation key, or method and path where no description has it. */
  readonly operation: string;
  readonly status: number;
  /** True where a limiter refused the call, by its status. */
  readonly isRefused: boolean;
  /** The call was counted somewhere between these. Epoch ms of the local clock. */
  readonly sentAt: number;
  readonly answeredAt: number;
  /** The response's Date; null when absent or unreadable. Epoch ms of the target's clock. */
  readonly dateMs: number | null;
  /** The wait that Retry-After asks for, in ms; null when absent, unreadable or past, or a date in an answer without Date. */
  readonly retryAfterMs: number | null;
}

/** Whose limits are read, and how the contract says that they are told. */
export interface Limited {
  /** null: the contract states nothing of limits. */
  readonly terms: RateTerms | null;
  /** True where no operation takes a key: limits are then those of the address that calls. */
  readonly isAnonymous: boolean;
}

/** Whose limits are read of an API with these operations. */
export function limitedBy({ rateLimits }: Terms, operations: readonly Operation[] = NO_OPERATIONS): Limited {
  let isAnonymous = anonymous.get(operations);
  if (isAnonymous === undefined) {
    isAnonymous = operations.length > 0 && operations.every(takesNoKey);
    anonymous.set(operations, isAnonymous);
  }
  return { terms: rateLimits, isAnonymous };
}

const NO_OPERATIONS = [] as const;

const anonymous = new WeakMap<readonly Operation[], boolean>();

function takesNoKey({ security }: Operation): boolean {
  return security.every((alternative) => alternative.length === 0);
}

/** Name in place of a key where there are none. */
export const ANONYMOUS = 'anonymous';

/** The keys whose limits are looked at; where no operation takes one, what stands for the address, with the contract's only plan. */
export function limitedKeys<K extends { readonly name: string; readonly plan: string }>(
  keys: readonly K[],
  { terms, isAnonymous }: Limited,
): readonly (K | { readonly name: string; readonly plan: string })[] {
  if (!isAnonymous) return keys;
  const [plan = '', ...others] = Object.keys(terms?.plans ?? {});
  return [{ name: ANONYMOUS, plan: others.length === 0 ? plan : '' }];
}

/** The status of a refusal where no contract states another. */
const REFUSED_STATUS = 429;
/** Servers answer so for other reasons, too. Source: RFC 9110, 15.5 and 15.6. */
const WITH_OTHER_REASONS: readonly number[] = [400, 401, 402, 403, 404, 409, 422, 500, 502, 503];
/** A date so long before the answer's own is no wait at all (RATE-05). ms. */
const PAST_MS = 1000;

/** The reading of an answer to a configured key, of the first of its limits; null for other credentials, failures, 401s and exempt calls. */
export function readingOf(exchange: Exchange, limited: Limited): RateReading | null {
  return readingsOf(exchange, limited)[0] ?? null;
}

/**
 * A reading for each limit that the answer states, one where it states none. A refusal is that of the limit that has nothing left; of the
 * first where all have.
 */
export function readingsOf(exchange: Exchange, { terms, isAnonymous }: Limited): readonly RateReading[] {
  const known = read.get(exchange);
  if (known !== undefined && known.terms === terms && known.isAnonymous === isAnonymous) return known.readings;
  const readings = readAnew(exchange, { terms, isAnonymous });
  read.set(exchange, { terms, isAnonymous, readings });
  return readings;
}

/** Several judges ask for the same reading. */
const read = new WeakMap<Exchange, Limited & { readonly readings: readonly RateReading[] }>();

function readAnew(exchange: Exchange, limited: Limited): readonly RateReading[] {
  const { plan, response, sentAt, durationMs } = exchange;
  const key = keyOf(plan, limited);
  if (key === null || response === null || response.status === 401 || isExempt(plan, limited.terms)) return [];
  const { headers, status } = response;
  const dateMs = epochOfHttpDate(header(headers, 'date') ?? '');
  const isRefused = isRefusal(response, limited.terms);
  const base = {
    ...{ exchange, key, status, isRefused, sentAt, dateMs },
    operation: plan.operation ?? `${plan.method} ${plan.path}`,
    answeredAt: sentAt + Math.ceil(durationMs) + 1,
    retryAfterMs: retryAfterMs(header(headers, 'retry-after'), dateMs),
  };
  const [first = nothingStated(limited.terms), ...further] = statedIn(headers, limited.terms);
  const spent = [first, ...further].filter(({ remaining }) => remaining !== null && remaining < 1);
  const stated = isRefused ? [refusing(spent, base.retryAfterMs) ?? first] : [first, ...further];
  const apart = limited.terms?.per === 'operation' ? base.operation : null;
  // The name of the limit among those of the key; null for the only one.
  const among = ({ policy }: Stated) => [policy, apart].filter((name) => name !== null).join(' ') || null;
  return stated.map((one) => ({ ...base, ...one, policy: among(one) }));
}

/** The one of these limits that is back when Retry-After ends, else the first to be back: one that is back later may have admitted the call. */
function refusing(spent: readonly Stated[], retryAfterMs: number | null): Stated | undefined {
  const offMs = ({ reset }: Stated): number => Math.abs((reset?.ms ?? 0) - (retryAfterMs ?? 0));
  return spent.toSorted((one, other) => offMs(one) - offMs(other))[0];
}

/** Whose limit the call counts against; null: nobody knows, or nobody's. */
export function keyOf({ credential }: RequestPlan, { isAnonymous }: Limited): string | null {
  if (credential.kind === 'key') return credential.name;
  return credential.kind === 'none' && isAnonymous ? ANONYMOUS : null;
}

/** Tells whether no limit holds for the call; a call that is not described belongs to the path that is. */
export function isExempt(
  { method, path, operation }: Pick<RequestPlan, 'method' | 'path' | 'operation'>,
  terms: RateTerms | null,
): boolean {
  if (terms === null || terms.exempt.length === 0) return false;
  const isMatch = operationMatcher(terms.exempt);
  return isMatch(operation ?? `${method} ${path}`) || (operation === null && isMatch(`GET ${path}`));
}

/** The status of a call beyond the limit. */
export function refusedStatus(terms: RateTerms | null): number {
  return terms?.refused.status ?? REFUSED_STATUS;
}

/**
 * Tells whether a limiter gave the answer: by the status of its refusals. One that has other reasons, too, such as 403, asks for a wait as
 * well, or has nothing left.
 */
export function isRefusal(
  { status, headers }: Pick<RecordedResponse, 'status' | 'headers'>,
  terms: RateTerms | null,
): boolean {
  if (status !== refusedStatus(terms)) return false;
  if (!WITH_OTHER_REASONS.includes(status) || header(headers, 'retry-after') !== null) return true;
  return statedIn(headers, terms).some(({ remaining }) => remaining !== null && remaining < 1);
}

function nothingStated(terms: RateTerms | null): Stated {
  return { limit: null, remaining: null, reset: null, windowSeconds: null, policy: null, names: statedNames(terms) };
}

/** Tells whether the key's limiter let the call pass, whatever else was wrong with it. */
export function isAdmitted({ status, isRefused }: RateReading): boolean {
  return !isRefused && status < 500;
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
export function isTelling({ isRefused, remaining, limit }: RateReading): boolean {
  return !isRefused && remaining !== null && limit !== null && remaining >= 0 && remaining <= limit;
}

function retryAfterMs(text: string | null, dateMs: number | null): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text.trim())) return countable(Number(text) * 1000);
  const until = epochOfHttpDate(text);
  if (until === null || dateMs === null || until < dateMs - PAST_MS) return null;
  return Math.max(0, until - dateMs);
}
