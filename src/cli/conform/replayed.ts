// The finding that `--replay` names, found in the report of an earlier run.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config, Replayed, RunOptions } from '../../config/config.ts';
import { invalidOption, UsageError, unreadableReport } from '../../config/errors.ts';
import { suggestion } from '../../config/nearest.ts';
import type { Finding, Report } from '../../contract/report.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { describedWords, targetName } from '../../reporters/words.ts';
import { REPORTS, readRun, reportsBelow } from '../report/earlier-run.ts';

const HOW_TO_LIST = 'index.html and report.json show the fingerprint of each finding; --from names the run';

export interface ReplayRequest {
  readonly fingerprint: string;
  /** The run to search: its folder or report.json; null: all below reports/, the newest first. */
  readonly from: string | null;
  readonly cwd: string;
}

/** The options that narrow a run to the finding. Throws UsageError where no report holds it. */
export async function replayOptions(request: ReplayRequest): Promise<Pick<RunOptions, 'seed' | 'clauses' | 'replay'>> {
  const { report, finding } = await findingOf(request);
  if (finding.experiments === undefined)
    throw unreadableReport(
      `--replay: run ${report.run.id} does not say what showed the finding: an earlier version wrote its report`,
      'run assay conform once more, and replay from that run',
    );
  return { seed: report.run.seed, clauses: [finding.clause], replay: replayedFrom(report, finding) };
}

/** The parts of a report that a run needs to look at a finding again. */
export function replayedFrom(report: Report, finding: Finding): Replayed {
  const row = report.operations.find(
    ({ service, operation }) => service === finding.service && operation === finding.operation,
  );
  return {
    run: report.run.id,
    target: report.target,
    config: report.run.config ?? null,
    ...(report.run.described === undefined ? {} : { described: report.run.described }),
    finding,
    evidence: report.exchanges.filter(({ id }) => finding.exchanges.includes(id)),
    succeeded: row?.succeeded ?? false,
  };
}

/**
 * Throws UsageError where the run would look at another target than the one that showed the finding: that it does not
 * show there says nothing. `isNamed`: the user named the target by `--base-url`.
 */
export function mustBeItsTarget(
  { target, config, described }: Replayed,
  { target: own }: Config,
  { isNamed }: { readonly isNamed: boolean },
): void {
  if (isNamed || isSameTarget(target, own)) return;
  const [theirs, ours] = [targetName({ target }), targetName({ target: own })];
  const named = config === null ? `--base-url ${target.baseUrl}` : `--config ${config}`;
  const stated = described === undefined ? named : describedWords(described).join(' ');
  const again = target.embedded === true ? '--embedded' : stated;
  throw new UsageError(
    'ASSAY_REPLAY_TARGET',
    `--replay: the finding is of ${theirs}, and this run would look at ${ours}`,
    `${again} judges the target that showed it; --base-url ${own.baseUrl} looks at the other one all the same`,
  );
}

function isSameTarget(one: Report['target'], other: Config['target']): boolean {
  if (one.embedded === true || other.embedded === true) return one.embedded === other.embedded;
  return normalised(one.baseUrl) === normalised(other.baseUrl);
}

/** Without what two spellings of one URL differ in; a report may hold a text that is none. */
function normalised(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/\/+$/, '');
}

/** Throws UsageError where the descriptions have no such operation any more. */
export function checkReplayed({ finding }: Replayed, descriptions: readonly Description[]): void {
  const { service, operation } = finding;
  const known = descriptions
    .filter((description) => description.service === service)
    .flatMap(({ operations }) => operations.map(({ key }) => key));
  if (operation === null || known.includes(operation)) return;
  throw new UsageError(
    'ASSAY_OPERATION_UNKNOWN',
    `--replay: the finding is on ${operation}, which the description of ${service} does not have`,
    'replay with the configuration of the run that found it',
  );
}

interface Located {
  readonly report: Report;
  readonly finding: Finding;
}

async function findingOf({ fingerprint, from, cwd }: ReplayRequest): Promise<Located> {
  const files = from === null ? await reportsBelow(resolve(cwd, REPORTS)) : [resolve(cwd, from)];
  const prints: string[] = [];
  for (const file of files) {
    // A report may be large: what does not name the finding is not read any further.
    if (from === null && !(await readFile(file, 'utf8')).includes(JSON.stringify(fingerprint))) continue;
    const { report } = await readRun(file);
    const finding = report.findings.find((one) => one.fingerprint === fingerprint);
    if (finding !== undefined) return { report, finding };
    prints.push(...report.findings.map((one) => one.fingerprint));
  }
  throw await unknown(fingerprint, from, files[0], prints);
}

async function unknown(
  fingerprint: string,
  from: string | null,
  newest: string | undefined,
  prints: readonly string[],
): Promise<UsageError> {
  const where = from ?? (newest === undefined ? undefined : `any report below ${REPORTS}/`);
  if (where === undefined)
    return unreadableReport(
      `--replay: there is no report below ${REPORTS}/`,
      'run assay conform first, or name the run with --from',
    );
  const known = from === null && newest !== undefined ? await printsIn(newest) : prints;
  return invalidOption(
    `--replay: finding ${fingerprint} is not in ${where}${suggestion(fingerprint, known)}`,
    HOW_TO_LIST,
  );
}

async function printsIn(file: string): Promise<readonly string[]> {
  const stored = await readRun(file).catch(() => null);
  return stored?.report.findings.map(({ fingerprint }) => fingerprint) ?? [];
}
