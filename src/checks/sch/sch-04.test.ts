// SCH-04: declared response headers.
import { describe, expect, it } from 'vitest';
import {
  declaring,
  descriptionWith,
  exchangeWith,
  handleOf,
  operationWith,
  subjectOf,
} from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import type { HeaderList } from '../../exchange/exchange.ts';
import type { DeclaredHeader, Operation } from '../../openapi/model/operation.ts';
import { headerReadings } from './header-value.ts';
import { sch04 } from './sch-04.ts';

/** Integers from 0 on: enough of a schema for these tests. */
const integers = descriptionWith({
  validator: () => (value) => {
    if (!Number.isInteger(value))
      return [{ pointer: '', keyword: 'type', message: 'must be an integer', expected: 'an integer' }];
    return (value as number) < 0
      ? [{ pointer: '', keyword: 'minimum', message: 'must be >= 0', expected: '>= 0' }]
      : [];
  },
});

const headerNamed = (name: string, more: Partial<DeclaredHeader> = {}): DeclaredHeader => ({
  name,
  required: false,
  schema: handleOf({}),
  ...more,
});

function judged(
  declaredHeaders: DeclaredHeader[],
  received: HeaderList,
  status = 200,
  operation: Partial<Operation> = {},
) {
  const responses = [declaring(String(status), undefined, { headers: declaredHeaders })];
  const exchange = exchangeWith({ status, headers: received });
  return subjectOf(exchange, { operation: operationWith({ responses, ...operation }), description: integers });
}

describe('SCH-04', () => {
  it('is breached when a required header is absent', () => {
    expect(outcome(sch04, judged([headerNamed('X-Total', { required: true })], []))).toEqual([
      {
        weight: 'breach',
        code: 'sch-04.absent.x-total',
        cause: 'the required header X-Total is absent',
        message: 'the header X-Total is absent, expected it: it is declared as required',
        expected: 'the header X-Total',
        actual: 'absent',
      },
    ]);
  });

  it('reads the header in any case and as the type of its schema', () => {
    expect(outcome(sch04, judged([headerNamed('X-Total', { required: true })], [['x-total', '12']]))).toBe('holds');
    expect(brief(sch04, judged([headerNamed('X-Total')], [['x-total', 'many']]))).toEqual([
      'the header X-Total does not validate',
    ]);
    expect(outcome(sch04, judged([headerNamed('X-Total')], [['x-total', '-1']]))).toMatchObject([
      { expected: '>= 0', actual: '"-1"' },
    ]);
  });

  it('does not apply to absent optional headers, ignored names, undeclared statuses and HEAD', () => {
    expect(outcome(sch04, judged([headerNamed('X-Total')], []))).toBe('does not apply');
    expect(outcome(sch04, judged([headerNamed('Content-Type', { required: true })], []))).toBe('does not apply');
    const head = exchangeWith({ plan: { method: 'HEAD' } });
    expect(outcome(sch04, { ...judged([headerNamed('X-Total', { required: true })], []), exchange: head })).toBe(
      'does not apply',
    );
    expect(outcome(sch04, subjectOf(exchangeWith()))).toBe('does not apply');
  });

  it('lets optional rate-limit headers be anything on health checks and 401s', () => {
    const rate = [headerNamed('X-RateLimit-Limit')];
    const received: HeaderList = [['x-ratelimit-limit', 'unlimited']];
    expect(outcome(sch04, judged(rate, received, 401))).toBe('does not apply');
    expect(outcome(sch04, judged(rate, received, 200, { path: '/api/health/live' }))).toBe('does not apply');
    expect(outcome(sch04, judged(rate, received))).toHaveLength(1);
  });

  it('lets Retry-After and X-RateLimit-Reset have the forms that the contract allows', () => {
    const date = 'Sat, 21 Nov 2026 10:11:12 GMT';
    for (const name of ['Retry-After', 'X-RateLimit-Reset']) {
      expect(outcome(sch04, judged([headerNamed(name)], [[name.toLowerCase(), date]]))).toBe('holds');
      expect(outcome(sch04, judged([headerNamed(name)], [[name.toLowerCase(), 'soon']]))).toHaveLength(1);
    }
  });

  it('judges cookies line by line, and is content with one that fits', () => {
    const cookies = (...values: string[]) =>
      judged(
        [headerNamed('Set-Cookie')],
        values.map((value) => ['set-cookie', value]),
      );
    expect(outcome(sch04, cookies('1', '2'))).toBe('holds');
    expect(outcome(sch04, cookies('a=b', '2'))).toBe('holds');
    expect(brief(sch04, cookies('a=b', '-2'))).toEqual(['the header Set-Cookie does not validate']);
  });

  it('needs no schema to demand presence', () => {
    const present = judged([headerNamed('X-Total', { required: true, schema: null })], [['x-total', 'any']]);
    expect(outcome(sch04, present)).toBe('holds');
  });

  it('reads a text as number, boolean, text, list and object', () => {
    expect(headerReadings('12')).toEqual([12, '12', [12], ['12']]);
    expect(headerReadings('true')).toEqual([true, 'true', [true], ['true']]);
    expect(headerReadings('a, 2')).toEqual(['a, 2', ['a', 2], ['a', '2'], { a: 2 }]);
    expect(headerReadings('a=1,b=c')).toEqual(['a=1,b=c', ['a=1', 'b=c'], ['a=1', 'b=c'], { a: 1, b: 'c' }]);
    expect(headerReadings('{"a":"b"}')).toContainEqual({ a: 'b' });
  });

  it('reads a list with the delimiter of its style', () => {
    expect(headerReadings('1|2', { style: 'pipeDelimited' })).toEqual(['1|2', [1, 2], ['1', '2'], { 1: 2 }]);
  });

  it('reads what is described by content as a value of its media type alone', () => {
    expect(headerReadings('["1"]', { contentType: 'application/json' })).toEqual([['1']]);
    expect(headerReadings('1,2', { contentType: 'application/json' })).toEqual(['1,2']);
    expect(headerReadings('null', { contentType: 'application/problem+json' })).toEqual([null]);
    expect(headerReadings('1,2', { contentType: 'text/plain' })).toEqual(['1,2']);
    const list = headerNamed('X-List', { contentType: 'application/json' });
    expect(outcome(sch04, judged([list], [['X-List', '5']]))).toBe('holds');
    expect(brief(sch04, judged([list], [['X-List', '[5]']]))).toEqual(['the header X-List does not validate']);
  });

  it('leaves the form of a reset and a wait to the contract, and their size to the description', () => {
    for (const name of ['X-RateLimit-Reset', 'Retry-After']) {
      const date = 'Sun, 22 Nov 2026 13:00:00 GMT';
      expect(outcome(sch04, judged([headerNamed(name)], [[name, date]]))).toBe('holds');
      expect(brief(sch04, judged([headerNamed(name)], [[name, '-5']]))).toEqual([
        `the header ${name} does not validate`,
      ]);
    }
  });
});
