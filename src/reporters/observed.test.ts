import { expect, test } from 'vitest';
import { sampleObservations } from '../../test/support/reporters/sample-observations.ts';
import type { Observation } from '../contract/report.ts';
import { groupObservations } from './observed.ts';

const operations = Array.from({ length: 200 }, (_, index) => `GET /api/v1/list-${index}`);
const rows = sampleObservations(operations, 'odd');

test('200 operations that answer alike are one entry, the most frequent value first', () => {
  const [pagination] = groupObservations(rows);
  const [size] = pagination?.subjects ?? [];
  expect(size?.subject).toBe('default page size');
  expect(size?.values.map(({ value, rows: same, calls }) => [value, same.length, calls])).toEqual([
    ['20', 200, 600],
    ['50', 1, 1],
  ]);
});

test('pagination, idempotency and limits come first, the drift of descriptions last', () => {
  expect(groupObservations(rows).map(({ family }) => family)).toEqual(['PAG', 'RATE', 'ERR', 'SPEC']);
});

test('what cannot be told comes after what can, and each confidence is counted', () => {
  const one = (value: string, confidence: Observation['confidence']): Observation => ({
    ...rows[0]!,
    value,
    confidence,
  });
  const [family] = groupObservations([
    one('at least 9', 'cannot-tell'),
    one('at least 9', 'cannot-tell'),
    one('100', 'likely'),
    one('100', 'sure'),
  ]);
  expect(family?.subjects[0]?.values.map(({ value, confidences }) => [value, confidences])).toEqual([
    [
      '100',
      [
        { confidence: 'sure', count: 1 },
        { confidence: 'likely', count: 1 },
      ],
    ],
    ['at least 9', [{ confidence: 'cannot-tell', count: 2 }]],
  ]);
});
