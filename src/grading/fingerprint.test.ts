import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fingerprint, normalPointer } from './fingerprint.ts';

const BASE = ['ERR-04', 'admin', 'GET /api/v1/stores', 'status differs', '/error/status'] as const;
type Place = [string, string | null, string | null, string, string | null];

it('is the same in every run', () => {
  expect(fingerprint(...BASE)).toBe(fingerprint(...BASE));
  expect(fingerprint(...BASE)).toMatch(/^[0-9a-f]{16}$/);
});

it.each([0, 1, 2, 3, 4])('differs with member %i of what the finding is about', (index) => {
  const changed = BASE.map((value, at) => (at === index ? `${value}x` : value)) as Place;
  const absent = BASE.map((value, at) => (at === index && index !== 0 && index !== 3 ? null : value)) as Place;
  expect(fingerprint(...changed)).not.toBe(fingerprint(...BASE));
  if (index !== 0 && index !== 3) expect(fingerprint(...absent)).not.toBe(fingerprint(...BASE));
});

it('does not tell the items of an array apart once the pointer is normal', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (left, right) => {
      const at = (index: number): string =>
        fingerprint('SCH-01', 'admin', null, 'type', normalPointer(`/data/${index}/tags/${index}`));
      expect(at(left)).toBe(at(right));
    }),
  );
});

it.each([
  ['', ''],
  ['/data/0', '/data/*'],
  ['/0/1/2', '/*/*/*'],
  ['/v1/item2/a3', '/v1/item2/a3'],
  ['/error/errors/12/field', '/error/errors/*/field'],
])('the pointer %j becomes %j', (pointer, normal) => {
  expect(normalPointer(pointer)).toBe(normal);
});
