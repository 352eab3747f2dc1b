import { expect, it } from 'vitest';
import type { Experiment } from '../probes/probe.ts';
import { withEveryClauseLean } from './experiments.ts';
import { getting, sending } from './test-session.ts';

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
