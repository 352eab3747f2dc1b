// Defects that the headers of one answer show about a limit, in those that the contract names: its own three, or the fields of the IETF.
import type { RateTerms } from '../contract/terms.ts';
import { header } from '../exchange/body.ts';
import type { HeaderList } from '../exchange/exchange.ts';
import { LIMIT_FIELD, POLICY_FIELD, SEPARATE_FIELDS } from '../limiters/ietf-fields.ts';
import { ownHeaders, statedIn } from '../limiters/stated.ts';
import { type Difference, type Named, named } from './defect.ts';

export interface LimitDefect extends Named {
  /** The answers that can have it. counted: to calls that a limit holds for. read: those of them that tell both numbers. */
  readonly having: 'counted' | 'read' | 'ietf' | 'refused';
  /** null where these headers cannot show it. */
  change(headers: HeaderList, terms: RateTerms | null): Difference | null;
}

type What = 'limit' | 'remaining';

/** The number that the headers state; null where they state none. */
export function statedNumber(headers: HeaderList, what: What, terms: RateTerms | null): number | null {
  return statedIn(headers, terms)[0]?.[what] ?? null;
}

/** Another number in its place. */
export function stating(headers: HeaderList, what: What, number: number, terms: RateTerms | null): Difference {
  const own = ownHeaders(terms)?.[what];
  const text = String(Math.round(number));
  if (own !== undefined && header(headers, own) !== null) return { headers: { [own]: text } };
  const fields = fieldsOf(what).flatMap(([name, parameter]) => {
    const value = header(headers, name);
    if (value === null) return [];
    return [[name, parameter === null ? text : value.replace(parameter, (_all, before: string) => before + text)]];
  });
  return { headers: Object.fromEntries(fields) };
}

/** Where the fields of the drafts tell it: all of a field, or one parameter of it. */
function fieldsOf(what: What): readonly (readonly [name: string, parameter: RegExp | null])[] {
  return what === 'limit'
    ? [
        [SEPARATE_FIELDS.limit, null],
        [POLICY_FIELD, /(;\s*q=)-?\d+/],
        [LIMIT_FIELD, /(\blimit=)-?\d+/],
      ]
    : [
        [SEPARATE_FIELDS.remaining, null],
        [LIMIT_FIELD, /(;\s*r=|\bremaining=)-?\d+/],
      ];
}

function withoutLimits(_headers: HeaderList, terms: RateTerms | null): Difference {
  const { limit, remaining, reset } = ownHeaders(terms) ?? {};
  const names = [limit, remaining, reset, LIMIT_FIELD, POLICY_FIELD, ...Object.values(SEPARATE_FIELDS)];
  return { headers: Object.fromEntries(names.flatMap((name) => (name == null ? [] : [[name, null]]))) };
}

function aboveLimit(headers: HeaderList, terms: RateTerms | null): Difference | null {
  const limit = statedNumber(headers, 'limit', terms);
  return limit === null ? null : stating(headers, 'remaining', limit + 1, terms);
}

function defect(
  clause: string,
  name: string,
  having: LimitDefect['having'],
  says: string,
  change: LimitDefect['change'],
): LimitDefect {
  return { ...named(clause, name, says), having, change };
}

const ROLES = { limit: 'limit', remaining: 'rest', reset: 'reset' } as const;
const PAST = { date: 'Thu, 01 Jan 2026 12:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' };

export const LIMIT_DEFECTS: readonly LimitDefect[] = [
  defect('RATE-01', 'absent', 'counted', 'The operation sends no rate-limit headers.', withoutLimits),
  ...(['limit', 'remaining', 'reset'] as const).map((role) => {
    const says = `The operation sends a word as the ${ROLES[role]} of its limit.`;
    return defect('RATE-01', `unreadable-${role}`, 'counted', says, (_headers, terms) => {
      const name = ownHeaders(terms)?.[role] ?? null;
      return name === null ? null : { headers: { [name]: 'soon' } };
    });
  }),
  defect('RATE-02', 'negative', 'read', 'Remaining is negative.', (headers, terms) =>
    stating(headers, 'remaining', -1, terms),
  ),
  defect('RATE-02', 'above', 'read', 'Remaining is above Limit.', aboveLimit),
  defect('RATE-12', 'unreadable', 'ietf', 'RateLimit is no structured field.', () => ({
    headers: { [LIMIT_FIELD]: 'soon;;' },
  })),
  defect('RATE-12', 'above-quota', 'ietf', 'RateLimit leaves more calls than its policy has.', aboveLimit),
  defect('RATE-05', 'word', 'refused', 'A refusal says Retry-After: soon.', () => ({
    headers: { 'retry-after': 'soon' },
  })),
  defect('RATE-05', 'past', 'refused', 'The Retry-After of a refusal is a date in the past.', () => ({
    headers: PAST,
  })),
];
