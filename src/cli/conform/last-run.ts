// The last run with the same operations and clauses on the same target: what a report's changes are told against.
import { join, resolve } from 'node:path';
import type { Report } from '../../contract/report.ts';
import { isComparable } from '../../grading/changes.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { selectOperations } from '../../run/plan/selection.ts';
import { scopeOf } from '../../run/plan/shard.ts';
import { newestFirst, REPORTS, readRun, reportsBelow } from '../report/earlier-run.ts';
import type { Job } from './prepare.ts';

/** Reports may be large: so many of the newest are looked into. */
const LOOKED_INTO = 10;
/** Comes with the repository: a report of a platform broken on purpose, and no run of anybody's target. */
const SAMPLE = join(REPORTS, 'sample', 'report.json');

/**
 * The newest comparable report in the job's own folder or below reports/, of a load suite where one is named; null for a shard,
 * a replay or a resumed run.
 */
export async function lastRun(
  {
    config,
    options,
    descriptions,
    outDir,
    resumed,
  }: Pick<Job, 'config' | 'options' | 'descriptions' | 'outDir' | 'resumed'>,
  suite?: string,
): Promise<Report | null> {
  if (options.shard !== undefined || options.replay !== undefined || resumed !== undefined) return null;
  const scope = scopeOf(selectOperations(createCatalogue(descriptions), options), options.clauses);
  const files = await newestFirst([join(outDir, 'report.json'), ...(await reportsBelow(resolve(REPORTS)))]);
  for (const file of files.filter((one) => one !== resolve(SAMPLE)).slice(0, LOOKED_INTO)) {
    const stored = await readRun(file).catch(() => null);
    // An interrupted run is passed over: the clauses that it did not come to would look like news in the next.
    if (stored === null || stored.report.run.broken === true) continue;
    if (isComparable(stored.report, { scope, target: config.target, env: config.env ?? undefined, suite }))
      return stored.report;
  }
  return null;
}
