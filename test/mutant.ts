// One run of the whole coordinator against the reference platform with one fault or tolerance case switched on.
import { loadDescriptions } from '../src/cli/descriptions.ts';
import type { RunOptions } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import { CLAUSES } from '../src/contract/clauses.ts';
import type { Report } from '../src/contract/report.ts';
import { type StartOptions, startPlatform } from '../src/platform/start.ts';
import { conform } from '../src/run/conform.ts';

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

/** The report of a run against a platform started for it. */
export async function judgePlatform(start: StartOptions, options: Partial<RunOptions> = {}): Promise<Report> {
  const platform = await startPlatform(start);
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    const descriptions = await loadDescriptions(config);
    return await conform({
      config,
      options: { ...OPTIONS, ...options },
      descriptions,
      onProgress: () => {},
      stop: new AbortController().signal,
    });
  } finally {
    await platform.stop();
  }
}

/** Clauses with a violation, sorted. */
export function blamed(report: Report): readonly string[] {
  return report.clauses.filter((row) => row.status === 'fail').map((row) => row.id);
}
