import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapped } from './wrapped.ts';

test('breaks at words and indents what follows', () => {
  expect(wrapped('  ERR-04  status differs from the HTTP status', 24, 10)).toEqual([
    '  ERR-04  status differs',
    '          from the HTTP',
    '          status',
  ]);
});

test('leaves a word that is longer than a line whole', () => {
  expect(wrapped(`see ${'x'.repeat(30)} there`, 20, 2)).toEqual(['see', `  ${'x'.repeat(30)}`, '  there']);
});

test('loses no word, keeps the order, and goes beyond the width for a single long word only', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1 });
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 80 }), fc.nat(30), (all, columns, hang) => {
      const lines = wrapped(all.join(' '), columns, hang);
      expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(all);
      for (const line of lines) if (line.trim().includes(' ')) expect(line.length).toBeLessThanOrEqual(columns);
    }),
  );
});
