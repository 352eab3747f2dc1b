import { expect, it } from 'vitest';
import { type Planned, placesOf } from './plans.ts';

const LIST: Planned = { pattern: 'page', extent: 57, size: 57, accepted: 100, usual: 20 };
const LIMITED: Planned = { ...LIST, pattern: 'limit' };

it.each(['page', 'offset'] as const)(
  'a brief look reads fewer pages than a first one, the second, the third and the last of them (%s)',
  (pattern) => {
    const brief = placesOf('brief', { ...LIST, pattern });
    expect(brief.length).toBeLessThan(placesOf('first', { ...LIST, pattern }).length / 2 + 1);
    expect(brief).toContainEqual({ limit: 10, at: 10 });
    expect(brief).toContainEqual({ limit: 20, at: 40 });
    expect(brief).toContainEqual({ limit: 1, at: 56 });
  },
);

it('a look at a further list reads some of the pages that a brief one reads, the second and the last among them', () => {
  const further = placesOf('further', LIST);
  expect(placesOf('brief', { ...LIST, pattern: 'offset' })).toEqual(expect.arrayContaining([...further]));
  expect(further).toContainEqual({ limit: 10, at: 10 });
  expect(further.some(({ limit, at }) => at + limit >= 57)).toBe(true);
  expect(placesOf('further', LIMITED).map(({ limit }) => limit)).toEqual([1, 10]);
});

it('a brief look asks for nothing beyond a short list', () => {
  for (const extent of [0, 1, 3])
    for (const { at } of placesOf('brief', { ...LIST, extent, size: extent, pattern: 'offset' }))
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
  const brief = placesOf('brief', LIMITED).map(({ limit }) => limit);
  expect(brief).toEqual([1, 10, 56, 7]);
  expect(placesOf('first', LIMITED).map(({ limit }) => limit)).toEqual(expect.arrayContaining(brief));
});
