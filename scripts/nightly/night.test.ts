// A night's table: a row for each part, in words that a reader can trust.
import { expect, test } from 'vitest';
import { outcomeOf, tableOf } from './night.ts';
import { PARTS } from './parts.ts';

const ended = {
  code: 0,
  tail: 'one\n\u001b[32m7 passed, 0 failed\u001b[39m\n\n',
  seconds: 61.4,
  processorSeconds: 100.2,
};

test('a part tells its last line, without colours', () => {
  expect(outcomeOf(ended)).toMatchObject({ isGood: true, told: '7 passed, 0 failed' });
});

test('a part that ended with another code, or by a signal, is not good', () => {
  expect(outcomeOf({ ...ended, code: 1 }).isGood).toBe(false);
  expect(outcomeOf({ ...ended, code: null }).isGood).toBe(false);
});

test('the table has a row for each part, and says which were not run', () => {
  const table = tableOf({ sources: '', outcomes: { faults: outcomeOf(ended) } }, PARTS);
  const rows = table.split('\n').filter((line) => line !== '');
  expect(rows).toHaveLength(PARTS.length + 2);
  expect(rows.filter((line) => line.includes('| not run |'))).toHaveLength(PARTS.length - 1);
  expect(rows.find((line) => line.startsWith('| faults |'))).toContain('| good | 7 passed, 0 failed | 61 s | 100 s |');
});
