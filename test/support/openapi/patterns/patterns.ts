// Patterns and texts for tests, drawn by fast-check: everything that the syntax offers but references back, with the
// characters that a reader of UTF-16 may get wrong.
import * as fc from 'fast-check';

const PARTS = [
  ...['a', 'b', '-', '1', 'é', '😀', '\\.', '\\x61', '\\n', '\\u2028', '.', '[^]', '[]'],
  ...['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\p{L}', '\\P{L}', '[ab]', '[^a]', '[^\\s-]', '[😀é]', '[a-\\u00ff]'],
];
const ASSERTIONS = ['^', '$', '\\b', '\\B'];
const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{2,}', '{0,2}?'];

const { pattern } = fc.letrec<{ pattern: string; sequence: string; element: string }>((tie) => {
  const parts = { minLength: 1, maxLength: 4, depthIdentifier: 'pattern' };
  const quantifier = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: fc.constantFrom(...QUANTIFIERS) },
  );
  const within = (open: readonly string[]) =>
    fc.tuple(fc.constantFrom(...open), tie('pattern')).map(([begin, inner]) => `${begin}${inner})`);
  return {
    pattern: fc.array(tie('sequence'), { ...parts, maxLength: 3 }).map((alternatives) => alternatives.join('|')),
    sequence: fc.array(tie('element'), { ...parts, minLength: 0 }).map((elements) => elements.join('')),
    element: fc.oneof(
      { depthSize: 'small', depthIdentifier: 'pattern' },
      { weight: 5, arbitrary: fc.tuple(fc.constantFrom(...PARTS), quantifier).map((both) => both.join('')) },
      { weight: 1, arbitrary: fc.constantFrom(...ASSERTIONS) },
      { weight: 2, arbitrary: fc.tuple(within(['(', '(?:']), quantifier).map((both) => both.join('')) },
      { weight: 1, arbitrary: within(['(?=', '(?!', '(?<=', '(?<!']) },
    ),
  };
});

/** Patterns that are valid with the u flag or without it. */
export const patterns = pattern;

export const texts = fc
  .array(
    fc.constantFrom('a', 'a', 'b', '-', '1', ' ', '_', 'A', 'é', '😀', '\ud83d', '\ude00', '\n', '\u2028', '\u00a0'),
    { maxLength: 10 },
  )
  .map((characters) => characters.join(''));

/** V8 looks for matches without characters within a surrogate pair, too, which ECMA-262 does not. */
export function matchesWithinPair(expression: RegExp, text: string): boolean {
  const index = expression.exec(text)?.index ?? 0;
  return expression.unicode && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, index - 1), index + 1));
}
