import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Experiment } from '../../probes/probe.ts';
import { getting, sending } from '../testing/test-session.ts';
import { heldTo } from './depth.ts';
import { heldEarly, withEveryClauseLean } from './experiments.ts';

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
