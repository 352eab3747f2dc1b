import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENTRIES } from './clauses.ts';
import { basisOf, joinedGrounds, lackOf, rowGrounds } from './grounds.ts';
import type { Grounds } from './measures.ts';

describe('a floor', () => {
  const all = ENTRIES.flatMap(({ id, needs }) => Object.keys(needs).map((measure) => [id, measure, needs] as const));

  test.each(all)('of %s is not met when all but its %s are there', (clause, measure, floor) => {
    expect(lackOf(clause, floor)).toBeNull();
    const plenty = Object.fromEntries(Object.entries(floor).map(([name, least]) => [name, 10 * least]));
    expect(lackOf(clause, { ...plenty, [measure]: floor[measure as keyof Grounds]! - 1 })).toContain(
      'a pass needs at least',
    );
  });

  test('says what was there and what is needed', () => {
    expect(lackOf('PAG-07', { items: 1, pages: 1 })).toBe(
      '1 item, 1 page to judge by; a pass needs at least 3 items and 2 pages',
    );
    expect(lackOf('RATE-10', {})).toBe(
      'no exhausted window of one key to judge by; a pass needs at least 1 exhausted window of one key',
    );
  });

  test('is not asked of clauses of the user', () => {
    expect(lackOf('X-01', {})).toBeNull();
  });
});

describe('what a row rests on', () => {
  test.each([
    [
      [
        { items: 3, pages: 2 },
        { items: 57, pages: 6 },
      ],
      2,
      '2 lists of 3 to 57 items',
    ],
    [[{ items: 4, pages: 2 }], 1, 'a list of 4 items'],
    [[{ items: Number.POSITIVE_INFINITY }, { items: 1.5 }, { items: 4, pages: 2 }], 3, 'a list of 4 items'],
    [[{ answers: 400 }, { answers: 12 }], 48, '412 answers of 48 operations'],
    [[{ answers: 23_712 }], 1582, '23,712 answers of 1,582 operations'],
    [[{ windows: 1 }], 0, '1 exhausted window of one key'],
    [[{ descriptions: 1 }, { descriptions: 1 }], 0, '2 descriptions'],
    [[{ descriptions: 1 }], 1, 'the description of one operation'],
    [[{ hostile: 9 }, { answers: 2 }], 2, '9 hostile inputs of 2 operations'],
    [[], 0, ''],
  ] as [Grounds[], number, string][])('%j on %i operations is %j', (places, operations, words) => {
    expect(basisOf(rowGrounds(places), operations)).toBe(words);
  });

  test('is the same however the places are shared among the parts of a run', () => {
    const grounds = fc.record({ answers: fc.nat(), items: fc.nat() }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(grounds), fc.nat(5), (places, at) => {
        const parts = [places.slice(0, at), places.slice(at)].map(rowGrounds);
        expect(joinedGrounds(parts, places.length)).toEqual(rowGrounds(places));
      }),
    );
  });
});
