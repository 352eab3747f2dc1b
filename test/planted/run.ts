// One run of Assay against the planted API by its description alone.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import { systemClock } from '../../src/clock/system.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Report } from '../../src/contract/report.ts';
import { conform } from '../../src/run/perform/conform.ts';
import { plantedDescription } from './description.ts';
import { PLANTED_KEY, startPlanted } from './server.ts';

/** The report of a run against the named resources. */
export async function judgePlanted(names: readonly string[]): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-planted-'));
  const api = await startPlanted(names);
  try {
    const file = await writePlanted(folder, names, api.baseUrl);
    const config = await loadConfig({ file, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the planted API has a configuration');
    const options = { out: null, services: [], operations: [], clauses: [], seed: 1, budget: null };
    return await conform({
      clock: systemClock,
      config,
      options: { ...options, runId: '20260131-120000-9f3a2b', timeLimitSeconds: null },
      descriptions: await loadDescriptions(config),
      stop: new AbortController().signal,
    });
  } finally {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes description and configuration into the folder; the file of the configuration. */
export async function writePlanted(folder: string, names: readonly string[], baseUrl: string): Promise<string> {
  await writeFile(join(folder, 'planted.json'), JSON.stringify(plantedDescription(names)));
  const config = {
    target: { baseUrl, environment: 'local' },
    contract: 'openapi',
    services: { planted: { spec: 'planted.json' } },
    keys: [{ name: 'main', plan: 'any', token: PLANTED_KEY }],
  };
  const file = join(folder, 'assay.config.yaml');
  await writeFile(file, JSON.stringify(config));
  return file;
}
