// What experiments perform where a budget bounds the run is data of their declarations: their steps never ask for the budget.
import { expect, test } from 'vitest';
import { SOURCES } from './sources.ts';

const DECLARED = /^src\/probes\/(pagination|life|idempotency)\/(?!.*\.test\.ts$)/;

test('no experiment on lists, lives or keys asks whether the run is brief', () => {
  const looked = [...SOURCES.values()].filter(({ path }) => DECLARED.test(path));
  const asking = looked.filter(({ mentions }) => [...mentions].some((name) => /\bisBrief\b/.test(name)));
  expect(looked.length).toBeGreaterThan(0);
  expect(asking.map(({ path }) => path)).toEqual([]);
});
