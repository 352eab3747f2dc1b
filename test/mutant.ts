// One run of the whole coordinator against the reference platform with one fault or tolerance case switched on.
import { loadDescriptions } from '../src/cli/descriptions.ts';
import type { RunOptions } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
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
