// SCH-05 to SCH-08: which statuses an answer may have.
//
// SCH-05 (must): A success or redirect status is declared for the operation (`2XX`, `default` count).
// SCH-06 (must): No 5xx in answer to a request, valid or not, other than 503. Tolerance: Every attempt is judged: a 5xx
//   other than 503 is a breach even if a retry succeeds. A 503 that stays after the retries is reported here.
// SCH-07 (must): Statuses that the contract rules out are not used.
// SCH-08 (should): An error status is declared for the operation, unless it needs no declaration. Tolerance: None
//   need the statuses that the contract lists, else those that HTTP itself answers with.

import { codeOf, withValues } from '../../contract/code.ts';
import { type Breach, breached, holds, type Judgement } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import { waitsOf } from '../../contract/own-retry.ts';
import type { Terms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange, Intent } from '../../exchange/exchange.ts';
import { isRedirect, isSuccess } from '../../facts/answered.ts';
import { refusedStatus } from '../../limiters/reading.ts';
import { sch } from '../../wording/sch.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { declaredAnswer } from './declared.ts';

/**
 * Statuses that servers and front ends answer for any operation: they speak of the request's address, its form, its
 * size, its rate or its transport.
 */
const HTTP_ERROR_STATUSES: readonly number[] = [404, 405, 406, 408, 411, 413, 414, 415, 417, 421, 426, 429, 431];
const CONDITIONAL_HEADERS = ['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range'];

export const sch05: ExchangeCheck = {
  clause: 'SCH-05',
  title: 'A success or redirect status is declared',
  applies(subject) {
    const status = statusBesideDeclared(subject);
    if (status === 304 && isConditional(subject.exchange)) return false;
    return isSuccess(status) || isRedirect(status);
  },
  judge: (subject) => judgeDeclared('sch-05.undeclared', subject),
};

export const sch06: ExchangeCheck = {
  clause: 'SCH-06',
  title: 'No 5xx other than 503',
  applies: ({ exchange }) => exchange.response !== null,
  judge(subject) {
    const status = subject.exchange.response?.status ?? 0;
    // A number that is no status at all is taken for a 5xx. Source: RFC 9110, 15.
    if (status < 500 || status === 503 || isForeseen(subject, status)) return holds();
    return breached([statusBreach(answered(subject, status, NO_5XX), status, NO_5XX)]);
  },
};

const NO_5XX = 'no 5xx other than 503';

const SENT: Readonly<Record<Intent, { readonly part: string; readonly inWords: string }>> = {
  sound: { part: 'sound', inWords: 'a sound request' },
  invalid: { part: 'invalid', inWords: 'a wrong request' },
  unauthenticated: { part: 'invalid', inWords: 'a wrong request' },
  hostile: { part: 'hostile', inWords: 'hostile input' },
};

/**
 * The words for a 5xx. By a description alone those to sound, to wrong and to hostile requests are kinds of their own.
 * Where a sound request is answered so, the wrong in others is no ground for it; nor is it where the same request is
 * answered otherwise, too.
 */
function answered({ contract, exchange }: Subject, status: number, expected: string): Told {
  const code = codeOf('SCH-06', `answered-${status}`);
  if (contract === 'commerce') return { ...sch('sch-06.answered', { sent: 'a request', status, expected }), code };
  const { part, inWords } = SENT[exchange.plan.intent ?? 'sound'];
  const now = sch('sch-06.now-and-then', { status, expected });
  const sometimes = { ...now, code: withValues(code, 'now-and-then') };
  const told = {
    ...sch('sch-06.answered', { sent: inWords, status, expected }),
    code: withValues(code, part),
    sometimes,
  };
  return part === 'sound' ? told : { ...told, within: withValues(code, SENT.sound.part) };
}

/**
 * Tells whether the description foresees the status: a gateway's or an unsupported function's status that it lists is
 * no defect, nor is 501 to a method of no description (RFC 9110, 9.1); a 500 always is one.
 */
function isForeseen(subject: Subject, status: number): boolean {
  if (subject.contract === 'commerce' || status === 500) return false;
  if (status === 501 && subject.operation === null) return true;
  return declaredAnswer(subject)?.operation.responses.some((one) => one.status === String(status)) ?? false;
}

/** SCH-06 on the attempts of one send: a 503 that all the retries did not clear. Null when that did not happen, or a limiter answers so. */
export function persistent503(
  attempts: readonly Exchange[],
  terms: Pick<Terms, 'clients' | 'rateLimits'>,
): Judgement | null {
  const last = attempts.at(-1);
  if (last?.response?.status !== 503 || refusedStatus(terms.rateLimits) === 503) return null;
  if (attempts.length <= waitsOf(terms).maxRetries) return null;
  const actual = `503 after ${plural(attempts.length - 1, 'retry', 'retries')}`;
  const expected = 'a 503 that a retry clears';
  const told = sch('sch-06.stays-503', { actual, expected });
  return breached([{ weight: 'breach', ...told, expected, actual }]);
}

export const sch07: ExchangeCheck = {
  clause: 'SCH-07',
  title: 'Statuses that the contract rules out are not used',
  applies: ({ exchange }) => exchange.response !== null,
  judge({ exchange, terms: { unusedStatuses } }) {
    const status = exchange.response?.status ?? 0;
    if (!unusedStatuses.includes(status)) return holds();
    const others = unusedStatuses.slice(0, -1).join(', ');
    const expected = `any status but ${others === '' ? '' : `${others} and `}${unusedStatuses.at(-1)}`;
    return breached([statusBreach(sch('sch-07.unused-status', { status, expected }), status, expected)]);
  },
};

export const sch08: ExchangeCheck = {
  clause: 'SCH-08',
  title: 'An uncommon error status is declared',
  applies(subject) {
    const status = statusBesideDeclared(subject);
    if (status === 412 && isConditional(subject.exchange)) return false;
    return status >= 400 && status <= 499 && !needsNoDeclaration(status, subject);
  },
  judge: (subject) => judgeDeclared('sch-08.undeclared', subject),
};

/** The answer's status where the operation declares any; 0 otherwise: a lack of responses is SPEC-01's. */
function statusBesideDeclared(subject: Subject): number {
  const answer = declaredAnswer(subject);
  return answer === null || answer.operation.responses.length === 0 ? 0 : answer.response.status;
}

function judgeDeclared(kind: 'sch-05.undeclared' | 'sch-08.undeclared', subject: Subject): Judgement {
  const answer = declaredAnswer(subject);
  if (answer === null || answer.declared !== null) return holds();
  const declared = answer.operation.responses.map(({ status }) => status);
  const expected = `a declared status: ${declared.join(', ')}`;
  const { status } = answer.response;
  return breached([statusBreach(sch(kind, { status, expected }, String(status)), status, expected)]);
}

type Told = Pick<Breach, 'code' | 'cause' | 'message' | 'within' | 'sometimes'>;

/** The status belongs to the kind of breach: each is a group of its own. */
function statusBreach(told: Told, status: number, expected: string): Breach {
  return { weight: 'breach', ...told, expected, actual: String(status) };
}

function isConditional({ request }: Exchange): boolean {
  return CONDITIONAL_HEADERS.some((name) => header(request.headers, name) !== null);
}

/**
 * Source: SCH-08, and SCH-07 for what it leaves out. Where a contract states none, what HTTP itself answers with needs none (RFC 9110, RFC 6585),
 * and the limiter's status; what the service decides (400, 401, 403, 409, 422) does, for clients are made of the description. To hostile input a
 * front end may answer 400.
 */
function needsNoDeclaration(status: number, { exchange, terms }: Subject): boolean {
  const { unusedStatuses, undeclaredStatuses, rateLimits } = terms;
  if (rateLimits !== null && status === refusedStatus(rateLimits)) return true;
  if (undeclaredStatuses.length > 0) return unusedStatuses.includes(status) || undeclaredStatuses.includes(status);
  return HTTP_ERROR_STATUSES.includes(status) || (status === 400 && exchange.plan.intent === 'hostile');
}
