import { expect, it } from 'vitest';
import { HOSTILE_BODIES, HOSTILE_MEMBERS, HOSTILE_TEXTS } from './hostile.ts';

it.each(HOSTILE_MEMBERS.map(({ name, value }) => [name, value]))(
  'a member with %s serialises and stays within 64 KiB',
  (_name, value) => {
    const text = JSON.stringify({ assay: value });
    expect(text.length).toBeLessThan(64 * 1024);
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
  },
);

it('a member with numbers names nothing that a table may hold', () => {
  const numbers = HOSTILE_MEMBERS.flatMap(({ value }) => value).filter((value) => typeof value === 'number');
  expect(numbers.filter((value) => value >= 0 && value < 2 ** 31)).toEqual([]);
});

it('a member named __proto__ is sent as one', () => {
  const hostile = HOSTILE_MEMBERS.find(({ name }) => name.startsWith('__proto__'));
  expect(JSON.stringify({ assay: hostile?.value })).toContain('"__proto__":{');
});

it.each(HOSTILE_BODIES.map(({ name, text }) => [name, text]))('the body with %s is JSON', (_name, text) => {
  expect(() => JSON.parse(text)).not.toThrow();
});

it.each(HOSTILE_TEXTS.map(({ name, text }) => [name, text]))(
  'the text with %s can be percent-encoded',
  (_name, text) => {
    expect(decodeURIComponent(encodeURIComponent(text.toWellFormed()))).toBe(text.toWellFormed());
  },
);

it('names tell the inputs apart', () => {
  for (const group of [HOSTILE_MEMBERS, HOSTILE_BODIES, HOSTILE_TEXTS]) {
    expect(new Set(group.map(({ name }) => name)).size).toBe(group.length);
  }
});
