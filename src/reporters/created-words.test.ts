import { expect, test } from 'vitest';
import type { Created, CreatedByOperation } from '../contract/report.ts';
import { createdWords } from './created-words.ts';

const limits = { perOperation: 5, total: 200 };
const TARGET = { baseUrl: 'https://shop.example.com', environment: 'staging' } as const;
const row = (changes: Partial<CreatedByOperation>): CreatedByOperation => ({
  ...{ service: 'shop', operation: 'POST /pets', made: 4, deleted: 4, left: 0, deletable: true, reasons: [] },
  ...changes,
});
const words = (operations: readonly CreatedByOperation[], changes: Partial<Created> = {}, target: object = {}) => {
  const sum = (of: 'made' | 'deleted' | 'left'): number => operations.reduce((total, one) => total + one[of], 0);
  const sums = { made: sum('made'), deleted: sum('deleted'), left: sum('left') };
  return createdWords({ created: { ...sums, limits, operations, ...changes }, target: { ...TARGET, ...target } });
};

const STAYS = row({
  ...{ operation: 'POST /orders', made: 3, deleted: 0, left: 3, deletable: false, heldBack: 2 },
  reasons: ['no DELETE is described'],
});
const REFUSED = row({ deleted: 3, left: 1, reasons: ['its DELETE is answered 405'] });

test('a run that created nothing, and a report that does not tell, have no words', () => {
  expect(words([])).toBeNull();
  expect(createdWords({ target: TARGET })).toBeNull();
});

test('a run that deleted all of it says so', () => {
  expect(words([row({})])).toEqual({
    ...{ total: '4 objects created, 4 deleted, 0 left', left: [], notes: [], isCleanable: false },
  });
});

test('what is left is told by operation with the reason, the most first', () => {
  expect(words([REFUSED, STAYS])).toEqual({
    total: '7 objects created, 3 deleted, 4 left',
    left: ['3 of POST /orders: no DELETE is described', '1 of POST /pets: its DELETE is answered 405'],
    notes: ['2 requests that would create more were not sent: limits.created.'],
    isCleanable: true,
  });
});

test.each([
  ['no DELETE is described for it', [STAYS], {}, {}, false],
  ['its DELETE was refused', [REFUSED], {}, {}, true],
  ['a request was not answered', [row({})], { unknown: 1 }, {}, true],
  ['the platform has ended', [REFUSED], {}, { embedded: true }, false],
])('assay clean is offered where it may help: %s', (_why, operations, changes, target, expected) => {
  expect(words(operations, changes, target)?.isCleanable).toBe(expected);
});

test('beside a request without an answer, only what is known is counted', () => {
  expect(words([row({})], { unknown: 2 })?.total).toBe('4 objects known to be created, 4 deleted, 0 of them left');
});

test('of a request without an answer nobody can tell, and that is said though nothing else was created', () => {
  expect(words([], { unknown: 1 })).toMatchObject({
    notes: ['1 request failed at the server or had no answer: what was created is unknown.'],
  });
});
