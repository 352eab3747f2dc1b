// Parts of a URL: any text can be encoded, by Node and by the engine that runs k6's scripts.
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { uriDecoded, uriEncoded } from './decoded.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('any text is encoded, and decoded to what it was but for halves of surrogate pairs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud83d', '\udc00\udc00'), (text, half) => {
      expect(uriDecoded(uriEncoded(text + half))).toBe((text + half).toWellFormed());
    }),
  );
});

it('a text is encoded by an engine that has no toWellFormed, as that of k6 has none', () => {
  vi.spyOn(String.prototype, 'toWellFormed').mockImplementation(() => {
    throw new TypeError('toWellFormed is not a function');
  });
  expect([uriEncoded('a b'), uriEncoded('\ud83d\ude00'), uriEncoded('x\udc00')]).toEqual([
    'a%20b',
    '%F0%9F%98%80',
    'x%EF%BF%BD',
  ]);
});
