import { expect, it } from 'vitest';
import { narrow, open, settle } from './draft.ts';

const values = (...enums: readonly (readonly unknown[])[]): readonly unknown[] | null => {
  const form = open();
  for (const stated of enums) narrow(form, { enum: stated }, []);
  return form.values;
};

it('enumerations that meet leave what all of them list, whatever the order of members', () => {
  expect(values(['a', { x: 1, y: [2] }, null, 3], [3, { y: [2], x: 1 }, 'b'])).toEqual([{ x: 1, y: [2] }, 3]);
  expect(values(['a'], ['b'])).toEqual([]);
  expect(values([0, '0', false, null], [0])).toEqual([0]);
});

it('an enumeration of half a million values is met by another in one pass', () => {
  const many = Array.from({ length: 500_000 }, (_, index) => `v${index}`);
  expect(values(many, many)).toHaveLength(500_000);
});

it('what must be larger than any value that is made has none, with the reason', () => {
  for (const schema of [{ minLength: 1e8 }, { minItems: 1e8 }, { minProperties: 1e8 }]) {
    const form = open();
    const type = 'minLength' in schema ? 'string' : 'minItems' in schema ? 'array' : 'object';
    narrow(form, { type, ...schema }, []);
    expect(settle(form)).toMatch(/^it must be larger than any value that is made/);
  }
});
