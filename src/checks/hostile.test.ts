// Whatever a target answers, no check throws: laws over all exchange checks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  declaring,
  descriptionWith,
  errorObject,
  exchangeWith,
  operationWith,
  subjectOf,
} from '../../test/support/checks/exchanges.ts';
import { isClauseId } from '../contract/clauses.ts';
import type { RecordedResponse, RequestPlan } from '../exchange/exchange.ts';
import type { Subject } from './check.ts';
import { errRunLaws } from './err/run-laws.ts';
import { EXCHANGE_CHECKS } from './exchange-checks.ts';

const statuses = fc.oneof(
  fc.constantFrom(200, 201, 204, 301, 302, 304, 400, 401, 404, 422, 500, 503),
  fc.integer({ min: 100, max: 999 }),
);
const bodies = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.jsonValue().map((error) => JSON.stringify({ error })),
  fc
    .dictionary(fc.constantFrom(...Object.keys(errorObject()), 'param', 'errors', '__proto__'), fc.jsonValue())
    .map((members) => {
      return JSON.stringify({ error: { ...errorObject(), ...members } });
    }),
);
const headerLists = fc.array(
  fc.tuple(
    fc.constantFrom('content-type', 'location', 'date', 'x-total', 'content-length', 'retry-after', 'deprecation'),
    fc.oneof(fc.string({ unit: 'binary' }), fc.constant('application/json')),
  ),
  { maxLength: 4 },
);
const plans: fc.Arbitrary<Partial<RequestPlan>> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'HEAD'),
  path: fc.string({ unit: 'binary' }).map((path) => `/${path}`),
  query: fc.string({ unit: 'binary' }),
  body: fc.oneof(
    fc.record({
      kind: fc.constant('raw' as const),
      text: fc.string({ unit: 'binary' }),
      contentType: fc.constant('a/b'),
    }),
    fc.record({ kind: fc.constant('json' as const), value: fc.jsonValue() }),
  ),
});

const schema = { properties: { id: {} } };
const described = {
  operation: operationWith({
    responses: [
      declaring('default', schema, {
        headers: [{ name: 'X-Total', required: true, schema: { pointer: '', value: {} } }],
      }),
    ],
  }),
  description: descriptionWith({
    validator: () => () => [{ pointer: '/a/0/~1b', keyword: 'type', message: 'must be x', expected: 'x' }],
    undescribed: () => ['/a', '/0/b'],
  }),
};

function judgeAll(subject: Subject): void {
  for (const check of EXCHANGE_CHECKS) {
    if (check.applies(subject)) expect(['holds', 'breached', 'cannot-tell']).toContain(check.judge(subject).kind);
    // A check asked out of turn answers all the same.
    else check.judge(subject);
  }
  for (const law of errRunLaws(subject.terms, null)) law.observe(subject.exchange);
}

describe('every exchange check', () => {
  it('judges any answer without throwing', () => {
    fc.assert(
      fc.property(statuses, bodies, headerLists, plans, fc.boolean(), (status, body, headers, plan, isDescribed) => {
        const exchange = exchangeWith({ status, body, headers, plan });
        judgeAll(subjectOf(exchange, isDescribed ? described : {}));
      }),
      { numRuns: 500 },
    );
  });

  it('judges failures by not applying', () => {
    const exchange = exchangeWith({ response: null });
    for (const check of EXCHANGE_CHECKS) expect(check.applies(subjectOf(exchange, described))).toBe(false);
    judgeAll(subjectOf(exchange, described));
  });

  it('judges of an answer whose body was cut its status and its headers, and nothing that the body decides', () => {
    const cut: Partial<RecordedResponse> = { truncated: true };
    const subject = subjectOf(exchangeWith({ status: 500, body: '{', response: cut }), described);
    const applying = EXCHANGE_CHECKS.filter((check) => check.applies(subject)).map(({ clause }) => clause);
    expect(applying.sort()).toEqual(['ERR-12', 'PAG-11', 'SCH-04', 'SCH-06', 'SCH-07', 'VER-02']);
    judgeAll(subject);
  });

  it('judges bodies nested without end', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const body of [
      deep,
      `{"error":{"type":"validation_error","param":"a","errors":${deep},"stack":${deep}}}`,
      `{"error":${deep}}`,
    ]) {
      for (const status of [200, 400]) judgeAll(subjectOf(exchangeWith({ status, body }), described));
    }
  });

  it('judges long texts without overflow, and not in the square of their length', () => {
    const many = (text: string): string => text.repeat(500_000);
    const error = {
      ...errorObject(),
      code: `a${many('_a')}`,
      doc_url: `https://example.com${many('/')}x/errors/a${many('_a')}`,
      instance: many('%41/'),
      request_id: many('a'),
      timestamp: `${many('T')}Z`,
      param: many('['),
      type: 'validation_error',
      errors: [{ field: many('["'), code: many('a_'), message: many('at a.js ') }],
    };
    const headers = [['retry-after', many('1')] as const, ['location', many('/:')] as const];
    for (const status of [302, 400, 429])
      judgeAll(subjectOf(exchangeWith({ status, body: JSON.stringify({ error }), headers }), described));
  });

  it('speaks for one clause of the contract each', () => {
    for (const { clause, title } of EXCHANGE_CHECKS) {
      expect(isClauseId(clause)).toBe(true);
      expect(title).not.toBe('');
    }
    expect(new Set(EXCHANGE_CHECKS.map(({ clause }) => clause)).size).toBe(EXCHANGE_CHECKS.length);
  });
});
