// SPEC-06 to SPEC-08: what operations must and must not declare.
import { describe, expect, it } from 'vitest';
import { descriptionWith, handleOf, operationWith } from '../../../test/support/checks/exchanges.ts';
import { briefOf } from '../../../test/support/checks/judging.ts';
import type { Operation, Parameter } from '../../openapi/model/operation.ts';
import { spec06 } from './spec-06.ts';
import { spec07 } from './spec-07.ts';
import { spec08 } from './spec-08.ts';

const parameter = (name: string, place: Parameter['in'] = 'query', schema: unknown = {}): Parameter => {
  return { name, in: place, required: false, schema: handleOf(schema), style: 'form', explode: true, examples: [] };
};
const described = (...operations: Operation[]) => descriptionWith({ operations });
const STORES = 'GET /api/v1/stores';

describe('SPEC-06', () => {
  const declaringAt = (path: string, ...parameters: Parameter[]) =>
    Object.values(briefOf(spec06, described(operationWith({ path, parameters, pointer: '/o' }))))[0];
  const on = (...parameters: Parameter[]) => declaringAt('/api/v1/stores', ...parameters);

  it.each([
    'cursor',
    'next_cursor',
    'page[cursor]x',
    'starting_after',
    'endingBefore',
    'page_token',
    'next-token',
    'continuationToken',
  ])('knows the cursor %s', (name) => {
    const isCursor = !name.startsWith('page[');
    expect(on(parameter(name))).toEqual(isCursor ? ['a cursor parameter is declared (/o/parameters)'] : 'holds');
  });

  it.each([
    'X-API-Version',
    'API-Version',
    'Accept-Version',
    'Stripe-Version',
    'version',
    'x_api_version',
    'X-ApiVersion',
  ])('knows the version header %s', (name) => {
    expect(on(parameter(name, 'header'))).toEqual(['a version request header is declared (/o/parameters)']);
  });

  it.each(['sort', 'sort_by', 'sortBy', 'sort[created]', 'order', 'order_by', 'orderBy', 'ordering', 'sortOrder'])(
    'knows the sort or order parameter %s',
    (name) => {
      expect(on(parameter(name))).toEqual(['a sort or order parameter is declared (/o/parameters)']);
      expect(declaringAt('/api/v1/stores/{id}', parameter(name))).toBe('holds');
      expect(declaringAt('/api/v1/stores/{id}', parameter(name), parameter('limit'))).toHaveLength(1);
    },
  );

  it.each([
    parameter('before'),
    parameter('after', 'query', { format: 'date' }),
    parameter('order_id'),
    parameter('order', 'query', { format: 'uuid' }),
    parameter('X-App-Version', 'header'),
    parameter('Idempotency-Key', 'header'),
    parameter('version', 'query'),
    parameter('cursor', 'path'),
    parameter('border'),
    parameter('limit'),
  ])('lets pass %j', (declared) => {
    expect(on(declared)).toBe('holds');
  });
});

describe('SPEC-07', () => {
  const key = parameter('idempotency-key', 'header');
  const store = operationWith({ method: 'POST', parameters: [key] });
  const payment = operationWith({ method: 'POST', path: '/api/v1/stores/process-payment', parameters: [key] });

  it('holds where both declare it, in any case', () => {
    expect(briefOf(spec07, described(store, payment))).toEqual({
      'POST /api/v1/stores': 'holds',
      'POST /api/v1/stores/process-payment': 'holds',
    });
  });

  it('is breached by the one that does not', () => {
    const bare = operationWith({
      method: 'POST',
      path: '/api/v1/stores/process-payment',
      parameters: [parameter('Idempotency-Key')],
    });
    expect(briefOf(spec07, described(store, bare))['POST /api/v1/stores/process-payment']).toEqual([
      'Idempotency-Key is not declared (/paths/~1api~1v1~1stores~1process-payment/post/parameters)',
    ]);
  });

  it('observes it elsewhere', () => {
    const theme = operationWith({ method: 'POST', path: '/api/v1/themes', parameters: [key] });
    expect(briefOf(spec07, described(store, payment, theme))['POST /api/v1/themes']).toEqual([
      'observation: Idempotency-Key is declared elsewhere (/paths/~1api~1v1~1themes/post)',
    ]);
  });

  it('cannot tell of an Admin description that lacks them, and says nothing of other services', () => {
    expect(briefOf(spec07, described())).toEqual({ '': 'cannot tell' });
    expect(briefOf(spec07, descriptionWith({ service: 'ai' }))).toEqual({});
  });
});

describe('SPEC-08', () => {
  it('lists deprecated operations', () => {
    expect(briefOf(spec08, described(operationWith(), operationWith({ method: 'PUT', deprecated: true })))).toEqual({
      [STORES]: 'holds',
      'PUT /api/v1/stores': ['an operation is deprecated (/paths/~1api~1v1~1stores/put/deprecated)'],
    });
  });
});
