import { expect, it } from 'vitest';
import { lanesBy, runLanes } from './lanes.ts';

it('a lane is worked in order, lanes side by side, no more than the width at once', async () => {
  const running = new Set<string>();
  const done: string[] = [];
  let most = 0;
  await runLanes([['a1', 'a2', 'a3'], ['b1', 'b2'], ['c1'], []], 2, async (item) => {
    running.add(item);
    most = Math.max(most, running.size);
    await Promise.resolve();
    await Promise.resolve();
    running.delete(item);
    done.push(item);
  });
  expect(most).toBe(2);
  expect(done.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  for (const lane of ['a', 'b'])
    expect(done.filter((item) => item.startsWith(lane))).toEqual(
      done.filter((item) => item.startsWith(lane)).toSorted(),
    );
});

it('the first error stops every lane, and what was under way is waited for', async () => {
  const done: string[] = [];
  const work = async (item: string): Promise<void> => {
    await Promise.resolve();
    if (item === 'a1') throw new Error('first');
    if (item === 'b1') throw new Error('second');
    done.push(item);
  };
  await expect(runLanes([['a1', 'a2'], ['b1', 'b2'], ['c1', 'c2'], ['d1']], 3, work)).rejects.toThrow('first');
  expect(done).toEqual(['c1']);
});

it('items of one key share a lane, in the order of first appearance', () => {
  expect(lanesBy(['b1', 'a1', 'b2'], (item) => item[0] ?? '')).toEqual([['b1', 'b2'], ['a1']]);
});
