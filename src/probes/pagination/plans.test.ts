import { expect, it } from 'vitest';
import { lookAt } from './looks.ts';
import { type Planned, placesOf } from './plans.ts';

const ofItems = (known: number, size = known) => ({ size, known, length: size });
const LIST: Planned = { rules: { turner: 'page' }, sequence: ofItems(57), accepted: 100, usual: 20 };
const LIMITED: Planned = { ...LIST, rules: { turner: null } };

const firstOf = (list: Planned, closeness: 'whole' | 'brief' | 'further', isCounted = false) =>
  placesOf(list, lookAt({ isCounted }, closeness).first);

it.each(['page', 'item'] as const)(
  'a brief look reads fewer pages than a first one, the second, the third and the last of them (%s)',
  (by) => {
    const brief = firstOf({ ...LIST, rules: { turner: by } }, 'brief');
    expect(brief.length).toBeLessThan(firstOf({ ...LIST, rules: { turner: by } }, 'whole').length / 2 + 1);
    expect(brief).toContainEqual({ limit: 10, at: 10 });
    expect(brief).toContainEqual({ limit: 20, at: 40 });
    expect(brief).toContainEqual({ limit: 1, at: 56 });
  },
);

it('a look at a further list reads some of the pages that a brief one reads, the second and the last among them', () => {
  const further = firstOf(LIST, 'further');
  expect(firstOf({ ...LIST, rules: { turner: 'item' } }, 'brief')).toEqual(expect.arrayContaining([...further]));
  expect(further).toContainEqual({ limit: 10, at: 10 });
  expect(further.some(({ limit, at }) => at + limit >= 57)).toBe(true);
  expect(firstOf(LIMITED, 'further').map(({ limit }) => limit)).toEqual([1, 10]);
});

it('a brief look asks for nothing beyond a short list', () => {
  for (const extent of [0, 1, 3])
    for (const { at } of firstOf({ ...LIST, sequence: ofItems(extent), rules: { turner: 'item' } }, 'brief'))
      expect(at).toBeLessThan(Math.max(1, extent));
});

it('a brief look at a log leaves out a walk, and keeps the pages by all other limits', () => {
  const whole = firstOf(LIST, 'whole', true);
  const brief = firstOf(LIST, 'brief', true);
  expect(whole).toEqual(expect.arrayContaining([...brief]));
  expect(brief.length).toBeGreaterThan(firstOf(LIST, 'brief').length);
  expect(new Set(brief.map(({ limit }) => limit))).toEqual(new Set([20, 10, 7, 50, 3, 1]));
});

it('a look at a list that is too long to be walked whole reads its end, too', () => {
  const long = { ...LIST, sequence: ofItems(1200, 5000) };
  const ends = firstOf(long, 'further').filter(({ at }) => at >= 1200);
  expect(ends).toEqual([100, 10, 7].map((limit) => ({ limit, at: 4999 })));
});

it('a brief look at a list with a limit alone asks for one item, for few, for more and for all but one', () => {
  const brief = firstOf(LIMITED, 'brief').map(({ limit }) => limit);
  expect(brief).toEqual([1, 10, 56, 7]);
  expect(firstOf(LIMITED, 'whole').map(({ limit }) => limit)).toEqual(expect.arrayContaining(brief));
});
