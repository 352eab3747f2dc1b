import { expect, it } from 'vitest';
import {
  HOSTILE_BODIES,
  HOSTILE_MEMBERS,
  HOSTILE_TEXTS,
  MALFORMED_HEADERS,
  REFUSED_HEADERS,
  UNREADABLE_BODIES,
  withBytes,
  withoutBytes,
} from './hostile.ts';

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

it.each(UNREADABLE_BODIES.map(({ name, text }) => [name, text]))('the body with %s is no JSON', (_name, text) => {
  expect(() => JSON.parse(text)).toThrow();
});

it('half of a surrogate pair is sent as bytes that are no UTF-8, and read back', () => {
  const encoded = withBytes(encodeURIComponent('assay\ud800'.toWellFormed()));
  expect(() => decodeURIComponent(encoded)).toThrow();
  expect(decodeURIComponent(withoutBytes(encoded))).toBe('assay\ufffd');
});

it.each([...MALFORMED_HEADERS, ...REFUSED_HEADERS].map(({ name, text }) => [name, text]))(
  'the header with %s can be sent',
  (name, text) => {
    expect(() => new Headers([[name.replace('malformed ', ''), text]])).not.toThrow();
  },
);

it('names tell the inputs apart', () => {
  for (const group of [
    HOSTILE_MEMBERS,
    [...HOSTILE_BODIES, ...UNREADABLE_BODIES],
    HOSTILE_TEXTS,
    [...MALFORMED_HEADERS, ...REFUSED_HEADERS],
  ]) {
    expect(new Set(group.map(({ name }) => name)).size).toBe(group.length);
  }
});
