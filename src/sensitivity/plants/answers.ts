// Plants of SCH-02 to SCH-08, VER-02, RED-01, PAG and RATE: status, headers and envelopes of pages that one answer shows.

import type { Subject } from '../../checks/check.ts';
import { toldError } from '../../checks/err/error-object.ts';
import { readsCountedList, readsPagedList } from '../../checks/pag/paged-envelope.ts';
import { limitedIn } from '../../checks/rate/limited.ts';
import { rate01 } from '../../checks/rate/rate-01.ts';
import { declaredAnswer } from '../../checks/sch/declared.ts';
import {
  ACTIVITY_LOG_OPERATION,
  ACTIVITY_LOG_PAGES,
  COMMON_ERROR_STATUSES,
  HEALTH_PATH,
  RATE_HEADERS,
} from '../../contract/platform.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { RecordedResponse } from '../../exchange/exchange.ts';
import { isHead } from '../../facts/answered.ts';
import { type RateReading, readingOf } from '../../limiters/reading.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { type AnswerPlant, withBody, withHeader } from '../plant.ts';
import { declaresJsonSuccess, isJsonSuccess, isWholeSuccess } from './schemas.ts';

type Entry = Omit<AnswerPlant, 'change' | 'concerns' | 'at'> &
  Partial<Pick<AnswerPlant, 'concerns' | 'at'>> & {
    /** The changed answer; null where this one cannot show the defect. */
    change(subject: Subject, response: RecordedResponse): RecordedResponse | null;
  };

function plant({ change, ...entry }: Entry): AnswerPlant {
  return {
    at: 'operation',
    concerns: () => true,
    ...entry,
    change(subject) {
      const { response } = subject.exchange;
      const changed = response === null ? null : change(subject, response);
      return changed === null ? null : { response: changed };
    },
  };
}

/** Tells whether something of a request can be refused. */
function isRefusable({ security, parameters, requestBody }: Operation): boolean {
  return security.length > 0 || parameters.length > 0 || requestBody !== null;
}

const NO_ANSWER = 'the operation gave no answer';
const NO_SUCCESS = 'the operation never succeeded';

const statusPlants: readonly AnswerPlant[] = [
  plant({
    ...{ id: 'sch-02-html', clause: 'SCH-02', text: 'A success in JSON calls itself text/html.', lacks: NO_SUCCESS },
    concerns: declaresJsonSuccess,
    change: (subject, response) =>
      isJsonSuccess(subject) ? withHeader(response, 'content-type', 'text/html; charset=utf-8') : null,
  }),
  plant({
    ...{ id: 'sch-02-no-type', clause: 'SCH-02', text: 'A success has no content type.', lacks: NO_SUCCESS },
    concerns: declaresJsonSuccess,
    change: (subject, response) => (isJsonSuccess(subject) ? withHeader(response, 'content-type', null) : null),
  }),
  plant({
    id: 'sch-02-error-as-text',
    clause: 'SCH-02',
    text: 'An error in JSON calls itself text/plain.',
    lacks: 'the operation answered no error',
    concerns: (operation, _description, contract) => contract === 'commerce' && isRefusable(operation),
    change: (subject, response) =>
      toldError(subject) === null ? null : withHeader(response, 'content-type', 'text/plain'),
  }),
  plant({
    ...{ id: 'sch-03-empty', clause: 'SCH-03', text: 'A success lacks the body that is declared.', lacks: NO_SUCCESS },
    concerns: declaresJsonSuccess,
    change: (subject, response) => (isJsonSuccess(subject) ? withBody(response, '') : null),
  }),
  plant({
    ...{ id: 'sch-03-body-of-204', clause: 'SCH-03', text: 'A 204 carries a body.', lacks: 'no answer was a 204' },
    concerns: ({ responses }) => responses.some(({ status }) => status === '204'),
    change: ({ exchange }, response) =>
      response.status === 204 && !isHead(exchange) ? withBody(response, { ok: true }) : null,
  }),
  plant({
    id: 'sch-04-absent',
    clause: 'SCH-04',
    text: 'An answer lacks a header that the description requires.',
    lacks: 'no answer had a required header',
    concerns: ({ responses }) => responses.some(({ headers }) => headers.some(({ required }) => required)),
    change(subject, response) {
      const required = declaredAnswer(subject)?.declared?.headers.find(({ required }) => required);
      return required === undefined || isHead(subject.exchange)
        ? null
        : withHeader(response, required.name.toLowerCase(), null);
    },
  }),
  plant({
    id: 'sch-05-undeclared',
    clause: 'SCH-05',
    text: 'A success has a status that the operation does not declare.',
    lacks: NO_SUCCESS,
    concerns: (operation) => undeclaredSuccess(operation) !== null,
    change(subject, response) {
      const status = subject.operation === null ? null : undeclaredSuccess(subject.operation);
      return status === null || !isWholeSuccess(subject) ? null : { ...response, status };
    },
  }),
  plant({
    ...{ id: 'sch-06-sound', clause: 'SCH-06', text: 'A sound request is answered 500.', lacks: NO_SUCCESS },
    change: (subject, response) => (isWholeSuccess(subject) ? { ...response, status: 500 } : null),
  }),
  plant({
    id: 'sch-06-refused',
    clause: 'SCH-06',
    text: 'A request that is to be refused is answered 500.',
    lacks: 'no request was refused',
    concerns: isRefusable,
    change: ({ exchange }, response) =>
      response.status >= 400 && response.status < 429 && (exchange.plan.intent ?? 'sound') !== 'sound'
        ? { ...response, status: 500 }
        : null,
  }),
  plant({
    ...{ id: 'sch-07-unused', clause: 'SCH-07', text: 'An error has the status 423.', lacks: 'no request was refused' },
    concerns: (operation, _description, contract) => contract === 'commerce' && isRefusable(operation),
    change: (_subject, response) => (isClientError(response.status) ? { ...response, status: 423 } : null),
  }),
  plant({
    id: 'sch-08-undeclared',
    clause: 'SCH-08',
    text: 'An error has a status that the operation does not declare.',
    lacks: 'no request was refused',
    concerns: (operation) => isRefusable(operation) && undeclaredError(operation) !== null,
    change({ operation }, response) {
      const status = operation === null ? null : undeclaredError(operation);
      return status === null || !isClientError(response.status) ? null : { ...response, status };
    },
  }),
  plant({
    ...{ id: 'ver-02-sunset', clause: 'VER-02', text: 'The operation sends a Sunset header.', lacks: NO_ANSWER },
    change: (_subject, response) => withHeader(response, 'sunset', 'Sat, 31 Dec 2033 23:59:59 GMT'),
  }),
  plant({
    ...{
      id: 'ver-02-deprecation',
      clause: 'VER-02',
      text: 'The operation sends a Deprecation header.',
      lacks: NO_ANSWER,
    },
    change: (_subject, response) => withHeader(response, 'deprecation', '@1767225599'),
  }),
  plant({
    id: 'red-01-no-location',
    clause: 'RED-01',
    text: 'A redirect has no Location.',
    lacks: 'no answer was a 302',
    concerns: ({ responses }) => responses.some(({ status }) => status === '302'),
    change: (_subject, response) => (response.status === 302 ? withHeader(response, 'location', null) : null),
  }),
];

function isClientError(status: number): boolean {
  return status >= 400 && status < 429;
}

/** A success status that the operation does not declare; null where it declares all. */
function undeclaredSuccess({ responses }: Operation): number | null {
  const declared = responses.map(({ status }) => status);
  if (declared.includes('2XX') || declared.includes('default')) return null;
  return [203, 206, 208, 226].find((status) => !declared.includes(String(status))) ?? null;
}

function undeclaredError({ responses }: Operation): number | null {
  const declared = responses.map(({ status }) => status);
  const common: readonly number[] = COMMON_ERROR_STATUSES;
  if (declared.includes('4XX') || declared.includes('default')) return null;
  return [418, 424, 426].find((status) => !common.includes(status) && !declared.includes(String(status))) ?? null;
}

const isLog = ({ key }: Operation): boolean => key === ACTIVITY_LOG_OPERATION;

function bodyObject({ exchange }: Subject): JsonObject | null {
  const body = jsonBody(exchange);
  return body.ok && isObject(body.value) ? body.value : null;
}

/** A plant of the envelope of pages; `members` are those that differ. */
function pagePlant(
  entry: Omit<Entry, 'change'>,
  reads: (subject: Subject) => boolean,
  members: (body: JsonObject, subject: Subject) => JsonObject | null,
): AnswerPlant {
  return plant({
    ...entry,
    change(subject, response) {
      const body = reads(subject) ? bodyObject(subject) : null;
      const changed = body === null ? null : members(body, subject);
      return body === null || changed === null ? null : withBody(response, { ...body, ...changed });
    },
  });
}

const NO_PAGE = 'no page of the activity log was read';
const NO_ENVELOPE = 'no page of the list was read';
const pages = { concerns: isLog };

const pagePlants: readonly AnswerPlant[] = [
  pagePlant(
    { ...pages, id: 'pag-01-has-more', clause: 'PAG-01', text: 'The activity log says has_more.', lacks: NO_PAGE },
    readsCountedList,
    () => ({ has_more: false }),
  ),
  pagePlant(
    {
      ...pages,
      id: 'pag-01-text',
      clause: 'PAG-01',
      text: 'The activity log tells its total as a text.',
      lacks: NO_PAGE,
    },
    readsCountedList,
    ({ total }) => ({ total: String(total) }),
  ),
  pagePlant(
    {
      ...{ ...pages, id: 'pag-03-limit', clause: 'PAG-03', lacks: NO_PAGE },
      text: 'The activity log reports a limit above its maximum.',
    },
    readsCountedList,
    () => ({ limit: ACTIVITY_LOG_PAGES.maximum + 1 }),
  ),
  pagePlant(
    {
      ...{ ...pages, id: 'pag-04-total-pages', clause: 'PAG-04', lacks: NO_ENVELOPE },
      text: 'The list counts one page too many.',
    },
    readsPagedList,
    ({ total_pages }) => (typeof total_pages === 'number' ? { total_pages: total_pages + 2 } : null),
  ),
  pagePlant(
    {
      ...{ ...pages, id: 'pag-04-page', clause: 'PAG-04', lacks: 'no page was asked for by its number' },
      text: 'The list tells another page than was asked for.',
    },
    readsPagedList,
    ({ page }, { exchange }) =>
      typeof page === 'number' && new URLSearchParams(exchange.plan.query).get('page') === String(page)
        ? { page: page + 1 }
        : null,
  ),
  pagePlant(
    {
      ...{ ...pages, id: 'pag-05-over-full', clause: 'PAG-05', lacks: 'no page held an item' },
      text: 'A page holds more items than its limit.',
    },
    readsPagedList,
    ({ data, limit }) =>
      Array.isArray(data) && data.length > 0 && typeof limit === 'number'
        ? { data: Array.from({ length: limit + 1 }, (_, index) => data[index % data.length]) }
        : null,
  ),
  plant({
    ...{ id: 'pag-11-link', clause: 'PAG-11', text: 'The list sends a Link header.', lacks: NO_SUCCESS },
    concerns: ({ method, parameters }) => method === 'GET' && parameters.some(({ name }) => name === 'limit'),
    change: (subject, response) =>
      isWholeSuccess(subject) ? withHeader(response, 'link', '</api/v1/next>; rel="next"') : null,
  }),
];

const isCounted = ({ path, security }: Operation): boolean => path !== HEALTH_PATH && security.length > 0;
const NO_READING = 'no answer told what is left of the limit';

const ratePlants: readonly AnswerPlant[] = [
  plant({
    ...{
      id: 'rate-01-absent',
      clause: 'RATE-01',
      text: 'The operation sends no rate-limit headers.',
      lacks: NO_SUCCESS,
    },
    concerns: isCounted,
    change: (subject, response) =>
      rate01.applies(subject)
        ? Object.values(RATE_HEADERS).reduce((kept, name) => withHeader(kept, name, null), response)
        : null,
  }),
  ...Object.entries(RATE_HEADERS).map(([name, header]) =>
    plant({
      ...{ id: `rate-01-unreadable-${name}`, clause: 'RATE-01', lacks: NO_SUCCESS },
      text: `The operation sends a word as ${header}.`,
      concerns: isCounted,
      change: (subject, response) => (rate01.applies(subject) ? withHeader(response, header, 'soon') : null),
    }),
  ),
  plant({
    ...{ id: 'rate-02-negative', clause: 'RATE-02', text: 'Remaining is negative.', lacks: NO_READING },
    concerns: isCounted,
    change: (subject, response) => (isRead(subject) ? withHeader(response, RATE_HEADERS.remaining, '-1') : null),
  }),
  plant({
    ...{ id: 'rate-02-above', clause: 'RATE-02', text: 'Remaining is above Limit.', lacks: NO_READING },
    concerns: isCounted,
    change(subject, response) {
      const limit = readingIn(subject)?.limit ?? null;
      return limit === null || !isRead(subject)
        ? null
        : withHeader(response, RATE_HEADERS.remaining, String(limit + 1));
    },
  }),
  plant({
    ...{ id: 'rate-05-word', clause: 'RATE-05', text: 'A 429 says Retry-After: soon.', lacks: 'no limit was spent' },
    at: 'run',
    change: (_subject, response) => (response.status === 429 ? withHeader(response, 'retry-after', 'soon') : null),
  }),
  plant({
    id: 'rate-05-past',
    clause: 'RATE-05',
    text: 'The Retry-After of a 429 is a date in the past.',
    lacks: 'no limit was spent',
    at: 'run',
    change: (_subject, response) =>
      response.status === 429
        ? withHeader(
            withHeader(response, 'date', 'Thu, 01 Jan 2026 12:00:00 GMT'),
            'retry-after',
            'Thu, 01 Jan 2026 11:00:00 GMT',
          )
        : null,
  }),
];

function readingIn(subject: Subject): RateReading | null {
  return readingOf(subject.exchange, limitedIn(subject));
}

function isRead(subject: Subject): boolean {
  const reading = readingIn(subject);
  return reading !== null && reading.limit !== null && reading.remaining !== null;
}

export const answerPlants: readonly AnswerPlant[] = [...statusPlants, ...pagePlants, ...ratePlants];
