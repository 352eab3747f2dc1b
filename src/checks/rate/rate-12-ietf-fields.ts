// RATE-12: what the RateLimit fields of one answer say, held against each other and against single headers beside them. What is admitted is
// held against them by RATE-04 and RATE-10, which read the same values. Fields that are absent are RATE-01's.
//
// RATE-12 (must): `RateLimit` and `RateLimit-Policy` parse as structured fields (RFC 9651), name a policy that is stated, and agree with
//   each other, with `X-RateLimit-*` where both are sent, and with what is admitted. Tolerance: Bound by a contract file. The newest draft
//   and draft 7 (`limit=, remaining=, reset=`) are told apart, and which one is used is observed.

import { type Breach, breached, noting } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { RateTerms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import type { HeaderList } from '../../exchange/exchange.ts';
import {
  type IetfFields,
  ietfFieldsOf,
  LIMIT_FIELD,
  POLICY_FIELD,
  type Policy,
  policyOf,
  type ServiceLimit,
} from '../../limiters/ietf-fields.ts';
import { isExempt, keyOf, limitedBy } from '../../limiters/reading.ts';
import { SAME_RESET_MS } from '../../limiters/reset-clock.ts';
import { epochOfHttpDate } from '../../limiters/reset-forms.ts';
import { type Stated, statedIn } from '../../limiters/stated.ts';
import { rate, rateBreach } from '../../wording/rate.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { seenOnce } from '../observation.ts';

/** Seconds are rounded, and a window may begin while its answer is under way. s. */
const SLACK_SECONDS = 1;
const SHOWN_CHARACTERS = 120;

export const rate12: ExchangeCheck = {
  clause: 'RATE-12',
  title: 'RateLimit and RateLimit-Policy are structured fields that agree',
  applies(subject) {
    const { exchange, terms } = subject;
    const { plan, response } = exchange;
    if (terms.rateLimits?.isIetf !== true || response === null) return false;
    if (
      keyOf(plan, limitedBy(subject.terms, subject.description?.operations)) === null ||
      isExempt(plan, terms.rateLimits)
    )
      return false;
    return isAnyStated(ietfFieldsOf(response.headers));
  },
  judge({ exchange, terms }: Subject) {
    const { headers = [] } = exchange.response ?? {};
    const fields = ietfFieldsOf(headers);
    const breaches = [
      ...fields.flaws.map(({ field, text, lack }) => unreadable(field, text, lack)),
      ...fields.limits.flatMap((limit) => breachesIn(limit, fields)),
      ...disagreements(headers, terms.rateLimits),
    ];
    const form = seenOnce('form of RateLimit', fields.draft ?? 'not readable', 'the fields of an answer');
    return noting(breached(breaches, 1 + fields.limits.length), [form]);
  },
};

function isAnyStated({ limits, policies, flaws }: IetfFields): boolean {
  return limits.length + policies.length + flaws.length > 0;
}

function unreadable(field: string, text: string, lack: string): Breach {
  const actual = text.slice(0, SHOWN_CHARACTERS);
  const values = { told: `${field}: ${lack}: ${actual}`, actual, expected: 'a structured field as the draft has it' };
  return rateBreach('rate-12.unreadable', `${field}: ${lack}`, values, field.toLowerCase());
}

/** One entry of RateLimit against its policy. */
function breachesIn(limit: ServiceLimit, { policies, flaws }: IetfFields): readonly Breach[] {
  // A field that cannot be read, or is not there, states no policy that could be missed.
  const isPolicyTold = policies.length > 0 && !flaws.some(({ field }) => field === POLICY_FIELD);
  const policy = policyOf(limit, policies);
  if (policy === null) return isPolicyTold ? [unstated(limit, policies)] : agreementOf(limit, limit.limit, null);
  return agreementOf(limit, limit.limit ?? policy.quota, policy.windowSeconds);
}

function agreementOf(
  { name, remaining, resetSeconds }: ServiceLimit,
  quota: number | null,
  windowSeconds: number | null,
): readonly Breach[] {
  const of = name === null ? '' : ` of policy "${name}"`;
  const breaches: Breach[] = [];
  if (remaining !== null && quota !== null && remaining > quota) {
    const told = `${LIMIT_FIELD} says that ${plural(remaining, 'call is', 'calls are')} left${of}`;
    breaches.push(rate('rate-12.above-quota', { told, actual: String(remaining), expected: `at most ${quota}` }));
  }
  if (resetSeconds !== null && windowSeconds !== null && resetSeconds > windowSeconds + SLACK_SECONDS) {
    const told = `${LIMIT_FIELD} says that the window${of} ends in ${resetSeconds} s`;
    const expected = `at most its length, ${windowSeconds} s`;
    breaches.push(rate('rate-12.beyond-window', { told, actual: `${resetSeconds} s`, expected }));
  }
  return breaches;
}

function unstated({ name, limit, partition }: ServiceLimit, policies: readonly Policy[]): Breach {
  const called = (own: string | null, quota: number | null, pk: string | null): string =>
    own === null ? String(quota) : `"${own}"${pk === null ? '' : ` (pk ${pk})`}`;
  const actual = called(name, limit, partition);
  const expected = `one of ${policies.map((one) => called(one.name, one.quota, one.partition)).join(', ')}, as ${POLICY_FIELD} states`;
  return rate('rate-12.unstated-policy', { told: `${LIMIT_FIELD} speaks of policy ${actual}`, actual, expected });
}

/** The single headers beside the fields, where they say something else than each of the fields' limits. */
function disagreements(headers: HeaderList, terms: RateTerms | null): readonly Breach[] {
  if (terms === null) return [];
  const [own] = statedIn(headers, terms.headers === null ? null : { ...terms, isIetf: false });
  const fields = statedIn(headers, { ...terms, headers: null, isIetf: true });
  const [first] = fields;
  if (own === undefined || first === undefined || own.names === first.names) return [];
  const dateMs = epochOfHttpDate(header(headers, 'date') ?? '');
  const [nearest = []] = fields
    .map((one) => differencesOf(own, one, dateMs))
    .toSorted((left, right) => left.length - right.length);
  return nearest;
}

function differencesOf(own: Stated, field: Stated, dateMs: number | null): readonly Breach[] {
  const differ = (part: 'limit' | 'remaining' | 'reset', actual: string, expected: string): Breach => {
    const cause = `${own.names[part]} and ${field.names[part]} disagree`;
    return rateBreach(
      'rate-12.differs',
      cause,
      { actual, expected: `${expected}, as ${field.names[part]} says` },
      part,
    );
  };
  const numbers = (['limit', 'remaining'] as const).flatMap((part) => {
    const [one, other] = [own[part], field[part]];
    return one === null || other === null || one === other ? [] : [differ(part, String(one), String(other))];
  });
  const [one, other] = [delayOf(own, dateMs), delayOf(field, dateMs)];
  if (one === null || other === null || Math.abs(one - other) <= SAME_RESET_MS) return numbers;
  return [...numbers, differ('reset', `${one / 1000} s`, `${other / 1000} s`)];
}

/** From the answer to the reset, ms; null where that is not told. */
function delayOf({ reset }: Stated, dateMs: number | null): number | null {
  if (reset === null) return null;
  if (reset.form === 'delta-seconds') return reset.ms;
  return dateMs === null ? null : reset.ms - dateMs;
}
