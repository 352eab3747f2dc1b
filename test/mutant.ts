// One run of the whole coordinator against the reference platform with one fault or tolerance case switched on.
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { systemClock } from '../src/clock/system.ts';
import type { RunOptions } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import { CLAUSES } from '../src/contract/clauses.ts';
import type { Report } from '../src/contract/report.ts';
import type { Deviation } from '../src/platform/deviation.ts';
import { selectDeviations } from '../src/platform/deviations.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { type ServeOptions, servePlatform } from '../src/platform/http/serve.ts';
import { TOLERANCES } from '../src/platform/tolerances/all.ts';
import { conform } from '../src/run/perform/conform.ts';

const OPTIONS: RunOptions = {
  out: null,
  services: [],
  operations: [],
  clauses: [],
  seed: 1,
  runId: '20260131-120000-9f3a2b',
  budget: null,
  timeLimitSeconds: null,
};

/** Families whose laws take many calls: judged on their own faults and on every tolerance case, left out elsewhere. */
const LAW_FAMILIES = ['PAG', 'IDEM', 'RATE'];

export function isLaw(clause: string): boolean {
  return LAW_FAMILIES.some((family) => clause.startsWith(`${family}-`));
}

/** The clauses to judge for a fault of this clause: all for a law's own fault, else all but the laws. */
export function clausesFor(clause: string): readonly string[] {
  return isLaw(clause) ? [] : CLAUSES.map(({ id }) => id).filter((id) => !isLaw(id));
}

export interface Mutant extends Partial<Pick<ServeOptions, 'limits' | 'seed'>>, Pick<ServeOptions, 'documents'> {
  /** Beside those that are named. */
  readonly deviations?: readonly Deviation[];
  /** Ids. */
  readonly faults?: readonly string[];
  readonly tolerances?: readonly string[];
  /** Clauses whose advisories count as violations; absent: none. */
  readonly promote?: readonly string[];
}

/**
 * The report of a run against a platform that is opened for it, in this process: hundreds of them need not start one each,
 * and its code is warm.
 */
export async function judgePlatform(mutant: Mutant, options: Partial<RunOptions> = {}): Promise<Report> {
  const { faults = [], tolerances = [], documents, limits = {}, seed = 1, promote = [] } = mutant;
  const deviations = [
    ...(mutant.deviations ?? []),
    ...selectDeviations(FAULTS, faults, 'fault'),
    ...selectDeviations(TOLERANCES, tolerances, 'tolerance'),
  ];
  const platform = await servePlatform({ documents, deviations, limits, seed, port: 0 });
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    const descriptions = await loadDescriptions(config);
    return await conform({
      clock: systemClock,
      config: { ...config, promote },
      options: { ...OPTIONS, ...options },
      descriptions,
      stop: new AbortController().signal,
    });
  } finally {
    await platform.stop();
  }
}

/** Clauses with a violation, in the order of the report. */
export function blamed(report: Report): readonly string[] {
  return report.clauses.filter((row) => row.status === 'fail').map((row) => row.id);
}
