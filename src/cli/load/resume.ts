// Which ceilings an earlier run measured to their end, so that another goes on where it stopped.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unreadableReport } from '../../config/errors.ts';
import type { LoadPart } from '../../contract/load-part.ts';
import { RECORD_FILE } from '../../run/load/record.ts';
import { readRun } from '../report/earlier-run.ts';

/** Where a run keeps its samples, below its folder. */
export const SAMPLES_FOLDER = 'load';

export interface ResumedCeilings {
  /** The folder of its samples. */
  readonly folder: string;
  readonly keys: ReadonlySet<string>;
}

/** Throws UsageError where the run is none, or has no samples. */
export async function resumedCeilings(run: string): Promise<ResumedCeilings> {
  const { folder: stored, report } = await readRun(run);
  const folder = join(stored, SAMPLES_FOLDER);
  if (!existsSync(join(folder, RECORD_FILE)))
    throw unreadableReport(
      `--resume: ${run} holds no samples of load: ${SAMPLES_FOLDER}/${RECORD_FILE} is missing`,
      'name the folder of an `assay load ceiling`',
    );
  const plans = (report.load as LoadPart | undefined)?.plans ?? [];
  // A row that only headers tell has no evidence of its own.
  const measured = plans.filter(({ evidence }) => (evidence ?? []).length > 0);
  return { folder, keys: new Set(measured.map(({ key }) => key)) };
}
