import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { InputBook } from './input-coverage.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things/{id}': {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } },
          { name: 'open', in: 'query', schema: { type: 'boolean' } },
        ],
        responses: { 200: { description: 'OK' } },
      },
    },
  },
};

let described: Described;
beforeAll(async () => {
  [described] = createCatalogue([await loadFiles({ 'things.json': DOCUMENT })]).operations as [Described];
});

function bookOf(...sent: readonly (readonly [query: string, status: number, change?: Partial<RequestPlan>])[]) {
  const book = new InputBook();
  for (const [query, status, change] of sent) {
    const exchange = exchangeWith();
    const plan = {
      ...exchange.plan,
      method: 'GET',
      path: '/things/1',
      query,
      body: { kind: 'none' },
      ...change,
    } as const;
    book.observe({ ...exchange, plan, response: { ...exchange.response!, status } }, described);
  }
  const { targets, exercised, open } = book.row(described, { reason: 'budget' });
  expect(exercised + open.length).toBe(targets);
  return open;
}

const opens = (open: ReturnType<typeof bookOf>) => open.map(({ at, kind }) => `${at} ${kind}`);

describe('the book of inputs', () => {
  it('says of what was never sent that it is open, and why', () => {
    expect(bookOf()).toContainEqual({ at: '/query/limit', kind: 'minimum', reason: 'budget' });
  });

  it('settles all that a served request carries', () => {
    const open = opens(bookOf(['limit=1&open=true', 200]));
    expect(open).not.toContain('/query/limit minimum');
    expect(open).not.toContain('/query/open true');
    expect(open).toContain('/query/open false');
  });

  it('settles nothing by an answer that did not look at the input', () => {
    for (const status of [401, 403, 404, 429, 503])
      expect(opens(bookOf(['limit=1', status]))).toContain('/query/limit minimum');
  });

  it('leaves open what was refused together with other input that was never served', () => {
    const open = bookOf(['limit=1&open=true', 400]);
    expect(open).toContainEqual({
      at: '/query/limit',
      kind: 'minimum',
      reason: 'precondition',
      note: 'sent with other input, and refused with 400',
    });
  });

  it('settles no valid input by a conflict with what is there', () => {
    const served = [
      ['open=true', 200],
      ['limit=5&open=true', 200],
    ] as const;
    expect(opens(bookOf(...served, ['limit=1&open=true', 409]))).toContain('/query/limit minimum');
  });

  it('settles by a refusal the one thing in a request that was not served before', () => {
    const open = opens(bookOf(['open=true', 200], ['limit=5&open=true', 200], ['limit=1&open=true', 400]));
    expect(open).not.toContain('/query/limit minimum');
  });

  it('takes an id for unknown where no call with it was served', () => {
    const invalid = { intent: 'invalid' } as const;
    expect(opens(bookOf(['', 200], ['', 404, invalid]))).toContain('/path/id unknown id');
    expect(opens(bookOf(['', 200], ['', 404, { ...invalid, path: '/things/2' }]))).not.toContain('/path/id unknown id');
  });

  it('counts a broken keyword once an answer looked at it', () => {
    const invalid = { intent: 'invalid' } as const;
    expect(opens(bookOf(['limit=0', 404, invalid]))).toContain('/query/limit breaks minimum');
    expect(opens(bookOf(['limit=0', 400, invalid]))).not.toContain('/query/limit breaks minimum');
  });

  it('leaves to another shard what is asked there', () => {
    expect(opens(bookOf(['limit=1', 200, { elsewhere: true }]))).toContain('/query/limit minimum');
  });
});
