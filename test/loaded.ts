// For tests of load: the reference platform with small limits, and runs of a load suite against it, sent or from their record.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { systemClock } from '../src/clock/system.ts';
import type { Config } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import type { Report } from '../src/contract/report.ts';
import { type StartOptions, startPlatform } from '../src/platform/start.ts';
import { type LoadInput, runLoad } from '../src/run/load/run-load.ts';
import type { LoadSuite } from '../src/run/load/suites.ts';

export const OPTIONS = {
  ...{ out: null, services: [], operations: [], clauses: [], seed: 1, runId: '20260131-120000-9f3a2b' },
  ...{ budget: null, timeLimitSeconds: null },
};

export interface Loaded {
  readonly config: Config;
  /** Where records are. */
  readonly folder: string;
  /** `k6` null: from the record. `more`: what the run is told beside. */
  run(suite: LoadSuite, k6: string | null, changes?: Partial<Config>, more?: Partial<LoadInput>): Promise<Report>;
  /** Ends the platform alone. */
  stop(): Promise<void>;
  /** Ends the platform, and removes the record. */
  end(): Promise<void>;
}

export async function loaded(options: StartOptions): Promise<Loaded> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-load-'));
  const platform = await startPlatform(options);
  const config = await loadConfig({ file: platform.config, baseUrl: null, env: {}, cwd: process.cwd() });
  if (config === null) throw new Error('the platform offers no configuration');
  const descriptions = await loadDescriptions(config);
  return {
    config,
    folder,
    run: (suite, k6, changes = {}, more = {}) =>
      runLoad({
        clock: systemClock,
        suite,
        config: { ...config, ...changes },
        options: OPTIONS,
        descriptions,
        ...{ k6, folder, outputs: [] },
        stop: new AbortController().signal,
        ...more,
      }),
    stop: () => platform.stop(),
    async end() {
      await platform.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
