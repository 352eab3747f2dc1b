import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ANY_SERIAL } from './preferred.ts';
import { serialPlaces, withSerial } from './serial-places.ts';

const texts = fc.oneof(
  fc.string(),
  fc.tuple(fc.string(), fc.string()).map(([left, right]) => `${left}${ANY_SERIAL}${right}`),
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}));

it('every mark is replaced, and nothing else', () => {
  fc.assert(
    fc.property(values, (value) => {
      const made = withSerial(value, serialPlaces(value), 'abcdef');
      const expected = JSON.parse(JSON.stringify(value), (_key, member) =>
        typeof member === 'string' ? member.replaceAll(ANY_SERIAL, 'abcdef') : member,
      );
      expect(made).toEqual(expected);
    }),
  );
});

it('a mark in capital letters is replaced by the serial in capital letters', () => {
  const template = { code: `AB${ANY_SERIAL.toUpperCase()}` };
  expect(withSerial(template, serialPlaces(template), 'abcdef')).toEqual({ code: 'ABABCDEF' });
});

it('what holds no mark is shared with the template, and the template stays as it is', () => {
  const template = { name: `a ${ANY_SERIAL}`, place: { city: 'Bonn' }, tags: [ANY_SERIAL, 'b'] };
  const before = structuredClone(template);
  const made = withSerial(template, serialPlaces(template), 'abcdef') as typeof template;
  expect(made).toEqual({ name: 'a abcdef', place: { city: 'Bonn' }, tags: ['abcdef', 'b'] });
  expect(made.place).toBe(template.place);
  expect(template).toEqual(before);
});
