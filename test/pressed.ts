// For tests of guarantees under pressure: runs with a real k6 against the reference platform, saturated or with small limits.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { systemClock } from '../src/clock/system.ts';
import { loadConfig } from '../src/config/load.ts';
import type { Report } from '../src/contract/report.ts';
import { startPlatform } from '../src/platform/start.ts';
import { runLoad } from '../src/run/load/run-load.ts';
import { k6Path } from './support/load/k6/k6.ts';

const OPTIONS = {
  ...{ out: null, services: [], clauses: [], seed: 1, runId: '20260131-120000-9f3a2b' },
  ...{ budget: null, timeLimitSeconds: null },
};
const WINDOW = { calls: 200, seconds: 2 };
const LIMITS = { standard: WINDOW, growth: WINDOW, enterprise: WINDOW };

export interface Pressing {
  readonly mode: 'saturated' | 'limited';
  /** What is begun until then is ended. */
  readonly seconds: number;
  readonly faults?: readonly string[];
}

/** The report of a run under pressure, on the operations that the patterns name. */
export async function pressed(
  { mode, seconds, faults = [] }: Pressing,
  operations: readonly string[],
): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-pressure-'));
  const platform = await startPlatform({ faults, ...(mode === 'limited' ? { limits: LIMITS } : {}) });
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    return await runLoad({
      clock: systemClock,
      suite: 'pressure',
      config: { ...config, load: { pressure: { mode, seconds } } },
      options: { ...OPTIONS, operations },
      descriptions: await loadDescriptions(config),
      ...{ k6: k6Path, folder, outputs: [] },
      stop: new AbortController().signal,
    });
  } finally {
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
