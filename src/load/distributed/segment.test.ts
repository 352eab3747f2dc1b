import { expect, it } from 'vitest';
import { instanceOf, segmentOf, sequenceOf } from './segment.ts';

it.each([1, 2, 3, 4, 6, 7, 100])('of %i instances each is known by its segment', (instances) => {
  const found = Array.from({ length: instances }, (_, at) => instanceOf(segmentOf(at + 1, instances), instances));
  expect(found).toEqual(Array.from({ length: instances }, (_, at) => at + 1));
});

it.each([
  ['1/4:1/2', 4, 2],
  ['1/2:3/4', 4, 3],
  ['0:1', 1, 1],
  ['0:1', 3, null],
  ['0:1/2', 3, null],
  ['1/3:2/3:1', 3, null],
  ['', 1, null],
  ['a:b', 1, null],
])('%s of %i is %s', (segment, instances, instance) => {
  expect(instanceOf(segment, instances)).toBe(instance);
});

it('the sequence begins with 0 and ends with 1', () => {
  expect(sequenceOf(1)).toBe('0,1');
  expect(sequenceOf(3)).toBe('0,1/3,2/3,1');
});
