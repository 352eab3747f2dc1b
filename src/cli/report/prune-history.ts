// `assay report --prune`: takes old runs out of the history, and says what went and what stayed.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CERTIFICATE_FILE } from '../../certify/statement.ts';
import { systemClock } from '../../clock/system.ts';
import { number, plural } from '../../reporters/words.ts';
import { prunable, removeRuns } from '../../run/history/prune.ts';
import { EXIT, NoVerdict } from '../process/failure.ts';
import { existingHistory } from './serve-history.ts';

export interface PruneFlags {
  readonly history?: string;
  readonly keepRuns?: number;
  readonly keepDays?: number;
  readonly dryRun?: boolean;
}

const [NEWEST, DAYS] = [100, 90];
const DAY_MS = 24 * 3600 * 1000;

/** Exit code 0. Throws UsageError where there is no history, NoVerdict where it cannot be written. */
export function pruneHistory({ history, keepRuns = NEWEST, keepDays = DAYS, dryRun = false }: PruneFlags): number {
  const file = existingHistory(history ?? null);
  const before = new Date(systemClock.now() - keepDays * DAY_MS).toISOString();
  // A certificate stands beside its report, and usual reports beside the history.
  const isCertified = (run: string): boolean => existsSync(join(dirname(file), run, CERTIFICATE_FILE));
  const { runs, certified, all } = prunable(file, { newest: keepRuns, before }, isCertified);
  const what = `${number(runs.length)} of ${plural(all, 'run')}`;
  const told = dryRun
    ? `${what} would go`
    : runs.length === 0
      ? 'No run goes'
      : `${what} went, ${room(removed(file, runs))} freed`;
  process.stdout.write(
    [
      `${told}.`,
      `Kept: the newest ${number(keepRuns)} of each target, branch and suite, all of the last ${plural(keepDays, 'day')}, and ${plural(certified, 'older run')} with a certificate.`,
      'Folders of reports are left as they are.\n',
    ].join('\n'),
  );
  return EXIT.pass;
}

/** Bytes freed. */
function removed(file: string, runs: readonly string[]): number {
  try {
    return removeRuns(file, runs);
  } catch (error) {
    throw new NoVerdict(
      `the history in ${file} cannot be pruned: ${(error as Error).message}`,
      'end what holds it, or free some room on the disk, and try again',
    );
  }
}

function room(bytes: number): string {
  return bytes < 1_000_000 ? `${number(Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
