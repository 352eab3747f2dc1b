import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import type { Operation, Parameter } from '../../openapi/model/operation.ts';
import { declaredUse, Traffic } from './traffic.ts';

const SPOT = { service: 'admin', operation: 'POST /a/{id}' };
const parameter = (place: Parameter['in'], name: string) => ({ in: place, name }) as Parameter;
const OPERATION = {
  key: SPOT.operation,
  service: SPOT.service,
  parameters: [
    parameter('path', 'id'),
    parameter('query', 'limit'),
    parameter('query', 'filter'),
    parameter('query', 'never'),
    parameter('header', 'Idempotency-Key'),
    parameter('cookie', 'session'),
  ],
  requestBody: { required: true, content: [] },
  responses: ['201', '4XX', '503'].map((status) => ({ status, content: [], headers: [] })),
} as unknown as Operation;

function traffic(): Traffic {
  const counted = new Traffic();
  const answered = exchangeWith();
  const sent = (url: string, status: number, headers: readonly (readonly [string, string])[], body: string | null) =>
    counted.count(SPOT, {
      ...answered,
      request: { ...answered.request, url, headers, body },
      response: { ...answered.response!, status },
    });
  sent('http://h/a/1?limit=2&limit=3&filter%5Bname%5D=x', 201, [['idempotency-key', 'k']], '{}');
  sent('http://h/a/1', 404, [['Cookie', 'a=b; session=c']], null);
  sent('http://h/a/1?unknown=1', 418, [], null);
  return counted;
}

describe('what a description declares', () => {
  const use = declaredUse(OPERATION, traffic().get('admin POST /a/{id}'));

  it('is counted once for each request that sent it, and nothing else is', () => {
    expect(use.parameters).toEqual({
      'path id': 3,
      'query limit': 1,
      'query filter': 1,
      'query never': 0,
      'header Idempotency-Key': 1,
      'cookie session': 1,
      body: 1,
    });
  });

  it('counts answers under the status that declares them', () => {
    expect(use.statuses).toEqual({ 201: 1, '4XX': 2, 503: 0 });
  });

  it('was not used where nothing was sent', () => {
    const { parameters, statuses } = declaredUse(OPERATION, undefined);
    expect([...Object.values(parameters), ...Object.values(statuses)].every((count) => count === 0)).toBe(true);
  });

  it('durations of all answers are kept in classes', () => {
    expect([...traffic().get('admin POST /a/{id}')!.latency.values()]).toEqual([3]);
  });
});

describe('how long an answer takes', () => {
  const ended = (durationMs: number) => ({ ...exchangeWith(), durationMs });
  /** Each answer is taken in as a run does; `together`: so many requests are under way at once. */
  const aloneMs = (groups: readonly { readonly together: number; readonly ms: number }[]): number => {
    const counted = new Traffic();
    for (const { together, ms } of groups) {
      for (let one = 0; one < together; one += 1) counted.begin();
      for (let one = 0; one < together; one += 1) {
        counted.count(SPOT, ended(ms));
        counted.end([ended(ms)]);
      }
    }
    return counted.aloneMs;
  };

  it('is told of requests that go alone: those under way together wait for one another', () => {
    const alone = Array(5).fill({ together: 1, ms: 10 });
    expect(aloneMs([{ together: 8, ms: 300 }, ...alone, { together: 2, ms: 80 }])).toBe(10);
  });

  it('is told of any until enough went alone', () => {
    expect(
      aloneMs([
        { together: 3, ms: 300 },
        { together: 1, ms: 100 },
      ]),
    ).toBe(250);
    expect(aloneMs([])).toBe(0);
  });

  it('is told apart of what changes something, once enough did', () => {
    const changeMs = (changes: number, status: number): number => {
      const counted = new Traffic();
      const answers = [
        ...Array(20).fill({ ...exchangeWith({ status: 404 }), durationMs: 10 }),
        ...Array(changes).fill({
          ...exchangeWith({ status, plan: { ...exchangeWith().plan, method: 'POST' } }),
          durationMs: 510,
        }),
      ];
      for (const answer of answers) {
        counted.begin();
        counted.count(SPOT, answer);
        counted.end([answer]);
      }
      return counted.changeMs;
    };
    expect([changeMs(5, 201), changeMs(5, 400), changeMs(4, 201)]).toEqual([510, 110, 10 + 4 * (500 / 24)]);
  });
});

it('tells how many calls were not answered, where some were not', () => {
  const counted = traffic();
  expect(counted.lostOf(SPOT)).toBe('');
  counted.count(SPOT, exchangeWith({ response: null }));
  expect(counted.lostOf(SPOT)).toBe('; 1 of 4 calls was not answered');
});

describe('the lists of an operation', () => {
  const shown = (...bodies: readonly unknown[]): string | undefined => {
    const spot = { service: 'admin', operation: 'GET /a' };
    const counted = new Traffic();
    for (const body of bodies) counted.count(spot, exchangeWith({ plan: { operation: 'GET /a' }, body }));
    return counted.get('admin GET /a')?.lists;
  };

  it('are empty where each of them was, in an envelope, too', () => {
    expect([shown([], []), shown({ items: [], total: 0 }), shown({ data: { results: [] } })]).toEqual([
      ...['empty', 'empty', 'empty'],
    ]);
  });

  it('are not where one showed an item, and none are told of what is no list', () => {
    expect([shown([], [{ id: 1 }], []), shown({ items: [1] })]).toEqual(['filled', 'filled']);
    expect([shown({ status: 'ok' }), shown({ id: 7, tags: [] }), shown('text')]).toEqual(Array(3).fill(undefined));
  });
});
