import { expect, test } from 'vitest';
import type { SpikePart } from '../contract/load-part.ts';
import { loadFigures } from './figures.ts';

const PEAK = {
  ...{ rps: 100, seconds: 10, answers: 1000, p50Ms: 2, p99Ms: 9, errorRate: 0, limitedRate: 0, dropped: 0 },
  ...{ lateP99Ms: 0, generatorCpu: null, decision: 'met', why: '' },
} as const;
const named = (spike: object): readonly string[] =>
  loadFigures({ suite: 'spike', spike: { generator: null, peak: PEAK, ...spike } as Partial<SpikePart> }).map(
    ({ figure }) => figure,
  );

test('a spike is remembered by its latency and errors', () => {
  expect(named({})).toEqual(['p50', 'p99', 'errors']);
});

test('of what was never sent no errors are remembered, and of few answers no percentile', () => {
  expect(named({ peak: { ...PEAK, dropped: 720 } })).toEqual(['p50', 'p99']);
  expect(named({ peak: { ...PEAK, answers: 40 } })).toEqual(['p50', 'errors']);
});

test('of a run in which the generator or the limiter was in the way nothing is remembered', () => {
  expect(named({ generator: 'requests were sent 40 ms late' })).toEqual([]);
  expect(named({ peak: { ...PEAK, decision: 'void' } })).toEqual([]);
});
