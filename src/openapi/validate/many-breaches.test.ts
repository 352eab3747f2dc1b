// A value may be wrong in a million places: how many are told is bounded, and so is the time that takes.
import { expect, it } from 'vitest';
import { judge } from '../../../test/support/openapi/descriptions.ts';
import { membersOf } from '../json.ts';

const MANY = 150_000;
const ITEM = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const wrong = Array.from({ length: MANY }, () => ({ id: 1 }));

it.each([
  ['that stand in the schema itself', { A: { type: 'array', items: ITEM } }],
  ['that a reference leads to', { A: { type: 'array', items: { $ref: '#/components/schemas/B' } }, B: ITEM }],
])('items %s are all told as one breach', async (_what, schemas) => {
  expect(await judge('3.0.3', schemas, wrong)).toEqual(['/0/id type']);
});

it('an alternative that a long list breaks everywhere still leaves a breach to tell', async () => {
  const schemas = {
    A: {
      oneOf: [
        { type: 'array', items: ITEM },
        { type: 'array', items: { type: 'string' } },
      ],
    },
  };
  const told = await judge('3.0.3', schemas, wrong);
  expect(told?.length).toBeGreaterThan(0);
});

it('a value that fits is not told, however long it is', async () => {
  const sound = Array.from({ length: MANY }, (_, at) => ({ id: `${at}` }));
  expect(await judge('3.0.3', { A: { type: 'array', items: ITEM } }, sound)).toEqual([]);
});

it('of a very wide object the first members are looked at, of any other all', () => {
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, at]));
  expect(membersOf(wide).length).toBe(1000);
  expect(membersOf(wide)).toBe(membersOf(wide));
  expect(membersOf({ a: 1, b: 2 })).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});
