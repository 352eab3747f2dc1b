// Parts of one run say once what they have in common, and what all of them made.
import { expect, test } from 'vitest';
import { sampleReport } from '../../test/support/reporters/sample-report.ts';
import type { Report } from '../contract/report.ts';
import { joinedCreated } from './join-parts.ts';
import { mergeShards, together } from './merge.ts';

const unsent = (count: number): string => `the request budget ended the run: ${count} planned probes were not sent`;
const noted = (note: string): Report => ({ ...sampleReport(), run: { ...sampleReport().run, note } });
const shard = (index: number, note: string): Report => {
  const report = noted(note);
  return { ...report, run: { ...report.run, shard: { index, count: 2 } } };
};

test('shards that a budget ended say so once', () => {
  expect(mergeShards([shard(1, unsent(3)), shard(2, unsent(5))]).run.note).toBe(
    'shards 1, 2: the request budget ended the run: 3 planned probes were not sent, 5 planned probes were not sent',
  );
  expect(mergeShards([shard(1, unsent(3)), shard(2, 'gone')]).run.note).toBe(`shard 1: ${unsent(3)}; shard 2: gone`);
});

test('so do the parts of a certificate', () => {
  expect(together(noted(unsent(3)), [noted(unsent(3)), noted(unsent(5)), noted('gone')]).run.note).toBe(
    `${unsent(3)}, 5 planned probes were not sent; gone`,
  );
});

test('webhooks and clients, which call no operation, take nothing from what was created', () => {
  const { created, ...receiving } = sampleReport();
  expect(joinedCreated([sampleReport(), { ...receiving, operations: [] }]).created).toEqual(created);
  expect(joinedCreated([sampleReport(), receiving]).created).toBeUndefined();
});
