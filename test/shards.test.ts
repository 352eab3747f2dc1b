// Two shards, merged, tell what one run tells: on the scale model, over one of its resources.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shard } from '../src/config/config.ts';
import type { ClauseRow, Report } from '../src/contract/report.ts';
import { mergeShards } from '../src/grading/merge.ts';
import { readModel } from '../src/platform/model.ts';
import { writeScaleModel } from '../src/platform/scale-model/write.ts';
import { clausesFor, judgePlatform } from './mutant.ts';

const LIMIT_MS = 300_000;
const OPERATIONS = ['* /api/v1/ai/agents*', '* /api/v1/ai/agents/**'];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-shards-'));
  await writeScaleModel(folder, 1);
}, LIMIT_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function judged(shard?: Shard): Promise<Report> {
  const options = { services: ['ai'], operations: OPERATIONS, clauses: clausesFor('ERR-01') };
  const documents = await readModel({}, folder);
  return judgePlatform({ documents, seed: 1 }, shard === undefined ? options : { ...options, shard });
}

/** How often a clause was judged may differ: what yields ids is called by every shard. */
const told = ({ id, status, reasonCode, violations, advisories }: ClauseRow) => ({
  ...{ id, status, reasonCode, violations, advisories },
});

test('two shards merged have the clause table and the verdict of the whole run', { timeout: LIMIT_MS }, async () => {
  const whole = await judged();
  const merged = mergeShards([await judged({ index: 1, count: 2 }), await judged({ index: 2, count: 2 })]);
  expect(merged.clauses.map(told)).toEqual(whole.clauses.map(told));
  expect(merged.verdict).toBe(whole.verdict);
  expect(whole.verdict).toBe('pass');
  expect(merged.counts).toMatchObject({
    operations: whole.counts.operations,
    operationsTested: whole.counts.operations,
  });
});
