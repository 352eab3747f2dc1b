import { describe, expect, it } from 'vitest';
import { errorExchange, errorObject, exchangeWith, validationError } from '../../../test/support/checks/exchanges.ts';
import { inBrief, spoken } from '../../../test/support/checks/judging.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import {
  judgeParamNamed,
  judgeRefused,
  judgeSpoiled,
  judgeUnknownId,
  judgeUnknownPath,
  type SpoiledCase,
  type UnknownIdCase,
  undescribedMethod,
} from './req-01-to-08-answers.ts';
import { judgeRegistered, judgeRegisteredAgain } from './req-07-registration.ts';

const stated = { contract: 'commerce', terms: COMMERCE_TERMS } as const;
const registration = COMMERCE_TERMS.registration!;

const said = (judgement: Judgement): string | readonly string[] => {
  const outcome = spoken(judgement);
  return typeof outcome === 'string' ? outcome : outcome.map(inBrief);
};
const answered = (status: number, code = 'some_code'): Exchange => errorExchange(errorObject({ status, code }));
const invalid = (members: Record<string, unknown> = {}): Exchange => errorExchange(validationError(members));
const ok = exchangeWith({ body: {} });
const created = exchangeWith({ status: 201, body: {} });
const notFound = errorExchange();
const MALFORMED = { clause: 'REQ-05', values: [], inWords: 'malformed JSON' } as const;

describe('REQ-01', () => {
  it.each([
    ['404 resource_not_found', notFound, 'holds'],
    ['404 without an envelope', exchangeWith({ status: 404, body: 'nothing here' }), 'holds'],
    [
      '404 route_not_found',
      answered(404, 'route_not_found'),
      ['an unknown path is answered 404 with another code (/error/code)'],
    ],
    ['200', ok, ['an unknown path is not answered 404']],
    ['405', answered(405), ['an unknown path is not answered 404']],
    ['401', answered(401), ['an unknown path is not answered 404']],
  ])('is judged for %s', (_name, exchange, expected) => {
    expect(said(judgeUnknownPath(exchange, stated))).toEqual(expected);
  });
});

describe('REQ-02', () => {
  const about: UnknownIdCase = {
    wellFormed: true,
    mayCreate: false,
    control: true,
    declares404: true,
    place: 'path',
    name: 'storeId',
  };
  const what = 'an unknown id in path parameter storeId';
  const rows: [string, Exchange, Partial<UnknownIdCase>, unknown][] = [
    ['404 resource_not_found', notFound, {}, 'holds'],
    [
      '404 store_not_found',
      answered(404, 'store_not_found'),
      {},
      [`${what} is answered 404 with another code (/error/code)`],
    ],
    ['200', ok, {}, [`${what} is not answered 404`]],
    ['400 for a well-formed id', invalid(), {}, [`${what} is not answered 404`]],
    ['400 for an id that may be malformed', invalid(), { wellFormed: false }, 'cannot tell'],
    ['422 for an id that may be malformed', answered(422), { wellFormed: false }, 'cannot tell'],
    ['200 for an id that may be malformed', ok, { wellFormed: false }, [`${what} is not answered 404`]],
    ['201 of a PUT that creates', created, { mayCreate: true }, 'holds'],
    ['201 of a PUT that does not', created, {}, [`${what} is not answered 404`]],
    ['400 where no request succeeded', invalid(), { control: false }, 'cannot tell'],
    ['403 where no request succeeded', answered(403), { control: false }, 'cannot tell'],
    ['404 where no request succeeded', notFound, { control: false }, 'cannot tell'],
    ['another 404 where no request succeeded', answered(404, 'no_route'), { control: false }, 'cannot tell'],
    ['200 where no request succeeded', ok, { control: false }, [`${what} is not answered 404`]],
    ['409', answered(409), {}, [`${what} is not answered 404`]],
  ];
  it.each(rows)('is judged for %s', (_name, exchange, changes, expected) => {
    expect(said(judgeUnknownId(exchange, { ...about, ...changes }, stated))).toEqual(expected);
  });
});

describe('REQ-03, REQ-04, REQ-08', () => {
  const about: SpoiledCase = {
    code: { clause: 'REQ-03', name: 'missing' },
    kind: 'a missing required field',
    what: 'email left out',
    field: 'email',
    accepted: 'breach',
    control: true,
  };
  const fields = (...names: string[]) => ({
    param: names[0],
    errors: names.map((field) => ({ field, code: 'required', message: 'Required' })),
  });
  const rows: [string, Exchange, Partial<SpoiledCase>, unknown][] = [
    ['400 that names the field', invalid(), {}, 'holds'],
    ['400 that names more fields', invalid(fields('password', 'email')), {}, 'holds'],
    ['400 without errors[]: ERR-09 says so', invalid({ errors: undefined }), {}, 'holds'],
    ['a member of the field, dotted', invalid(fields('email.address')), {}, 'holds'],
    ['a member of the field, bracketed', invalid(fields('email[0]')), {}, 'holds'],
    ['a member of the field, as pointer', invalid(fields('/email/address')), {}, 'holds'],
    [
      '400 that names another field',
      invalid(fields('name')),
      {},
      ['a missing required field is rejected, but errors[] does not name it (/error/errors)'],
    ],
    [
      '400 of another code',
      invalid({ code: 'missing_field' }),
      {},
      ['a missing required field is rejected with another code (/error/code)'],
    ],
    [
      '422 validation_failed',
      invalid({ status: 422 }),
      {},
      ['advisory: a missing required field is answered 422 in place of 400'],
    ],
    ...['unprocessable_entity', 'missing_field'].map((code): [string, Exchange, Partial<SpoiledCase>, unknown] => [
      `422 ${code}`,
      invalid({ status: 422, code }),
      {},
      ['advisory: a missing required field is answered 422 in place of 400'],
    ]),
    ['201', created, {}, ['a missing required field is accepted']],
    [
      '201 where coercion is allowed',
      created,
      { accepted: 'advisory' },
      ['advisory: a missing required field is accepted'],
    ],
    ['404', notFound, {}, ['a missing required field is not answered 400']],
    [
      '404 where coercion is allowed',
      notFound,
      { accepted: 'advisory' },
      ['advisory: a missing required field is not answered 400'],
    ],
    [
      '404 where coercion is allowed, never called with success',
      notFound,
      { control: false, accepted: 'advisory' },
      'cannot tell',
    ],
    ['201, never called with success', created, { control: false }, ['a missing required field is accepted']],
    [
      '201 where coercion is allowed, never called with success',
      created,
      { control: false, accepted: 'advisory' },
      'cannot tell',
    ],
    ['400 that names the field, never called with success', invalid(), { control: false }, 'holds'],
    ['400 that names another, never called with success', invalid(fields('name')), { control: false }, 'cannot tell'],
    ['404, never called with success', notFound, { control: false }, 'cannot tell'],
  ];
  it.each(rows)('are judged for %s', (_name, exchange, changes, expected) => {
    expect(said(judgeSpoiled(exchange, { ...about, ...changes }, stated))).toEqual(expected);
  });
});

describe('ERR-10, the half of the probe', () => {
  const rows: [string, Exchange, boolean, unknown][] = [
    ['the field', invalid(), true, 'holds'],
    ['the field as pointer', invalid({ param: '/email' }), true, 'holds'],
    [
      'another field',
      invalid({ param: 'name' }),
      true,
      ['error.param is not the field that was spoiled (/error/param)'],
    ],
    ['another field, never called with success', invalid({ param: 'name' }), false, 'cannot tell'],
    ['no param', invalid({ param: undefined }), true, 'cannot tell'],
    ['an answer that is no rejection', created, true, 'cannot tell'],
    ['an error of another type', answered(400), true, 'cannot tell'],
  ];
  it.each(rows)('is judged for %s', (_name, exchange, control, expected) => {
    expect(said(judgeParamNamed(exchange, { field: 'email' }, { control }, stated))).toEqual(expected);
  });
});

describe('REQ-05, REQ-06', () => {
  it.each([400, 404, 405, 415])('hold for a %i', (status) => {
    expect(said(judgeRefused(answered(status), MALFORMED, { control: true }))).toBe('holds');
    expect(said(judgeRefused(answered(status), undescribedMethod('PROPFIND'), { control: true }))).toBe('holds');
  });

  it.each([401, 403, 409, 418, 422])('are told apart by a %i', (status) => {
    expect(said(judgeRefused(answered(status), MALFORMED, { control: true }))).toBe('holds');
    expect(said(judgeRefused(answered(status), undescribedMethod('PROPFIND'), { control: true }))).toEqual([
      'the undescribed method PROPFIND is refused with another status',
    ]);
  });

  it.each([400, 401, 403, 404, 422])('tell nothing by a %i where no call of the operation succeeded', (status) => {
    expect(said(judgeRefused(answered(status), MALFORMED, { control: false }))).toBe('cannot tell');
    expect(said(judgeRefused(answered(status), undescribedMethod('PROPFIND'), { control: false }))).toBe('cannot tell');
  });

  it.each([405, 415])('hold for a %i, which names its reason, though no call succeeded', (status) => {
    expect(said(judgeRefused(answered(status), undescribedMethod('PROPFIND'), { control: false }))).toBe('holds');
  });

  it.each([200, 201, 204, 302])('are breached by a %i', (status) => {
    expect(said(judgeRefused(exchangeWith({ status }), MALFORMED, { control: false }))).toEqual([
      'malformed JSON is accepted',
    ]);
  });
});

describe('REQ-07', () => {
  it.each([
    ['a first registration answered 201', judgeRegistered(created, registration), 'holds'],
    [
      'a first registration answered 200',
      judgeRegistered(ok, registration),
      ['a first registration is not answered 201'],
    ],
    [
      'a first registration that a rule of its own refuses',
      judgeRegistered(answered(422), registration),
      'cannot tell',
    ],
    [
      'a first registration answered 409',
      judgeRegistered(answered(409), registration),
      ['a first registration is not answered 201'],
    ],
    ['a second one answered 409', judgeRegisteredAgain(answered(409), registration), 'holds'],
    [
      'a second one answered 201',
      judgeRegisteredAgain(created, registration),
      ['a second registration of one email is not answered 409'],
    ],
    [
      'a second one answered 400',
      judgeRegisteredAgain(invalid(), registration),
      ['a second registration of one email is not answered 409'],
    ],
  ])('is judged for %s', (_name, judgement, expected) => {
    expect(said(judgement)).toEqual(expected);
  });
});

it.each([
  ['an unknown path', (e: Exchange) => judgeUnknownPath(e, stated)],
  [
    'an unknown id',
    (e: Exchange) =>
      judgeUnknownId(
        e,
        {
          ...{ wellFormed: true, mayCreate: true, control: true, declares404: true },
          ...({ place: 'path', name: 'x' } as const),
        },
        stated,
      ),
  ],
  [
    'a spoiled body',
    (e: Exchange) =>
      judgeSpoiled(
        e,
        {
          ...{ code: { clause: 'REQ-03', name: 'n' }, kind: 'k', what: 'w', field: 'f' },
          ...({ accepted: 'breach', control: true } as const),
        },
        stated,
      ),
  ],
  ['error.param', (e: Exchange) => judgeParamNamed(e, { field: 'email' }, { control: true }, stated)],
  ['malformed JSON', (e: Exchange) => judgeRefused(e, MALFORMED, { control: true })],
  ['a registration', (e: Exchange) => judgeRegistered(e, registration)],
  ['a second registration', (e: Exchange) => judgeRegisteredAgain(e, registration)],
])('%s cannot be told from no answer, 429 or 5xx', (_name, judge) => {
  const unjudged = [exchangeWith({ response: null }), answered(429), answered(500), answered(503)];
  expect(unjudged.map((exchange) => said(judge(exchange)))).toEqual(unjudged.map(() => 'cannot tell'));
});
