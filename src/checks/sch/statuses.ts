// SCH-05 to SCH-08: which statuses an answer may have.
import { type Breach, breached, holds, type Judgement } from '../../contract/judgement.ts';
import { COMMON_ERROR_STATUSES, RETRY, UNUSED_STATUSES } from '../../contract/platform.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isRedirect, isSuccess, wholeResponse } from '../answered.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { declaredAnswer } from './declared.ts';

const CONDITIONAL_HEADERS = ['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range'];

export const sch05: ExchangeCheck = {
  clause: 'SCH-05',
  title: 'A success or redirect status is declared',
  applies(subject) {
    const status = statusBesideDeclared(subject);
    if (status === 304 && isConditional(subject.exchange)) return false;
    return isSuccess(status) || isRedirect(status);
  },
  judge: judgeDeclared,
};

export const sch06: ExchangeCheck = {
  clause: 'SCH-06',
  title: 'No 5xx other than 503',
  applies: ({ exchange }) => wholeResponse(exchange) !== null,
  judge({ exchange }) {
    const status = exchange.response?.status ?? 0;
    if (status < 500 || status > 599 || status === 503) return holds();
    return breached([statusBreach(`a request is answered ${status}`, status, 'no 5xx other than 503')]);
  },
};

/** SCH-06 on the attempts of one send: a 503 that all the retries did not clear. Null when that did not happen. */
export function persistent503(attempts: readonly Exchange[]): Judgement | null {
  const last = attempts.at(-1);
  if (last?.response?.status !== 503 || attempts.length <= RETRY.maxRetries) return null;
  const actual = `503 after ${attempts.length - 1} retries`;
  const expected = 'a 503 that a retry clears';
  const message = `the request is answered ${actual}, expected ${expected}`;
  return breached([{ weight: 'breach', cause: 'a 503 stays after the retries', message, expected, actual }]);
}

export const sch07: ExchangeCheck = {
  clause: 'SCH-07',
  title: '402, 423 and 430 are not used',
  applies: ({ exchange }) => wholeResponse(exchange) !== null,
  judge({ exchange }) {
    const status = exchange.response?.status ?? 0;
    if (!isUnused(status)) return holds();
    return breached([
      statusBreach('a status is used that the platform does not use', status, 'any status but 402, 423 and 430'),
    ]);
  },
};

export const sch08: ExchangeCheck = {
  clause: 'SCH-08',
  title: 'An uncommon error status is declared',
  applies(subject) {
    const status = statusBesideDeclared(subject);
    return status >= 400 && status <= 499 && !isCommon(status) && !isUnused(status);
  },
  judge: judgeDeclared,
};

/** The answer's status where the operation declares any; 0 otherwise: a lack of responses is SPEC-01's. */
function statusBesideDeclared(subject: Subject): number {
  const answer = declaredAnswer(subject);
  return answer === null || answer.operation.responses.length === 0 ? 0 : answer.response.status;
}

function judgeDeclared(subject: Subject): Judgement {
  const answer = declaredAnswer(subject);
  if (answer === null || answer.declared !== null) return holds();
  const declared = answer.operation.responses.map(({ status }) => status);
  const expected = `a declared status: ${declared.join(', ')}`;
  const { status } = answer.response;
  return breached([statusBreach(`the status ${status} is not declared`, status, expected)]);
}

/** The status belongs to the kind of breach: each is a group of its own. */
function statusBreach(cause: string, status: number, expected: string): Breach {
  return {
    weight: 'breach',
    cause,
    message: `the status is ${status}, expected ${expected}`,
    expected,
    actual: String(status),
  };
}

function isConditional({ request }: Exchange): boolean {
  return CONDITIONAL_HEADERS.some((name) => header(request.headers, name) !== null);
}

function isCommon(status: number): boolean {
  return COMMON_ERROR_STATUSES.some((common) => common === status);
}

function isUnused(status: number): boolean {
  return UNUSED_STATUSES.some((unused) => unused === status);
}
