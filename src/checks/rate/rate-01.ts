// RATE-01: calls that a limit holds for carry the headers that the contract names. Exempt are the operations that it lists and
// 401s. An error is judged where the request was an ordinary one that reached its operation: 400, 404, 409 and 422. A 403,
// a refusal of another throttle, a 5xx and refusals of unreadable requests may come from before or beside the gateway.
//
// RATE-01 (must): Normal API calls (authenticated calls of described operations) carry the headers that tell their
//   limit. Tolerance: Health checks and 401s exempt. Reset may be epoch seconds, epoch milliseconds, delta seconds or
//   a date: which one is observed; numeric applies to Limit and Remaining.
import { type Breach, breached, type Judgement, type Weight } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import type { HeaderList } from '../../exchange/exchange.ts';
import {
  type IetfFields,
  ietfFieldsOf,
  LIMIT_FIELD,
  POLICY_FIELD,
  SEPARATE_FIELDS,
} from '../../limiters/ietf-fields.ts';
import { isExempt, isRefusal, keyOf, limitedBy, refusedStatus } from '../../limiters/reading.ts';
import { resetOf } from '../../limiters/reset-forms.ts';
import { headerText, isUsage, limitIn, numeric, type OwnHeaders, ownHeaders, usageIn } from '../../limiters/stated.ts';
import { rate, rateBreach } from '../../wording/rate.ts';
import type { ExchangeCheck, Subject } from '../check.ts';

const EXPECTED = 'Limit and Remaining as numbers, Reset as a number or a date';
const SHOWN_CHARACTERS = 80;
/** Refusals that come of the operation. What others have may come from before it. */
const JUDGED_ERRORS: readonly number[] = [400, 404, 409, 422];

/** One header, and whether its text can be read. */
interface Named {
  readonly role: string;
  readonly name: string;
  readonly text: string | null;
  readonly isReadable: boolean;
  readonly lack: string;
}

export const rate01: ExchangeCheck = {
  clause: 'RATE-01',
  title: 'A call that a limit holds for carries the headers that tell it',
  applies: isNormalCall,
  judge({ exchange, terms: { rateLimits } }) {
    const { headers = [], status = 0 } = exchange.response ?? {};
    const own = ownHeaders(rateLimits);
    // A server before the platform may throttle, too, and knows of no key's limit.
    const weight = status === refusedStatus(rateLimits) ? 'advisory' : 'breach';
    const sets = [
      ...(own === null ? [] : [{ named: namedBy(own, headers), expected: EXPECTED }]),
      ...(rateLimits?.isIetf === true ? [ietfNamed(headers)] : []),
    ];
    const breaches = sets.flatMap(({ named, expected }) => breachesOf(named, { status, weight, expected }));
    return breached(
      breaches,
      sets.reduce((sum, { named }) => sum + named.length, 0),
    ) satisfies Judgement;
  },
};

function breachesOf(
  named: readonly Named[],
  { status, weight, expected }: { readonly status: number; readonly weight: Weight; readonly expected: string },
): readonly Breach[] {
  if (named.every(({ text }) => text === null)) {
    const told = `the rate-limit headers are absent: the ${status} carries none`;
    return [rate('rate-01.absent', { told, actual: 'absent', expected, weight })];
  }
  return named.flatMap(({ role, name, text, isReadable, lack }) => {
    if (text !== null && isReadable) return [];
    const cause = `${name} is ${text === null ? 'absent' : lack}`;
    const actual = (text ?? 'absent').slice(0, SHOWN_CHARACTERS);
    const told = `${cause}: ${text === null ? `the ${status} carries the others only` : actual}`;
    const kind = text === null ? 'rate-01.absent' : 'rate-01.unreadable';
    return rateBreach(kind, cause, { told, actual, expected }, role);
  });
}

function namedBy(own: OwnHeaders, headers: HeaderList): readonly Named[] {
  const { limit, remaining, reset, resetForm } = own;
  const named = (role: string, name: string, read: (text: string) => unknown, lack: string): Named => {
    const text = headerText(headers, name);
    return { role, name, text, isReadable: text !== null && read(text) !== null, lack };
  };
  if (isUsage(own)) return [named('used', limit, usageIn, 'not told as used/limit')];
  const resetLack = resetForm === null ? 'neither a number nor a date' : `not told as ${resetForm.replace('-', ' ')}`;
  return [
    named('limit', limit, (text) => limitIn(text).number, 'not numeric'),
    named('remaining', remaining, numeric, 'not numeric'),
    ...(reset === null ? [] : [named('reset', reset, (text) => resetOf(text, resetForm), resetLack)]),
  ];
}

/** Tells whether what they say can be read is RATE-12's. */
function ietfNamed(headers: HeaderList): { readonly named: readonly Named[]; readonly expected: string } {
  const names = namesOf(ietfFieldsOf(headers));
  const named = names.map((name): Named => {
    return { role: name.toLowerCase(), name, text: header(headers, name), isReadable: true, lack: '' };
  });
  return { named, expected: names.join(' and ') };
}

/** The fields that the draft has which the answer follows. */
function namesOf({ draft }: IetfFields): readonly string[] {
  if (draft === 'separate fields') return Object.values(SEPARATE_FIELDS);
  return draft === 'draft 7' ? [LIMIT_FIELD] : [LIMIT_FIELD, POLICY_FIELD];
}

function isNormalCall(subject: Subject): boolean {
  const { exchange, operation, terms } = subject;
  const { plan, response } = exchange;
  if (
    response === null ||
    operation === null ||
    keyOf(plan, limitedBy(subject.terms, subject.description?.operations)) === null
  )
    return false;
  if (isExempt(plan, terms.rateLimits) || isExempt({ ...plan, operation: operation.key }, terms.rateLimits))
    return false;
  if (response.status >= 200 && response.status < 400) return true;
  const isJudged = JUDGED_ERRORS.includes(response.status) || isRefusal(response, terms.rateLimits);
  return isJudged && plan.operation !== null && plan.intent !== 'hostile';
}
