import { describe, expect, it } from 'vitest';
import { errorExchange, errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { inBrief, spoken } from '../../../test/support/checks/judging.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import {
  judgeAlternative,
  judgeIsolated,
  judgeKeyAccepted,
  judgeLockedRefused,
  judgeNotListed,
  judgePublic,
  judgeSecured,
  judgeServiceAccepts,
  judgeTokenRefused,
} from './auth-01-to-06-refusals.ts';

const stated = { contract: 'commerce', terms: COMMERCE_TERMS } as const;

const said = (judgement: Judgement): string | readonly string[] => {
  const outcome = spoken(judgement);
  return typeof outcome === 'string' ? outcome : outcome.map(inBrief);
};
const NO_TOKEN = { clause: 'auth-01', name: 'no-token', inWords: 'no token' } as const;
const ok = exchangeWith();
const refusal = (status: number, code: string): Exchange => errorExchange(errorObject({ status, code }));
const invalidToken = refusal(401, 'auth_token_invalid');
const locked = refusal(403, 'account_locked');
const notFound = errorExchange();
const withoutEnvelope = (status: number): Exchange => exchangeWith({ status, body: 'no' });
const posted = (exchange: Exchange): Exchange => ({ ...exchange, plan: { ...exchange.plan, method: 'POST' } });
/** Answers that no AUTH clause is judged on. */
const UNJUDGED: readonly Exchange[] = [
  exchangeWith({ response: null }),
  refusal(429, 'too_many_requests'),
  refusal(500, 'internal'),
  refusal(503, 'not_ready'),
];

describe('a key that is good elsewhere', () => {
  const refusedTo = (operation: string, value: object): Judgement => {
    const { plan } = exchangeWith({ plan: { method: 'POST', operation, body: { kind: 'json', value } } });
    return judgeAlternative({ ...invalidToken, plan }, { names: 'key', areGood: true });
  };

  it('is refused where nothing else in the request can be', () => {
    expect(refusedTo('POST /orders', { item: 1 }).kind).toBe('breached');
  });

  it.each([
    ['POST /login', { username: 'a', password: 'b' }],
    ['POST /reset/{token}', {}],
  ])('is not said to be refused where a secret of the input may be: %s', (operation, value) => {
    expect(refusedTo(operation, value).kind).not.toBe('breached');
  });
});

describe('a refused token', () => {
  it.each([
    ['401 auth_token_invalid', invalidToken, 'holds'],
    [
      '401 without an envelope',
      withoutEnvelope(401),
      ['a request with no token is refused without a code (/error/code)'],
    ],
    ['401 with an empty code', refusal(401, ''), ['a request with no token is refused without a code (/error/code)']],
    ['401 to a HEAD', exchangeWith({ status: 401, plan: { method: 'HEAD' } }), 'holds'],
    ['200', ok, ['a request with no token is accepted']],
    ['302', exchangeWith({ status: 302 }), ['a request with no token is accepted']],
    ['403', locked, ['a request with no token is not answered 401']],
    ['404', notFound, ['a request with no token is not answered 401']],
    [
      '401 token_missing',
      refusal(401, 'token_missing'),
      ['a request with no token is refused with another code (/error/code)'],
    ],
  ])('is judged for %s', (_name, exchange, expected) => {
    expect(said(judgeTokenRefused(exchange, NO_TOKEN, stated))).toEqual(expected);
  });
});

describe('a locked account', () => {
  it.each([
    ['403', locked, 'holds'],
    ['403 of any code', refusal(403, 'anything'), 'holds'],
    ['200', ok, ['a locked account is served']],
    ['401', invalidToken, ['a locked account is not answered 403']],
    ['404', notFound, ['a locked account is not answered 403']],
  ])('is judged for %s', (_name, exchange, expected) => {
    expect(said(judgeLockedRefused(exchange, stated))).toEqual(expected);
  });
});

describe('a public operation', () => {
  const credentials = refusal(401, 'invalid_credentials');
  it.each([
    ['200', ok, null, 'holds'],
    ['400', refusal(400, 'validation_failed'), null, 'holds'],
    ['404', notFound, null, 'holds'],
    ['401, and 200 with a key', invalidToken, ok, ['a public operation demands a token']],
    ['401 of another code, and 200 with a key', credentials, ok, ['a public operation demands a token']],
    [
      '401 of another code with and without a key: the credentials in the body',
      credentials,
      credentials,
      'cannot tell',
    ],
    ['401 of another code, no key to try', credentials, null, 'cannot tell'],
    ['401 auth_token_invalid, no key to try', invalidToken, null, 'cannot tell'],
    ['401 auth_token_invalid with and without a key', invalidToken, invalidToken, 'cannot tell'],
    [
      '401 auth_token_invalid, and 422 with a key',
      invalidToken,
      refusal(422, 'validation_failed'),
      ['a public operation demands a token'],
    ],
    [
      '401 auth_token_invalid, and 401 of another code with a key',
      invalidToken,
      credentials,
      ['a public operation demands a token'],
    ],
    [
      '401 auth_token_invalid, and 401 without a code with a key',
      invalidToken,
      exchangeWith({ status: 401 }),
      'cannot tell',
    ],
    ['401 of another code, and 422 with a key', credentials, refusal(422, 'validation_failed'), 'cannot tell'],
    ['401, and no answer with a key', invalidToken, exchangeWith({ response: null }), 'cannot tell'],
    ['403, and 200 with a key', locked, ok, ['a public operation demands a token']],
    ['403 with and without a key', locked, locked, 'cannot tell'],
  ])('is judged for %s', (_name, bare, keyed, expected) => {
    expect(said(judgePublic(bare, keyed, stated))).toEqual(expected);
  });
});

describe('a key that is accepted elsewhere', () => {
  it.each([
    ['200', ok, 'holds'],
    ['403', locked, 'cannot tell'],
    ['404', notFound, 'holds'],
    ['401 of another code to a GET', refusal(401, 'invalid_credentials'), ['a valid key is refused']],
    ['401 of another code to a POST: about its body', posted(refusal(401, 'invalid_credentials')), 'cannot tell'],
    ['401 auth_token_invalid to a POST', posted(invalidToken), ['a valid key is refused']],
    ['401 auth_token_invalid', invalidToken, ['a valid key is refused']],
    ['401 without an envelope', withoutEnvelope(401), ['a valid key is refused']],
  ])('is judged for %s', (_name, exchange, expected) => {
    expect(said(judgeKeyAccepted(exchange, 'std-1', stated))).toEqual(expected);
  });
});

describe('a service', () => {
  it.each([
    ['403 to every call', [locked, locked], ['a service refuses a key that others accept']],
    ['403 to some calls', [locked, ok], null],
    ['no call', [], null],
  ])('is judged for %s', (_name, answers, expected) => {
    const judgement = judgeServiceAccepts(answers, 'std-1');
    expect(judgement === null ? null : said(judgement)).toEqual(expected);
  });
});

describe('a list that another account reads', () => {
  const ids = new Set(['prd_1', '7']);
  const shown = ['another account sees in a list what an account created'];
  it.each([
    ['a bare array with one of the ids', exchangeWith({ body: [{ id: 'prd_0' }, { id: 'prd_1' }] }), shown],
    ['an envelope with one', exchangeWith({ body: { data: [{ productId: 'prd_1' }] } }), shown],
    ['a number that is one', exchangeWith({ body: [{ id: 7 }] }), shown],
    ['other ids', exchangeWith({ body: [{ id: 'prd_0' }] }), 'holds'],
    ['an id in a member that is none', exchangeWith({ body: [{ id: 'prd_0', name: 'prd_1' }] }), 'holds'],
    ['a body that is no JSON', withoutEnvelope(200), 'holds'],
    ['arrays nested without end', exchangeWith({ body: `${'['.repeat(50_000)}${']'.repeat(50_000)}` }), 'holds'],
    ['403', locked, 'holds'],
  ])('is judged for %s', (_name, exchange, expected) => {
    expect(said(judgeNotListed(exchange, ids))).toEqual(expected);
  });
});

describe('isolation', () => {
  it.each([
    ['404', notFound, 'holds'],
    ['403', locked, 'holds'],
    ['200', ok, ['another account can read what an account created']],
    ['204', exchangeWith({ status: 204 }), ['another account can read what an account created']],
  ])('is judged for %s', (_name, exchange, expected) => {
    expect(said(judgeIsolated(exchange, 'read'))).toEqual(expected);
  });
});

it.each([
  ['a refused token', (exchange: Exchange) => judgeTokenRefused(exchange, NO_TOKEN, stated)],
  ['a locked account', (exchange: Exchange) => judgeLockedRefused(exchange, stated)],
  ['a public operation', (exchange: Exchange) => judgePublic(exchange, null, stated)],
  ['an accepted key', (exchange: Exchange) => judgeKeyAccepted(exchange, 'std-1', stated)],
  ['isolation', (exchange: Exchange) => judgeIsolated(exchange, 'read')],
  ['isolation of lists', (exchange: Exchange) => judgeNotListed(exchange, new Set(['prd_1']))],
])('%s cannot be told from no answer, 429 or 5xx', (_name, judge) => {
  expect(UNJUDGED.map((exchange) => said(judge(exchange)))).toEqual(UNJUDGED.map(() => 'cannot tell'));
});

describe('what a description alone declares as secured', () => {
  const answered = (status: number) => said(judgeSecured(exchangeWith({ status }), NO_TOKEN));

  it.each([401, 403])('%i refuses', (status) => {
    expect(answered(status)).toBe('holds');
  });

  it.each([200, 204])('%i accepts', (status) => {
    expect(answered(status)).toEqual(['a request with no token is accepted']);
  });

  it.each([302, 400, 404, 422])('%i may have another ground', (status) => {
    expect(answered(status)).toBe('cannot tell');
  });

  it.each([429, 500, 503])('%i tells nothing', (status) => {
    expect(answered(status)).toBe('cannot tell');
  });

  it('no answer tells nothing', () => {
    expect(spoken(judgeSecured(exchangeWith({ response: null }), NO_TOKEN))).toBe('cannot tell');
  });
});
