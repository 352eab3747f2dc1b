// Points of the curves at which limiters were blamed or passed wrongly, and those beside them. `npm run curves` shows the whole.
// By day a third of them is measured, others each day.
import { describe, expect, it } from 'vitest';
import { shareDue } from '../../test/programme.ts';
import { type Measured, measured, type Point } from './curves.ts';

type Place = readonly [curve: string, size: number, world: Point['world'], seed: number];

async function outcomeAt([curve, size, world, seed]: Place): Promise<Measured> {
  return measured({ curve, size, world, seed });
}

describe('a limiter', () => {
  it.each(
    shareDue<Place>(
      [
        ['shared', 0, 'calm', 1],
        ['ceiling', 1, 'calm', 1],
        ['ceiling', 0.99, 'calm', 1],
        ['early', 1, 'calm', 1],
      ],
      3,
    ),
  )('that is sound passes: %s of %d in the world %s at seed %d', async (...place) => {
    expect(await outcomeAt(place)).toMatchObject({ outcome: 'passed', others: [] });
  });

  it.each(
    shareDue<Place>(
      [
        ['shared', 0.2, 'calm', 1],
        ['ceiling', 0.95, 'calm', 1],
        ['ceiling', 0.8, 'distant', 1],
        ['bucket', 0.6, 'calm', 1],
        ['calls-left', 0.05, 'calm', 1],
        ['early', 2, 'calm', 1],
      ],
      3,
    ),
  )('that deviates is blamed: %s of %d in the world %s at seed %d', async (...place) => {
    expect(await outcomeAt(place)).toMatchObject({ outcome: 'blamed' });
  });

  it.each(
    shareDue<Place>(
      [
        ['shared', 0.1, 'calm', 1],
        ['too-many', 1.02, 'others-10', 2],
        ['early', 2, 'others-10', 1],
        ['ceiling', 0.9, 'others-10', 1],
      ],
      3,
    ),
  )('is not passed where others may hide it: %s of %d in the world %s at seed %d', async (...place) => {
    expect(await outcomeAt(place)).toMatchObject({ outcome: 'not told', others: [] });
  });

  it.each(
    shareDue<Place>(
      [
        ['bucket', 1, 'others-50', 1],
        ['bucket', 1, 'others-50', 2],
        ['bucket', 1, 'others-50', 3],
        ['ceiling', 0.99, 'others-1', 1],
        ['ceiling', 0.99, 'others-1', 4],
      ],
      3,
    ),
  )('that the contract allows is not blamed for others: %s of %d in the world %s at seed %d', async (...place) => {
    const { outcome, others } = await outcomeAt(place);
    expect([outcome, others]).not.toContain('blamed');
    expect(others).toEqual([]);
  });
});
