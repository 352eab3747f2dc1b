import { expect, it } from 'vitest';
import {
  briefCountedPlaces,
  briefLimits,
  briefPlaces,
  firstLimits,
  firstPlaces,
  furtherLimits,
  furtherPlaces,
} from './plans.ts';

it.each([true, false])(
  'a brief look reads fewer pages than a first one, the second, the third and the last of them (pages numbered: %s)',
  (numbered) => {
    const brief = briefPlaces(57, 100, { numbered });
    expect(brief.length).toBeLessThan(firstPlaces(57, 100, { numbered }).length / 2 + 1);
    expect(brief).toContainEqual({ limit: 10, at: 10 });
    expect(brief).toContainEqual({ limit: 20, at: 40 });
    expect(brief).toContainEqual({ limit: 1, at: 56 });
  },
);

it('a look at a further list reads some of the pages that a brief one reads, the second and the last among them', () => {
  const further = furtherPlaces(57, 100);
  expect(briefPlaces(57, 100, { numbered: false })).toEqual(expect.arrayContaining([...further]));
  expect(further).toContainEqual({ limit: 10, at: 10 });
  expect(further.some(({ limit, at }) => at + limit >= 57)).toBe(true);
  expect(furtherLimits(100).map(({ limit }) => limit)).toEqual([1, 10]);
});

it('a brief look asks for nothing beyond a short list', () => {
  for (const extent of [0, 1, 3])
    for (const { at } of briefPlaces(extent, 100, { numbered: false })) expect(at).toBeLessThan(Math.max(1, extent));
});

it('a brief look at a log leaves out a walk, and keeps the pages by all other limits', () => {
  const whole = firstPlaces(57, 100, { numbered: true });
  const brief = briefCountedPlaces(57, 100);
  expect(whole).toEqual(expect.arrayContaining([...brief]));
  expect(whole.length - brief.length).toBe(3);
  expect(new Set(brief.map(({ limit }) => limit))).toEqual(new Set([100, 10, 7, 50, 3, 1]));
});

it('a brief look at a list with a limit alone asks for one item, for few, for more and for all but one', () => {
  const brief = briefLimits(57, 100).map(({ limit }) => limit);
  expect(brief).toEqual([1, 10, 56, 7]);
  expect(firstLimits(57, 100).map(({ limit }) => limit)).toEqual(expect.arrayContaining(brief));
});
