// Reads what an answer states of its limit: how many calls a window has, how many are left, and when it ends, by the headers that the
// contract names. One reading serves judges, the pace of the client and load. Pure.
import { X_RATELIMIT } from '../contract/customs.ts';
import type { RateTerms } from '../contract/terms.ts';
import { headers as valuesOf } from '../exchange/body.ts';
import type { HeaderList } from '../exchange/exchange.ts';
import {
  type IetfFields,
  ietfFieldsOf,
  LIMIT_FIELD,
  POLICY_FIELD,
  type Policy,
  policyOf,
  SEPARATE_FIELDS,
  unnamedPolicies,
} from './ietf-fields.ts';
import { type Reset, resetOf } from './reset-forms.ts';

/** Where the three stand, as findings call it. */
export interface StatedNames {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
}

/** One limit as an answer states it. */
export interface Stated {
  /** null when absent or not numeric. */
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly reset: Reset | null;
  /** The window's length where the answer tells it, in seconds. */
  readonly windowSeconds: number | null;
  /** Which of several limits it is; null where the answer knows but one. */
  readonly policy: string | null;
  readonly names: StatedNames;
}

export type OwnHeaders = NonNullable<RateTerms['headers']>;

const NUMERIC = /^[+-]?\d+(\.\d+)?$/;
const NAMES_BY_DRAFT: Readonly<Record<NonNullable<IetfFields['draft']>, StatedNames>> = {
  newest: { limit: `q of ${POLICY_FIELD}`, remaining: `r of ${LIMIT_FIELD}`, reset: `t of ${LIMIT_FIELD}` },
  'draft 7': {
    limit: `limit of ${LIMIT_FIELD}`,
    remaining: `remaining of ${LIMIT_FIELD}`,
    reset: `reset of ${LIMIT_FIELD}`,
  },
  'separate fields': SEPARATE_FIELDS,
};
const REQUESTS = 'requests';

/** The single headers that the contract names; those that are customary where it names none at all. null: it names the IETF's alone. */
export function ownHeaders(terms: RateTerms | null): OwnHeaders | null {
  return terms?.headers ?? (terms?.isIetf === true ? null : X_RATELIMIT);
}

/** Names of the three in findings where no answer is at hand. */
export function statedNames(terms: RateTerms | null): StatedNames {
  const own = ownHeaders(terms);
  return own === null ? NAMES_BY_DRAFT.newest : namesOf(own);
}

function namesOf(own: OwnHeaders): StatedNames {
  const { limit, remaining, reset } = own;
  if (isUsage(own))
    return { limit: `the limit of ${limit}`, remaining: `the rest of ${limit}`, reset: reset ?? 'the reset' };
  return { limit, remaining, reset: reset ?? 'the reset' };
}

/** Limits that the headers state, that of the shortest window first. Empty where they state nothing. */
export function statedIn(headers: HeaderList, terms: RateTerms | null): readonly Stated[] {
  const own = ownHeaders(terms);
  const single = own === null ? [] : statedByOwn(headers, own);
  return single.length > 0 || (terms?.headers != null && !terms.isIetf) ? single : statedByIetf(ietfFieldsOf(headers));
}

/** Tells whether one header is both, as the calls that were used of all. */
export function isUsage({ limit, remaining }: OwnHeaders): boolean {
  return limit === remaining;
}

const USAGE = /^(\d{1,12})\s*\/\s*(\d{1,12})$/;

/** "32/40": of 40 calls 8 are left. null for any other text. */
export function usageIn(text: string | null): { readonly limit: number; readonly remaining: number } | null {
  const [, used, limit] = USAGE.exec(text ?? '') ?? [];
  return used === undefined ? null : { limit: Number(limit), remaining: Number(limit) - Number(used) };
}

function statedByOwn(headers: HeaderList, own: OwnHeaders): readonly Stated[] {
  const [limit, remaining, reset] = [own.limit, own.remaining, own.reset].map((name) =>
    name === null ? null : headerText(headers, name),
  ) as [string | null, string | null, string | null];
  if (limit === null && remaining === null && reset === null) return [];
  const used = isUsage(own) ? usageIn(limit) : null;
  const { number, policies } = limitIn(limit);
  return [
    {
      limit: used?.limit ?? number,
      remaining: used?.remaining ?? numeric(remaining),
      reset: reset === null ? null : resetOf(reset, own.resetForm),
      ...amongUnnamed(number, policies),
      names: namesOf(own),
    },
  ];
}

/** "100", or as gateways write it "100, 100;w=60, 5000;w=3600": the limit that is near, then the policies. */
export function limitIn(text: string | null): { readonly number: number | null; readonly policies: readonly Policy[] } {
  const number = numeric(text);
  if (number !== null || text === null || !text.includes(';')) return { number, policies: [] };
  const [first, ...policies] = unnamedPolicies(text);
  return { number: first?.windowSeconds === null ? first.quota : null, policies };
}

function statedByIetf({ draft, limits, policies }: IetfFields): readonly Stated[] {
  if (draft === null) return [];
  const names = NAMES_BY_DRAFT[draft];
  if (draft !== 'newest') {
    return limits.map(({ limit, remaining, resetSeconds }) => {
      return { limit, remaining, reset: delta(resetSeconds), ...amongUnnamed(limit, policies), names };
    });
  }
  const told = limits.flatMap((one) => {
    const policy = policyOf(one, policies);
    if ((policy?.unit ?? REQUESTS) !== REQUESTS) return [];
    const { remaining, resetSeconds } = one;
    const { quota: limit = null, windowSeconds = null } = policy ?? {};
    const series = [one.name, policy?.partition ?? one.partition].filter((part) => part !== null).join(' ');
    return [{ limit, remaining, reset: delta(resetSeconds), windowSeconds, policy: series, names }];
  });
  return told.toSorted(
    (left, right) =>
      orLast(left.windowSeconds) - orLast(right.windowSeconds) || orLast(left.limit) - orLast(right.limit),
  );
}

/** Where several policies are listed without names, the limit itself tells which of them an answer speaks of. */
function amongUnnamed(limit: number | null, policies: readonly Policy[]): Pick<Stated, 'windowSeconds' | 'policy'> {
  const own = policies.find(({ quota }) => quota === limit);
  return { windowSeconds: own?.windowSeconds ?? null, policy: policies.length > 1 ? String(limit) : null };
}

function delta(seconds: number | null): Reset | null {
  return seconds === null ? null : { form: 'delta-seconds', ms: seconds * 1000 };
}

/** No infinity: two of them have no difference. */
function orLast(value: number | null): number {
  return value ?? Number.MAX_SAFE_INTEGER;
}

/** The header as text, equal repetitions taken as one; null when absent. */
export function headerText(headers: HeaderList, name: string): string | null {
  const values = valuesOf(headers, name);
  const [only = null] = values;
  return values.length > 1 ? [...new Set(values.map((value) => value.trim()))].join(', ') : (only?.trim() ?? null);
}

/** The number that the text is, at most what is counted exactly; null for any other text and for none. */
export function numeric(text: string | null): number | null {
  return text !== null && NUMERIC.test(text) ? countable(Number(text)) : null;
}

/** Hundreds of digits are a number, too, and infinity is none that a report can hold. */
export function countable(number: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER));
}
