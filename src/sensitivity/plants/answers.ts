// Plants of SCH-02 to SCH-08, VER-02, RED-01, PAG and RATE: status, headers and envelopes of pages that one answer shows.

import type { Subject, Under } from '../../checks/check.ts';
import { toldError } from '../../checks/err/error-object.ts';
import { listRead, readsCountedList, readsPagedList } from '../../checks/pag/paged-envelope.ts';
import { limitedIn } from '../../checks/rate/limited.ts';
import { rate01 } from '../../checks/rate/rate-01.ts';
import { declaredAnswer } from '../../checks/sch/declared.ts';
import type { PagingTerms, Terms } from '../../contract/terms.ts';
import { withAt } from '../../defects/defect.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { RecordedResponse } from '../../exchange/exchange.ts';
import { isHead } from '../../facts/answered.ts';
import { isExempt, limitedBy, type RateReading, readingOf, refusedStatus } from '../../limiters/reading.ts';
import { ownHeaders } from '../../limiters/stated.ts';
import { isObject, type JsonObject, valueAt } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { statedPaging } from '../../openapi/model/stated-paging.ts';
import { type AnswerPlant, withBody, withHeader } from '../plant.ts';
import { stating, withoutLimits } from '../stated-limit.ts';
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
    concerns: (operation, _description, { contract }) => contract === 'commerce' && isRefusable(operation),
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
    ...{ id: 'sch-07-unused', clause: 'SCH-07', text: 'An error has a status that is never used.' },
    lacks: 'no request was refused',
    concerns: (operation, _description, { terms }) => terms.unusedStatuses.length > 0 && isRefusable(operation),
    change({ terms: { unusedStatuses } }, response) {
      const status = unusedStatuses[Math.floor(unusedStatuses.length / 2)];
      return status === undefined || !isClientError(response.status) ? null : { ...response, status };
    },
  }),
  plant({
    id: 'sch-08-undeclared',
    clause: 'SCH-08',
    text: 'An error has a status that the operation does not declare.',
    lacks: 'no request was refused',
    concerns: (operation, _description, { terms }) =>
      isRefusable(operation) && undeclaredError(operation, terms) !== null,
    change({ operation, terms }, response) {
      const status = operation === null ? null : undeclaredError(operation, terms);
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

function undeclaredError({ responses }: Operation, { undeclaredStatuses, unusedStatuses }: Terms): number | null {
  const declared = responses.map(({ status }) => status);
  const common = [...undeclaredStatuses, ...unusedStatuses];
  if (declared.includes('4XX') || declared.includes('default')) return null;
  return [418, 424, 410].find((status) => !common.includes(status) && !declared.includes(String(status))) ?? null;
}

function bodyObject({ exchange }: Subject): JsonObject | null {
  const body = jsonBody(exchange);
  return body.ok && isObject(body.value) ? body.value : null;
}

/** All that a page says beside its items, and how the contract says that its list pages. */
interface ReadPage {
  readonly body: JsonObject;
  readonly stated: PagingTerms;
  readonly query: URLSearchParams;
}

/** A plant of the envelope of pages; `member`: the place that differs, and its value. */
function pagePlant(
  entry: Omit<Entry, 'change' | 'concerns'>,
  reads: (subject: Subject) => boolean,
  has: (stated: PagingTerms) => boolean,
  member: (page: ReadPage) => readonly [place: string | null, value: unknown] | null,
): AnswerPlant {
  return plant({
    ...entry,
    concerns(operation, _description, { terms }) {
      const stated = statedPaging(operation, terms);
      return stated !== null && has(stated);
    },
    change(subject, response) {
      const [body, stated] = reads(subject) ? [bodyObject(subject), listRead(subject)] : [null, null];
      if (body === null || stated === null) return null;
      const query = new URLSearchParams(subject.exchange.plan.query);
      const [place, value] = member({ body, stated, query }) ?? [null];
      return place === null ? null : withBody(response, withAt(body, place, value));
    },
  });
}

/** The number at the place of a page; null where none stands there. */
function numberAt(body: JsonObject, place: string | null): number | null {
  const value = place === null ? null : valueAt(body, place);
  return typeof value === 'number' ? value : null;
}

const NO_PAGE = 'no page of the list was read';

const pagePlants: readonly AnswerPlant[] = [
  pagePlant(
    { id: 'pag-01-has-more', clause: 'PAG-01', text: 'The list has a member that no page has.', lacks: NO_PAGE },
    readsCountedList,
    ({ absent, counts }) => counts.total !== null && absent.length > 0,
    ({ stated: { absent } }) => [absent[0] ?? null, false],
  ),
  pagePlant(
    { id: 'pag-01-text', clause: 'PAG-01', text: 'The list tells its total as a text.', lacks: NO_PAGE },
    readsCountedList,
    ({ counts }) => counts.total !== null,
    ({ body, stated: { counts } }) => [counts.total, String(valueAt(body, counts.total ?? ''))],
  ),
  pagePlant(
    { id: 'pag-03-limit', clause: 'PAG-03', text: 'The list reports a size above its maximum.', lacks: NO_PAGE },
    readsCountedList,
    ({ counts, size }) => counts.size !== null && size.maximum !== null,
    ({ stated: { counts, size } }) => [counts.size, (size.maximum ?? 0) + 1],
  ),
  pagePlant(
    { id: 'pag-04-total-pages', clause: 'PAG-04', text: 'The list counts one page too many.', lacks: NO_PAGE },
    readsPagedList,
    ({ counts }) => counts.pages !== null,
    ({ body, stated: { counts } }) => {
      const pages = numberAt(body, counts.pages);
      return pages === null ? null : [counts.pages, pages + 2];
    },
  ),
  pagePlant(
    {
      ...{ id: 'pag-04-page', clause: 'PAG-04', lacks: 'no page was asked for by its number' },
      text: 'The list tells another page than was asked for.',
    },
    readsPagedList,
    ({ style, counts }) => style === 'page' && counts.page !== null,
    ({ body, stated: { counts, parameters }, query }) => {
      const page = numberAt(body, counts.page);
      const isAsked = page !== null && query.get(parameters.turn ?? '') === String(page);
      return isAsked ? [counts.page, page + 1] : null;
    },
  ),
  pagePlant(
    {
      ...{ id: 'pag-05-over-full', clause: 'PAG-05', lacks: 'no page held an item' },
      text: 'A page holds more items than its limit.',
    },
    readsPagedList,
    ({ counts, items }) => counts.total !== null && counts.size !== null && items !== null,
    ({ body, stated: { counts, items } }) => {
      const [size, own] = [numberAt(body, counts.size), items === null ? null : valueAt(body, items)];
      if (size === null || !Array.isArray(own) || own.length === 0) return null;
      return [items, Array.from({ length: size + 1 }, (_, index) => own[index % own.length])];
    },
  ),
  plant({
    ...{ id: 'pag-11-link', clause: 'PAG-11', text: 'The list sends a Link header.', lacks: NO_SUCCESS },
    concerns: (operation, _description, { terms }) => statedPaging(operation, terms) !== null,
    change: (subject, response) =>
      isWholeSuccess(subject) ? withHeader(response, 'link', '</assay/next>; rel="next"') : null,
  }),
];

/** Tells whether the calls of the operation count against a limit. */
function isCounted({ method, path, key, security }: Operation, { operations }: Description, { terms }: Under): boolean {
  if (isExempt({ method, path, operation: key }, terms.rateLimits)) return false;
  return security.length > 0 || limitedBy(terms, operations).isAnonymous;
}
const NO_READING = 'no answer told what is left of the limit';
const ROLES = { limit: 'limit', remaining: 'rest', reset: 'reset' } as const;

const ratePlants: readonly AnswerPlant[] = [
  plant({
    ...{
      id: 'rate-01-absent',
      clause: 'RATE-01',
      text: 'The operation sends no rate-limit headers.',
      lacks: NO_SUCCESS,
    },
    concerns: isCounted,
    change: (subject, response) => (rate01.applies(subject) ? withoutLimits(response, subject.terms.rateLimits) : null),
  }),
  ...(['limit', 'remaining', 'reset'] as const).map((role) =>
    plant({
      ...{ id: `rate-01-unreadable-${role}`, clause: 'RATE-01', lacks: NO_SUCCESS },
      text: `The operation sends a word as the ${ROLES[role]} of its limit.`,
      concerns: (operation, description, under) =>
        isCounted(operation, description, under) && ownHeaders(under.terms.rateLimits)?.[role] != null,
      change(subject, response) {
        const name = ownHeaders(subject.terms.rateLimits)?.[role] ?? null;
        return name !== null && rate01.applies(subject) ? withHeader(response, name, 'soon') : null;
      },
    }),
  ),
  plant({
    ...{ id: 'rate-02-negative', clause: 'RATE-02', text: 'Remaining is negative.', lacks: NO_READING },
    concerns: isCounted,
    change: (subject, response) => (isRead(subject) ? withRemaining(subject, response, -1) : null),
  }),
  plant({
    ...{ id: 'rate-02-above', clause: 'RATE-02', text: 'Remaining is above Limit.', lacks: NO_READING },
    concerns: isCounted,
    change(subject, response) {
      const limit = readingIn(subject)?.limit ?? null;
      return limit === null || !isRead(subject) ? null : withRemaining(subject, response, limit + 1);
    },
  }),
  plant({
    ...{
      id: 'rate-05-word',
      clause: 'RATE-05',
      text: 'A refusal says Retry-After: soon.',
      lacks: 'no limit was spent',
    },
    at: 'run',
    change: (subject, response) => (isRefused(subject) ? withHeader(response, 'retry-after', 'soon') : null),
  }),
  plant({
    id: 'rate-05-past',
    clause: 'RATE-05',
    text: 'The Retry-After of a refusal is a date in the past.',
    lacks: 'no limit was spent',
    at: 'run',
    change: (subject, response) =>
      isRefused(subject)
        ? withHeader(
            withHeader(response, 'date', 'Thu, 01 Jan 2026 12:00:00 GMT'),
            'retry-after',
            'Thu, 01 Jan 2026 11:00:00 GMT',
          )
        : null,
  }),
];

function withRemaining({ terms }: Subject, response: RecordedResponse, number: number): RecordedResponse {
  return stating(response, 'remaining', number, terms.rateLimits);
}

function isRefused({ exchange, terms }: Subject): boolean {
  return exchange.response?.status === refusedStatus(terms.rateLimits);
}

function readingIn(subject: Subject): RateReading | null {
  return readingOf(subject.exchange, limitedIn(subject));
}

function isRead(subject: Subject): boolean {
  const reading = readingIn(subject);
  return reading !== null && reading.limit !== null && reading.remaining !== null;
}

export const answerPlants: readonly AnswerPlant[] = [...statusPlants, ...pagePlants, ...ratePlants];
