import { expect, test } from 'vitest';
import { droppedIn } from './figures.ts';

test('requests that were dropped count where all later ones became late, and not where numbers end', () => {
  // Ten of fifteen a second found no sender in the third second.
  const late = [1, 2, 2, 667, 668, 667];
  const windows = late.map((leastLateMs, at) => ({ leastLateMs, received: at === 5 ? 5 : 15 }));
  expect(droppedIn(windows, 15, 90)).toEqual([0, 0, 10, 0, 0, 0]);
});

test('a generator that is late and drops nothing has dropped nothing', () => {
  const windows = [300, 300, 310].map((leastLateMs) => ({ leastLateMs, received: 15 }));
  expect(droppedIn(windows, 15, 45)).toEqual([0, 0, 0]);
});

test('windows without a request tell nothing of when, and what is left was dropped in the last', () => {
  const windows = [
    { leastLateMs: 0, received: 15 },
    { leastLateMs: null, received: 0 },
    { leastLateMs: null, received: 0 },
  ];
  expect(droppedIn(windows, 15, 45)).toEqual([0, 0, 30]);
});
