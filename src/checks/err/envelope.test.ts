// ERR-01 to ERR-05: shape and members of the envelope.
import { describe, expect, it } from 'vitest';
import { errorExchange, errorObject, exchangeWith, subjectOf } from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import { COMMERCE_TERMS, shippedContract } from '../../contract/shipped.ts';
import { termsOf } from '../../contract/terms-of.ts';
import type { ExchangeCheck } from '../check.ts';
import { err01, isBrokenError, judgeBrokenErrors } from './err-01.ts';
import { err02 } from './err-02.ts';
import { err03 } from './err-03.ts';
import { err04 } from './err-04.ts';
import { err05 } from './err-05.ts';
import { envelopeChecks } from './family.ts';

const { errors } = COMMERCE_TERMS;
const sound = subjectOf(errorExchange());
const errorWith = (members: Record<string, unknown>, docsUrl: string | null = null) =>
  subjectOf(errorExchange(errorObject(members)), { docsUrl });

describe('every check on the envelope', () => {
  it.each(envelopeChecks.map((check) => [check.clause, check] as const))(
    '%s raises nothing on a sound error',
    (_, check) => {
      expect(['holds', 'does not apply']).toContain(outcome(check, sound));
    },
  );

  it.each([
    ['a success', exchangeWith({ body: { error: errorObject() } })],
    ['a failure', exchangeWith({ response: null })],
    ['a cut body', errorExchange(errorObject(), { response: { truncated: true } })],
    ['HEAD', exchangeWith({ status: 404, plan: { method: 'HEAD' } })],
    ['a redirect', exchangeWith({ status: 302 })],
  ])('does not apply to %s', (_, exchange) => {
    for (const check of envelopeChecks) expect(outcome(check, subjectOf(exchange))).toBe('does not apply');
  });
});

describe('ERR-01 on answers that break off', () => {
  const failing = (kind: 'reset' | 'timeout', status?: number) => ({
    ...exchangeWith({ response: null }),
    failure: { kind, message: kind, reusedSocket: false, ...(status === undefined ? {} : { status }) },
  });

  it('is breached where that lasts, and told by the status that came', () => {
    const breach = { code: 'err-01.breaks-off', actual: 'status 404 and a part of a body' };
    expect(judgeBrokenErrors([failing('reset', 404)], { isLasting: true, errors })).toMatchObject({
      kind: 'breached',
      breaches: [breach],
    });
    expect(judgeBrokenErrors([failing('reset', 404)], { isLasting: false, errors }).kind).toBe('cannot-tell');
    expect(judgeBrokenErrors([], { isLasting: true, errors }).kind).toBe('cannot-tell');
  });

  it('is about errors whose status had come alone', () => {
    expect(isBrokenError(failing('reset', 404))).toBe(true);
    for (const other of [failing('reset'), failing('reset', 200), failing('timeout', 404), errorExchange()])
      expect(isBrokenError(other)).toBe(false);
  });
});

describe('ERR-01', () => {
  const error = errorObject();
  it.each([
    ['no body', undefined, 'the error has no body'],
    ['HTML', '<h1>Not found</h1>', 'the error body is not JSON'],
    ['a list', [error], 'the error body is not a JSON object'],
    ['null', 'null', 'the error body is not a JSON object'],
    ['members without the key error', error, 'the error body has no top-level key error'],
    ['a text in error', { error: 'not found' }, 'error is not an object (/error)'],
    ['a list in error', { error: [error] }, 'error is not an object (/error)'],
    ['null in error', { error: null }, 'error is not an object (/error)'],
    ['a second key', { error, statusCode: 404 }, 'error is not the only top-level key (/statusCode)'],
    ['a key with a slash', { error, 'a/b': 1 }, 'error is not the only top-level key (/a~1b)'],
  ])('is breached by %s', (_, body, cause) => {
    expect(brief(err01, subjectOf(exchangeWith({ status: 404, body })))).toEqual([cause]);
  });

  it('alone is blamed where there is no error object', () => {
    const subject = subjectOf(exchangeWith({ status: 500, body: errorObject() }));
    for (const check of envelopeChecks) {
      if (check !== err01) expect(outcome(check, subject)).toBe('does not apply');
    }
  });

  it('tells the keys, never the values', () => {
    expect(outcome(err01, subjectOf(exchangeWith({ status: 404, body: { message: 'Jane Doe' } })))).toEqual([
      {
        weight: 'breach',
        code: 'err-01.no-error',
        cause: 'the error body has no top-level key error',
        message:
          'the error body has no top-level key error: an object with the keys message, expected one JSON object with the single top-level key "error", an object',
        expected: 'one JSON object with the single top-level key "error", an object',
        actual: 'an object with the keys message',
        pointer: '',
      },
    ]);
  });

  it('judges answers on paths that no description has, and any media type', () => {
    const exchange = errorExchange(errorObject(), { headers: [['content-type', 'application/problem+json']] });
    expect(outcome(err01, subjectOf(exchange))).toBe('holds');
  });
});

describe('ERR-02', () => {
  it.each([
    [{ title: undefined }, 'error.title is absent (/error/title)'],
    [{ title: '' }, 'error.title is not a non-empty string (/error/title)'],
    [{ message: null }, 'error.message is not a non-empty string (/error/message)'],
    [{ request_id: 12 }, 'error.request_id is not a non-empty string (/error/request_id)'],
    [{ code: '' }, 'error.code is not a non-empty string (/error/code)'],
    [{ instance: ['/'] }, 'error.instance is not a non-empty string (/error/instance)'],
  ])('is breached by %j', (members, cause) => {
    expect(brief(err02, errorWith(members))).toEqual([cause]);
  });

  it.each(['404', 404.5, null])('is breached by the status %j', (status) => {
    const subject = subjectOf(errorExchange(errorObject({ status }), { status: 404 }));
    expect(brief(err02, subject)).toEqual(['error.status is not an integer (/error/status)']);
    expect(outcome(err04, subject)).toBe('does not apply');
  });

  it('reports each member by itself', () => {
    expect(outcome(err02, errorWith({ doc_url: undefined, timestamp: 5, type: undefined }))).toHaveLength(3);
  });

  it('allows further members', () => {
    expect(outcome(err02, errorWith({ trace: { id: 1 }, param: null }))).toBe('holds');
  });

  it('alone is blamed for a member of the wrong type', () => {
    const subject = errorWith({ code: '', doc_url: 1, instance: 2, timestamp: 3, type: 4, request_id: 5 });
    for (const check of [err03, err05]) expect(outcome(check, subject)).toBe('does not apply');
  });
});

describe('ERR-03', () => {
  it.each(['a', 'not_found', 'rate_limit_2', 'v2_gone', 'e404'])('allows %s', (code) => {
    expect(outcome(err03, errorWith({ code }))).toBe('holds');
  });

  it.each(['Not_found', 'notFound', 'not-found', 'not__found', '_x', 'x_', '4xx', 'not found', 'café', 'a\n'])(
    'is breached by %j',
    (code) => {
      expect(brief(err03, errorWith({ code }))).toEqual(['error.code is not snake_case (/error/code)']);
    },
  );
});

describe('ERR-04', () => {
  it('is breached when status differs from the HTTP status', () => {
    const subject = subjectOf(errorExchange(errorObject({ status: 500 }), { status: 404 }));
    expect(outcome(err04, subject)).toEqual([
      {
        weight: 'breach',
        code: 'err-04.differs',
        cause: 'error.status differs from the HTTP status',
        message: 'error.status is 500, expected 404, the HTTP status',
        expected: '404',
        actual: '500',
        pointer: '/error/status',
      },
    ]);
  });

  it('is breached under the general status of a class where the body states one other', () => {
    const subject = subjectOf(errorExchange(errorObject({ status: 404 }), { status: 400 }));
    expect(brief(err04, subject)).toEqual(['error.status differs from the HTTP status (/error/status)']);
  });

  it.each<[number, string[], 'holds' | number]>([
    [409, ['409', '409'], 'holds'],
    [404, ['404', '409'], 'holds'],
    [400, ['404', '409'], 'holds'],
    [500, ['404', '503'], 'holds'],
    [422, ['404', '409'], 2],
    [400, ['404', '503'], 2],
    [400, ['404', '404'], 2],
  ])('judges %d with errors of %j as JSON:API says', (status, statuses, expected) => {
    const body = { errors: statuses.map((one) => ({ status: one })) };
    const terms = termsOf(shippedContract('json-api'));
    const found = outcome(err04, subjectOf(exchangeWith({ status, body }), { terms }));
    expect(Array.isArray(found) ? found.length : found).toBe(expected);
  });
});

describe('ERR-05', () => {
  const check: ExchangeCheck = err05;
  const cause = ['error.doc_url is not {docs_url}/errors/{code} (/error/doc_url)'];
  const docUrl = (doc_url: string, docsUrl: string | null) => brief(check, errorWith({ doc_url }, docsUrl));

  it.each(['https://docs.example.com', 'https://docs.example.com/', 'https://docs.example.com//'])(
    'holds below the configured %s',
    (base) => {
      expect(docUrl('https://docs.example.com/errors/resource_not_found', base)).toBe('holds');
    },
  );

  it.each([
    'https://docs.example.com/errors/other_code',
    'https://other.example.com/errors/resource_not_found',
    'https://docs.example.com/errors/resource_not_found/',
    'https://docs.example.com/errors/resource_not_found#top',
    'http://docs.example.com/errors/resource_not_found',
    '/errors/resource_not_found',
  ])('is breached by %s below a configured base', (url) => {
    expect(docUrl(url, 'https://docs.example.com')).toEqual(cause);
  });

  it.each(['https://a.example/errors/resource_not_found', 'http://a.example:8080/v1/errors/resource_not_found'])(
    'allows %s without a configured base',
    (url) => {
      expect(docUrl(url, null)).toBe('holds');
    },
  );

  it.each([
    '/errors/resource_not_found',
    'docs.example.com/errors/resource_not_found',
    'https://a.example/resource_not_found',
    'https://a.example/?x=/errors/resource_not_found',
    'https:///errors/resource_not_found',
  ])('is breached by %s without a configured base', (url) => {
    expect(docUrl(url, null)).toEqual(cause);
  });

  it('does not apply to a code that ERR-03 reports', () => {
    expect(docUrl('https://a.example/errors/NotFound', null)).toEqual(cause);
    expect(outcome(check, errorWith({ code: 'NotFound' }))).toBe('does not apply');
  });
});
