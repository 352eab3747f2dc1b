// Two shards, merged, tell what one run tells: by day on the platform's own model, at night on the scale model, over one of its resources.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeScaleModel } from '../bench/scale-model/scale-model.ts';
import type { RunOptions } from '../src/config/config.ts';
import type { ClauseRow, Report } from '../src/contract/report.ts';
import { mergeShards } from '../src/grading/merge.ts';
import { selectDeviations } from '../src/platform/deviations.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { readModel } from '../src/platform/schema/model.ts';
import type { ServedDocument } from '../src/platform/schema/served.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';
import { clausesFor } from './mutant.ts';
import { atNight } from './programme.ts';

const OPERATIONS = ['* /api/v1/ai/agents*', '* /api/v1/ai/agents/**'];

/** The whole run, and its two shards merged, each against a platform of its own. */
async function wholeAndMerged(
  clauses: readonly string[],
  documents: readonly ServedDocument[],
  faults: readonly string[] = [],
): Promise<readonly [Report, Report]> {
  const subject = { documents, world: WORLDS.calm, seed: 1 };
  const deviations = selectDeviations(FAULTS, faults, 'fault');
  const judged = (shard: Partial<RunOptions> = {}): Promise<Report> =>
    simulate({ ...subject, deviations, options: { services: ['ai'], operations: OPERATIONS, clauses, ...shard } });
  const whole = await judged();
  const parts: Report[] = [];
  for (const index of [1, 2]) parts.push(await judged({ shard: { index, count: 2 } }));
  return [whole, mergeShards(parts)];
}

/** How often a clause was judged may differ, and on how many answers: objects of the other shard are not there to be read. */
const told = ({ checks: _checks, basis: _basis, grounds: _grounds, ...row }: ClauseRow) => row;

atNight(() => {
  test('two shards merged have the clause table and the verdict of the whole run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-shards-'));
    await writeScaleModel(folder, 1);
    const documents = await readModel({}, folder).finally(() => rm(folder, { recursive: true, force: true }));
    const [whole, merged] = await wholeAndMerged(clausesFor('ERR-01'), documents);
    expect(merged.clauses.map(told)).toEqual(whole.clauses.map(told));
    expect(merged.verdict).toBe(whole.verdict);
    expect(whole.verdict).toBe('pass');
    expect(merged.counts).toMatchObject({
      operations: whole.counts.operations,
      operationsTested: whole.counts.operations,
    });
  });
});

test('what is broken is found by the shards as by the whole run', async () => {
  const faults = ['err-04-one-in-seven', 'auth-01-open-items'];
  const [whole, merged] = await wholeAndMerged(['ERR-04', 'AUTH-01', 'REQ-03'], await readModel({}), faults);
  const prints = ({ findings }: Report) => findings.map(({ fingerprint }) => fingerprint).toSorted();
  expect(merged.clauses.map(told)).toEqual(whole.clauses.map(told));
  expect(prints(merged)).toEqual(prints(whole));
  expect([whole.verdict, merged.verdict]).toEqual(['fail', 'fail']);
});
