import { describe, expect, it } from 'vitest';
import { CannotGenerate } from '../cannot-generate.ts';
import { drawnBy } from '../chance.ts';
import { draw } from '../sampling.ts';
import { Matching } from './matching.ts';

function texts(pattern: string, bounds: { readonly minLength?: number; readonly maxLength?: number } = {}): string[] {
  const wanted = {
    patterns: [pattern],
    antipatterns: [],
    minLength: 0,
    maxLength: Number.POSITIVE_INFINITY,
    ...bounds,
  };
  const matching = new Matching(wanted);
  return Array.from({ length: 20 }, (_, turn) =>
    draw(
      drawnBy((chance) => matching.draw(chance)),
      1,
      String(turn),
    ),
  );
}

describe('a text of a pattern', () => {
  it.each([
    ['^store_[0-9a-z]{14}$', { minLength: 20 }],
    ['^[A-Z]{1,3}-[0-9]{4,8}$', { minLength: 10 }],
    ['^[0-9]{4}([.][0-9]{2}){0,3}$', { minLength: 8, maxLength: 13 }],
    ['^(?:ab)*$', { minLength: 9 }],
    // Begins anew at every place: anything may come before.
    ['abc$', { minLength: 9 }],
    ['(?:^a|b)$', { minLength: 4 }],
    ['^abc', { minLength: 9 }],
    ['^(?=.*\\d)[a-z\\d]{5}$', {}],
    ['^a$|^b{3}$', { minLength: 2 }],
  ])('%s matches, and is as long as it must be: %j', (pattern, bounds: { minLength?: number; maxLength?: number }) => {
    for (const text of texts(pattern, bounds)) {
      expect(text).toMatch(new RegExp(pattern, 'u'));
      expect(text.length).toBeGreaterThanOrEqual(bounds.minLength ?? 0);
      expect(text.length).toBeLessThanOrEqual(bounds.maxLength ?? Number.POSITIVE_INFINITY);
    }
  });

  it.each(['[a-z]*', '.*', '', '^', 'a?'])(
    'is refused where none breaks the pattern %j, which all texts match',
    (pattern) => {
      const unwanted = { patterns: [], antipatterns: [pattern], minLength: 1, maxLength: 8 };
      expect(() =>
        draw(
          drawnBy((chance) => new Matching(unwanted).draw(chance)),
          1,
          'x',
        ),
      ).toThrow(CannotGenerate);
    },
  );

  it('is refused where no text is long enough', () => {
    expect(() => texts('^[a-z]{3}$', { minLength: 4 })).toThrow('no text of at least 4 characters was found');
  });
});
