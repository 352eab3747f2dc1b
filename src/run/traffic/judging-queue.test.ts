// Tests that exchanges which wait to be judged are judged in order, and that those without room are counted.
import { expect, it } from 'vitest';
import { simulatedClock } from '../../clock/simulated.ts';
import { JudgingQueue } from './judging-queue.ts';
import type { Seen } from './seen.ts';

const seen = (place: string): Seen => ({
  place,
  request: { method: 'GET', url: 'http://shop.test/', headers: [], isComplete: true, body: { kind: 'none' } },
  ...{ answer: 'has no answer', times: null },
});

it('judges all in order, gives back what they held, and counts those for which there is no room', async () => {
  const judged: string[] = [];
  const left: string[] = [];
  let released = 0;
  const judging = { observe: ({ place }: Seen) => judged.push(place), leaveOut: (reason: string) => left.push(reason) };
  const clock = simulatedClock();
  const queue = new JudgingQueue(judging, clock, 3);
  for (const place of ['a', 'b', 'c', 'd'])
    queue.add({
      seen: seen(place),
      release: () => {
        released += 1;
      },
    });
  expect(judged).toEqual([]);
  await clock.drive(queue.emptied());
  expect({ judged, left, released }).toEqual({
    judged: ['a', 'b', 'c'],
    left: ['came while the queue was full'],
    released: 4,
  });
  await clock.drive(queue.emptied());
});
