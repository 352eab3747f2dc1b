import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import { configWith, optionsWith } from '../../../test/support/run/test-config.ts';
import type { Report } from '../../contract/report.ts';
import { createRedactor } from '../../exchange/redaction.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { selectOperations } from '../../run/plan/selection.ts';
import { scopeOf } from '../../run/plan/shard.ts';
import { NO_EXTENSIONS } from './extensions.ts';
import { lastRun } from './last-run.ts';
import type { Job } from './prepare.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-last-'));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const shop = await loadShop();

function job(options: Parameters<typeof optionsWith>[0] = {}): Job {
  return {
    config: configWith({}),
    options: optionsWith(options),
    descriptions: [shop],
    outDir: join(folder, 'out'),
    gate: null,
    extensions: NO_EXTENSIONS,
    redactor: createRedactor(),
    remembers: null,
    end: async () => {},
  };
}

/** Writes a report that the job can be compared with, so many seconds after the first. */
function stored(name: string, seconds: number, changes: Partial<Report['run']> = {}): void {
  const { config, options } = job();
  const sample = sampleReport();
  const scope = scopeOf(selectOperations(createCatalogue([shop]), options), options.clauses);
  const report = { ...sample, run: { ...sample.run, id: name, scope, ...changes } };
  const file = join(folder, name, 'report.json');
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...report, target: { ...sample.target, baseUrl: config.target.baseUrl } }));
  utimesSync(file, seconds, seconds);
}

describe('the last run', () => {
  it('is the newest one with the same scope on the same target, below reports/ or in the own folder', async () => {
    stored('reports/old', 100);
    stored('reports/new', 300);
    stored('reports/other-scope', 400, { scope: 'other' });
    expect((await lastRun(job()))?.run.id).toBe('reports/new');
    stored('reports/sample', 450);
    expect((await lastRun(job()))?.run.id).toBe('reports/new');
    stored('out', 500);
    expect((await lastRun(job()))?.run.id).toBe('out');
  });

  it('is none that was interrupted or killed', async () => {
    stored('reports/whole', 100);
    stored('reports/killed', 200, { partial: true, broken: true });
    expect((await lastRun(job()))?.run.id).toBe('reports/whole');
  });

  it('is none where nothing is comparable, or a file is no report', async () => {
    expect(await lastRun(job())).toBeNull();
    mkdirSync(join(folder, 'reports/broken'), { recursive: true });
    writeFileSync(join(folder, 'reports/broken/report.json'), '{');
    stored('reports/shard', 100, { shard: { index: 1, count: 2 } });
    expect(await lastRun(job())).toBeNull();
  });

  it('is not looked for by a shard', async () => {
    stored('reports/old', 100);
    expect(await lastRun(job({ shard: { index: 1, count: 2 } }))).toBeNull();
  });
});
