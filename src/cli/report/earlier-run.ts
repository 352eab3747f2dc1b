// An earlier run, read from its folder: to render it again, to merge it, or to go on where it stopped.
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config, RunOptions } from '../../config/config.ts';
import { invalidOption, unreadableReport } from '../../config/errors.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { VERSION } from '../../contract/package-root.ts';
import type { ClauseRow, Report } from '../../contract/report.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { PERFORMED_FILE, performedIn } from '../../reporters/files.ts';
import { reportProblems } from '../../reporters/formats/json.ts';
import { selectOperations } from '../../run/plan/selection.ts';
import { settingsOf } from '../../run/plan/settings.ts';
import { scopeOf } from '../../run/plan/shard.ts';

/** Where runs leave their reports unless told otherwise. */
export const REPORTS = 'reports';

export interface StoredRun {
  readonly folder: string;
  readonly report: Report;
}

/** A run that another can go on from. */
export interface EarlierRun extends StoredRun {
  /** Names of the experiments that it performed. */
  readonly performed: readonly string[];
}

/** Reads a run's report, given its folder or report.json. Throws UsageError for what is not there or no report. */
export async function readRun(run: string): Promise<StoredRun> {
  const file = await reportFile(run);
  let report: Report;
  try {
    report = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw unreadableReport(whyUnread(run, file, error), 'name a folder that holds a report.json');
  }
  report = withLaterClauses(report);
  const [problem] = reportProblems(report);
  if (problem === undefined) return { folder: dirname(file), report };
  const where = problem.pointer || 'the whole';
  throw unreadableReport(
    `${file} is no report: ${where} ${problem.message}`,
    'name a run that this version of assay wrote',
  );
}

/** A report as this version reads it: each clause that came after it has a row that says so. Anything else stays as it is. */
function withLaterClauses(report: Report): Report {
  const rows = report?.clauses;
  if (!Array.isArray(rows) || rows.length === 0) return report;
  const known = new Set(rows.map((row: ClauseRow | null) => row?.id));
  const later = CLAUSES.filter(({ id }) => !known.has(id));
  return later.length === 0 ? report : { ...report, clauses: [...rows, ...later.map(unknownThen)] };
}

function unknownThen({ id, level }: Pick<ClauseRow, 'id' | 'level'>): ClauseRow {
  return {
    id,
    level,
    status: 'not-tested',
    reasonCode: 'not-implemented',
    reason: 'the version of assay that wrote this report did not have this clause',
    checks: 0,
    violations: 0,
    advisories: 0,
    operationsInScope: 0,
    operationsTested: 0,
  };
}

/** The run to go on from. Throws UsageError where seed or shard differ, or it does not say what it performed. */
export async function earlierRun(run: string, options: RunOptions): Promise<EarlierRun> {
  const stored = await readRun(run);
  const { seed, shard } = stored.report.run;
  const differs = [
    ...(seed === options.seed ? [] : [`--seed ${seed}`]),
    ...(JSON.stringify(shard) === JSON.stringify(options.shard)
      ? []
      : [shard === undefined ? 'no --shard' : `--shard ${shard.index}/${shard.count}`]),
  ];
  if (differs.length > 0)
    throw invalidOption(`--resume: that run had ${differs.join(' and ')}`, 'give the same options');
  const file = join(stored.folder, PERFORMED_FILE);
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw unreadableReport(
      `--resume: ${file} cannot be read: ${error.message}`,
      'name a whole run folder: the file is written beside report.json',
    );
  });
  return { ...stored, performed: performedIn(text, stored.report) };
}

/** Throws UsageError where the run to go on from had other operations, clauses, descriptions or another configuration. */
export function checkScope(
  { report }: EarlierRun,
  { config, options, descriptions }: { config: Config; options: RunOptions; descriptions: readonly Description[] },
): void {
  const selected = selectOperations(createCatalogue(descriptions), options);
  const digests = new Map(descriptions.map(({ service, digest }) => [service, digest]));
  const { settings = settingsOf(config) } = report.run;
  const others = [
    ...(report.run.scope === scopeOf(selected, options.clauses) ? [] : ['other operations or clauses']),
    ...(report.tool.version === VERSION ? [] : [`assay ${report.tool.version}`]),
    ...(settings === settingsOf(config) ? [] : ['another configuration']),
    ...report.services
      .filter(({ name, digest }) => digest !== undefined && digest !== digests.get(name))
      .map(({ name }) => `another description of ${name}`),
  ];
  if (others.length === 0) return;
  throw invalidOption(
    `--resume: run ${report.run.id} had ${others.join(' and ')}`,
    'go on with the same version of assay, configuration, descriptions, --service, --operation and --clause, or start anew',
  );
}

/** Every report.json one folder down, the newest first. */
export async function reportsBelow(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return newestFirst(names.map((name) => join(folder, name, 'report.json')));
}

/** Those of the files that exist, each once, the one written last first. */
export async function newestFirst(files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    [...new Set(files)].map(async (file) => {
      const entry = await stat(file).catch(() => null);
      return entry === null ? [] : [{ file, writtenAtMs: entry.mtimeMs }];
    }),
  );
  return found
    .flat()
    .toSorted((left, right) => right.writtenAtMs - left.writtenAtMs)
    .map(({ file }) => file);
}

async function reportFile(run: string): Promise<string> {
  const found = await stat(run).catch(() => null);
  if (found === null) throw unreadableReport(`${run} does not exist`, 'name a run folder, such as reports/<run id>');
  return found.isDirectory() ? join(run, 'report.json') : run;
}

function whyUnread(run: string, file: string, error: unknown): string {
  if (error instanceof SyntaxError) return `${file} is no report: it holds no JSON`;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? `${run} is the folder of no run: it holds no report.json`
    : `${file} cannot be read (${code})`;
}
