import { expect, it } from 'vitest';
import { limitsOf, placesOf } from './plans.ts';

const LIST = { extent: 57, accepted: 100, numbered: true };

it.each([true, false])(
  'a brief look reads fewer pages than a first one, the second, the third and the last of them (pages numbered: %s)',
  (numbered) => {
    const brief = placesOf('brief', { ...LIST, numbered });
    expect(brief.length).toBeLessThan(placesOf('first', { ...LIST, numbered }).length / 2 + 1);
    expect(brief).toContainEqual({ limit: 10, at: 10 });
    expect(brief).toContainEqual({ limit: 20, at: 40 });
    expect(brief).toContainEqual({ limit: 1, at: 56 });
  },
);

it('a look at a further list reads some of the pages that a brief one reads, the second and the last among them', () => {
  const further = placesOf('further', LIST);
  expect(placesOf('brief', { ...LIST, numbered: false })).toEqual(expect.arrayContaining([...further]));
  expect(further).toContainEqual({ limit: 10, at: 10 });
  expect(further.some(({ limit, at }) => at + limit >= 57)).toBe(true);
  expect(limitsOf('further', LIST).map(({ limit }) => limit)).toEqual([1, 10]);
});

it('a brief look asks for nothing beyond a short list', () => {
  for (const extent of [0, 1, 3])
    for (const { at } of placesOf('brief', { ...LIST, extent, numbered: false }))
      expect(at).toBeLessThan(Math.max(1, extent));
});

it('a brief look at a log leaves out a walk, and keeps the pages by all other limits', () => {
  const whole = placesOf('first', LIST);
  const brief = placesOf('brief-counted', LIST);
  expect(whole).toEqual(expect.arrayContaining([...brief]));
  expect(whole.length - brief.length).toBe(3);
  expect(new Set(brief.map(({ limit }) => limit))).toEqual(new Set([100, 10, 7, 50, 3, 1]));
});

it('a brief look at a list with a limit alone asks for one item, for few, for more and for all but one', () => {
  const brief = limitsOf('brief', LIST).map(({ limit }) => limit);
  expect(brief).toEqual([1, 10, 56, 7]);
  expect(limitsOf('first', LIST).map(({ limit }) => limit)).toEqual(expect.arrayContaining(brief));
});
