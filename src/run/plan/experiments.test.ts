import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { getting, sending } from '../../../test/support/run/test-session.ts';
import type { Experiment } from '../../probes/probe.ts';
import type { Reached } from '../../probes/world.ts';
import { heldTo } from './depth.ts';
import { besides, heldEarly, withEveryClauseLean } from './experiments.ts';

const on = (operation: string, stage: Experiment['stage'], ...clauses: string[]): Experiment =>
  sending([getting('/api/v1/products')], { stage, operation, clauses });

it("every clause's first experiment on an operation is lean, but for clauses that any answer is judged by", () => {
  const experiments = [
    on('GET a', 'lean', 'REQ-02'),
    on('GET a', 'depth', 'REQ-02'),
    on('GET b', 'depth', 'REQ-02'),
    on('GET b', 'depth', 'REQ-02', 'VER-01'),
    on('GET b', 'depth', 'VER-01'),
    on('GET a', 'depth', 'SCH-01'),
    on('GET b', 'depth', 'SCH-01'),
  ];
  const stages = withEveryClauseLean(experiments).map(({ stage }) => stage);
  expect(stages).toEqual(['lean', 'depth', 'lean', 'lean', 'depth', 'lean', 'depth']);
});

it('what is held operation by operation is, at its end, what would be held of all at once', () => {
  const drawn = fc.record({
    operation: fc.constantFrom('GET a', 'GET b', 'GET c'),
    stage: fc.constantFrom<Experiment['stage']>('lean', 'depth', 'depth', 'depth'),
    clauses: fc.uniqueArray(fc.constantFrom('REQ-02', 'VER-01', 'SCH-01', 'AUTH-05'), { minLength: 1, maxLength: 2 }),
    rank: fc.integer({ min: 1, max: 4 }),
    cost: fc.integer({ min: 1, max: 3 }),
    stands: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 40 }), fc.integer({ min: 0, max: 8 }), (list, most) => {
      const all = list.map(({ operation, stage, clauses, stands, ...rest }, index) => ({
        ...on(operation, stage, ...clauses),
        ...rest,
        probe: `number ${index}`,
        stands: () => stands,
      }));
      const each = [...Map.groupBy(all, ({ operation }) => operation).values()];
      const held = (experiments: readonly Experiment[]) =>
        heldTo(most, withEveryClauseLean(experiments)).map(({ probe, stage }) => ({ probe, stage }));
      expect(held(each.flatMap((own) => heldEarly(most, own)))).toEqual(held(each.flat()));
    }),
    { numRuns: 2_000 },
  );
});

describe('what is looked at beside an operation', () => {
  const ok = { responses: { 200: { description: 'Yes' } } };
  const ORDER = '/api/v1/orders/{orderId}';
  const parameters = [{ name: 'orderId', in: 'path', required: true, schema: { type: 'string' } }];

  /** The reader and the maker beside the operation, by their keys. */
  async function beside(key: string, stays = false, proven = true): Promise<readonly (string | undefined)[]> {
    const shop = await loadShop({
      '/api/v1/orders': { get: ok, post: ok },
      [ORDER]: { parameters, get: ok, put: ok },
      [`${ORDER}/cancel`]: { parameters, post: ok },
      [`${ORDER}/notes`]: { parameters, get: ok, post: ok },
      '/api/v1/preferences': { get: ok, put: ok },
    });
    const world = worldWith();
    const reached = shop.operations.map((one) =>
      reachedWith(
        world,
        shop,
        one.key,
        { orderId: 'o_1' },
        proven || one.key !== 'POST /api/v1/orders' ? {} : { proof: null },
      ),
    );
    const own = reached.find(({ operation }) => operation.key === key);
    const { reader, maker } = besides(reached, () => stays)(own as Reached);
    return [reader?.operation.key, maker?.operation.key];
  }

  it('is the read of what an update changes, or of the thing that an action is done to, with what makes such', async () => {
    expect(await beside('PUT /api/v1/preferences')).toEqual(['GET /api/v1/preferences', undefined]);
    expect(await beside(`PUT ${ORDER}`)).toEqual([`GET ${ORDER}`, undefined]);
    expect(await beside(`POST ${ORDER}/cancel`)).toEqual([`GET ${ORDER}`, 'POST /api/v1/orders']);
  });

  it('is nothing for what adds to a collection, and for actions on what stays or was never made', async () => {
    expect(await beside(`POST ${ORDER}/notes`)).toEqual([undefined, undefined]);
    expect(await beside('POST /api/v1/orders')).toEqual([undefined, undefined]);
    expect(await beside(`POST ${ORDER}/cancel`, true)).toEqual([undefined, undefined]);
    expect(await beside(`POST ${ORDER}/cancel`, false, false)).toEqual([undefined, undefined]);
  });
});
