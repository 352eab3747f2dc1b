// What experiments perform where a budget bounds the run is data of their declarations: their steps never ask for the budget.
import { expect, test } from 'vitest';
import { SOURCES } from './sources.ts';

const EXPERIMENTS = /^src\/probes\/(?!world\.ts)(?!.*\.test\.ts$)/;
test('no experiment asks whether the run is brief', () => {
  const looked = [...SOURCES.values()].filter(({ path }) => EXPERIMENTS.test(path));
  const asking = looked.filter(({ mentions }) => [...mentions].some((name) => /\bisBrief\b/.test(name)));
  expect(asking.map(({ path }) => path)).toEqual([]);
});
