// An answer that states another limit, in the headers that the contract names: its own three, or the fields of the IETF.
import type { RateTerms } from '../contract/terms.ts';
import { header } from '../exchange/body.ts';
import type { RecordedResponse } from '../exchange/exchange.ts';
import { LIMIT_FIELD, POLICY_FIELD, SEPARATE_FIELDS } from '../limiters/ietf-fields.ts';
import { ownHeaders, statedIn } from '../limiters/stated.ts';
import { withHeader } from './plant.ts';

type What = 'limit' | 'remaining';

/** The number that the answer states; null where it states none. */
export function statedNumber({ headers }: RecordedResponse, what: What, terms: RateTerms | null): number | null {
  return statedIn(headers, terms)[0]?.[what] ?? null;
}

/** The answer with another number there. */
export function stating(
  response: RecordedResponse,
  what: What,
  number: number,
  terms: RateTerms | null,
): RecordedResponse {
  const own = ownHeaders(terms)?.[what];
  const text = String(Math.round(number));
  if (own !== undefined && header(response.headers, own) !== null) return withHeader(response, own, text);
  return fieldsOf(what).reduce((changed, [name, parameter]) => {
    const value = header(response.headers, name);
    if (value === null) return changed;
    return withHeader(
      changed,
      name,
      parameter === null ? text : value.replace(parameter, (_whole, before: string) => before + text),
    );
  }, response);
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

/** The answer without a word of its limits. */
export function withoutLimits(response: RecordedResponse, terms: RateTerms | null): RecordedResponse {
  const { limit, remaining, reset } = ownHeaders(terms) ?? {};
  return [limit, remaining, reset, LIMIT_FIELD, POLICY_FIELD, ...Object.values(SEPARATE_FIELDS)].reduce(
    (changed, name) => (name == null ? changed : withHeader(changed, name, null)),
    response,
  );
}
