// How a contract's terms bind the RATE clauses, in the names of its own headers, operations and plans.
import { plural } from '../numbers.ts';
import type { Binding, Bindings, RateTerms, Terms } from '../terms.ts';

/** The contract's names for a limit, for how much of it is left, and for when it is whole again. */
interface Names {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string | null;
}

const OF_IETF: Names = { limit: 'q of RateLimit-Policy', remaining: 'r of RateLimit', reset: 't of RateLimit' };

const TOLD_BY = 'rateLimits.headers or rateLimits.plans';

export const RATE_BINDINGS: Bindings = {
  'RATE-01': onHeaders((_names, terms) => `Normal API calls carry ${listed(headersOf(terms))}${exceptFor(terms)}.`),
  'RATE-02': onHeaders(
    ({ limit, remaining }, { per }) =>
      `0 ≤ ${remaining} ≤ ${limit}; ${limit} is constant for one key${apart(per)} within a window.`,
  ),
  'RATE-03': onHeaders(
    ({ remaining, reset }, { per }) =>
      `${remaining} falls by at least one per successful call of a key${apart(per)} within a window, and comes back ${reset === null ? 'with the next window' : `after ${reset}`}.`,
  ),
  'RATE-04': onHeaders(
    ({ limit, remaining }, { refused, per }) =>
      `No key gets more successful calls${apart(per)} in a window than ${limit} allows; no ${refused.status} from the key's limiter while ${remaining} says calls are left.`,
  ),
  'RATE-05': onLimits(
    'rateLimits.refused',
    ({ refused: { status, retryAfter } }) =>
      `The Retry-After of a ${status}${retryAfter === 'required' ? ' is present, and is' : ', when present, is'} whole seconds or an HTTP date not before the response's Date less one second.`,
  ),
  'RATE-06': onLimits('rateLimits.refused', () => 'After waiting as Retry-After says, the call is accepted.'),
  'RATE-07': {
    isBound: isTold,
    by: TOLD_BY,
    text: () => "Limits are per key: exhausting one key leaves another's untouched.",
  },
  'RATE-08': {
    isBound: ({ rateLimits }) => (rateLimits?.rising.length ?? 0) > 1,
    by: 'rateLimits.rising',
    text: ({ rateLimits }) => `Ceilings do not fall from ${(rateLimits?.rising ?? []).join(' to ')}.`,
  },
  'RATE-09': {
    isBound: ({ rateLimits }) => (rateLimits?.throttles.length ?? 0) > 0,
    by: 'rateLimits.throttles',
    text: ({ rateLimits }) =>
      `${(rateLimits?.throttles ?? []).map(({ operation, calls, seconds }) => `\`${operation}\` called again and again by one user answers ${rateLimits?.refused.status} within ${plural(calls, 'call')} in ${seconds} s`).join('; ')}; another user is not throttled by it.`,
  },
  'RATE-10': {
    isBound: isTold,
    by: TOLD_BY,
    text: ({ rateLimits }) => {
      const names = namesOf(rateLimits);
      const stated = names === null ? 'the contract states' : `${names.limit} states`;
      return `The measured ceiling per plan equals what ${stated}${plansOf(rateLimits)}.`;
    },
  },
  'RATE-11': onHeaders(
    () => 'Window length, algorithm (fixed, sliding, bucket), burst, cost per endpoint, for each plan.',
  ),
  'RATE-12': {
    isBound: ({ rateLimits }) => rateLimits?.isIetf === true,
    by: 'rateLimits.headers',
    text: ({ rateLimits }) =>
      `RateLimit and RateLimit-Policy parse as structured fields (RFC 9651), name a policy that is stated, and agree with each other, with ${rateLimits?.headers?.limit ?? 'X-RateLimit-*'} where both are sent, and with what is admitted.`,
    isOfTermsAlone: true,
  },
};

/** Tells whether answers tell limits, or the contract does. */
function isTold({ rateLimits }: Terms): boolean {
  return namesOf(rateLimits) !== null || Object.keys(rateLimits?.plans ?? {}).length > 0;
}

function onHeaders(text: (names: Names, terms: RateTerms) => string): Binding {
  return {
    isBound: ({ rateLimits }: Terms) => namesOf(rateLimits) !== null,
    by: 'rateLimits.headers',
    text: ({ rateLimits }: Terms) => (rateLimits === null ? '' : text(namesOf(rateLimits) ?? OF_IETF, rateLimits)),
  };
}

function onLimits(by: string, text: (terms: RateTerms) => string): Binding {
  return {
    isBound: ({ rateLimits }: Terms) => rateLimits !== null,
    by,
    text: ({ rateLimits }: Terms) => (rateLimits === null ? '' : text(rateLimits)),
  };
}

/** Null where the contract states no headers. */
function namesOf(terms: RateTerms | null): Names | null {
  const own = terms?.headers ?? (terms?.isIetf === true ? OF_IETF : null);
  if (own === null || own.limit !== own.remaining) return own;
  return { ...own, limit: `the limit in ${own.limit}`, remaining: `what ${own.limit} leaves` };
}

function headersOf({ headers, isIetf }: RateTerms): readonly string[] {
  const all =
    headers === null ? [] : [headers.limit, headers.remaining, ...(headers.reset === null ? [] : [headers.reset])];
  const own = [...new Set(all)];
  return isIetf ? [...own, 'RateLimit', 'RateLimit-Policy'] : own;
}

function apart(per: RateTerms['per']): string {
  return per === 'operation' ? ' on one operation' : '';
}

function exceptFor({ exempt }: RateTerms): string {
  return exempt.length === 0 ? '' : `, ${listed(exempt.map((glob) => `\`${glob}\``))} aside`;
}

function plansOf(terms: RateTerms | null): string {
  const plans = Object.entries(terms?.plans ?? {}).map(([plan, { limit, windowSeconds }]) =>
    [plan, limit, windowSeconds === undefined ? undefined : `in ${windowSeconds} s`]
      .filter((part) => part !== undefined)
      .join(' '),
  );
  return plans.length === 0 ? '' : `: ${plans.join(', ')}`;
}

/** "a, b and c". */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
