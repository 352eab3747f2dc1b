import { describe, expect, test } from 'vitest';
import { oncePer, oncePerValue } from './once-per.ts';

describe('what is made once', () => {
  test('is the same for the same object, also where it is nothing, and another for another one', () => {
    const asked: string[] = [];
    const made = oncePer((_: object, beside: string) =>
      beside === '' ? undefined : `${beside} ${asked.push(beside)}`,
    );
    const [one, other, third] = [{}, {}, {}];
    expect([made(one, 'a'), made(one, 'b'), made(other, 'c')]).toEqual(['a 1', 'a 1', 'c 2']);
    expect([made(third, ''), made(third, 'd')]).toEqual([undefined, undefined]);
  });

  test('is made anew where making it failed', () => {
    let isReady = false;
    const made = oncePer((_: object) => {
      if (!isReady) throw new Error('not yet');
      return 'made';
    });
    const one = {};
    expect(() => made(one)).toThrow('not yet');
    isReady = true;
    expect(made(one)).toBe('made');
  });

  test('is kept of so many values as are allowed', () => {
    const asked: string[] = [];
    const made = oncePerValue((text: string) => asked.push(text), 2);
    for (const text of ['a', 'b', 'a', 'c', 'c', 'a']) made(text);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });
});
