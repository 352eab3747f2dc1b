// The script for k6, run by k6 against a server that has the defects, and against the repaired one.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { k6Path, WITH_K6 } from '../../../test/support/load/k6/k6.ts';
import { DEFECTS, reportOf, serving } from '../../../test/support/reporters/defects.ts';
import { exported } from './exported.ts';

const CHECKS_FAILED = 99;

describe.skipIf(k6Path === null)(`${WITH_K6}, the findings of a report`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-k6-findings-'));

  async function ran(file: string): Promise<{ readonly code: number | null; readonly failed: number }> {
    const summary = join(folder, 'summary.json');
    const env = { ...process.env, ASSAY_TOKEN: 't' };
    const child = spawn(k6Path!, ['run', '--quiet', '--summary-export', summary, file], {
      cwd: folder,
      env,
      stdio: 'ignore',
    });
    const code = await new Promise<number | null>((done) => child.once('close', done));
    return { code, failed: JSON.parse(readFileSync(summary, 'utf8')).metrics.checks.fails };
  }

  it('end it with an error each, and with none once they are repaired', async () => {
    const server = await serving(DEFECTS);
    const { file, text } = exported(reportOf(DEFECTS, server.baseUrl), 'k6', folder);
    writeFileSync(join(folder, file), text);
    const shown = await ran(file);
    expect(shown.code).toBe(CHECKS_FAILED);
    expect(shown.failed).toBeGreaterThanOrEqual(DEFECTS.length);
    server.repair();
    expect(await ran(file)).toEqual({ code: 0, failed: 0 });
    server.end();
  });
});
