import { expect, it } from 'vitest';
import { briefPlaces, firstPlaces } from './plans.ts';

it.each([true, false])(
  'a brief look reads fewer pages than a first one, the second, the third and the last of them (pages numbered: %s)',
  (numbered) => {
    const brief = briefPlaces(57, numbered, 100);
    expect(brief.length).toBeLessThan(firstPlaces(57, numbered, 100).length / 2 + 1);
    expect(brief).toContainEqual({ limit: 10, at: 10 });
    expect(brief).toContainEqual({ limit: 20, at: 40 });
    expect(brief).toContainEqual({ limit: 1, at: 56 });
  },
);

it('a brief look asks for nothing beyond a short list', () => {
  for (const extent of [0, 1, 3])
    for (const { at } of briefPlaces(extent, false, 100)) expect(at).toBeLessThan(Math.max(1, extent));
});
