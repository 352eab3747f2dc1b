import { expect, test } from 'vitest';
import { copied } from './json.ts';

test('a copy is the same and shares nothing', () => {
  const value = { list: [{ a: 1 }, [null, 'b']], nested: { deep: { c: true } }, none: null };
  const copy = copied(value);
  expect(copy).toEqual(value);
  Object.assign(copy.nested.deep, { c: false });
  (copy.list as unknown[]).push('more');
  Object.assign(copy.list[0] as object, { a: 2 });
  expect(value).toEqual({ list: [{ a: 1 }, [null, 'b']], nested: { deep: { c: true } }, none: null });
});

test('a copy keeps members whatever their names', () => {
  const value = JSON.parse('{"__proto__":{"a":[1]},"constructor":2}');
  const copy = copied(value);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});
