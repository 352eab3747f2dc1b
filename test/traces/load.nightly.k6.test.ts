// A load run is told to a collector as a conformance run is: by the command, with the requests that Assay sends itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { k6Path, WITH_K6 } from '../support/load/k6/k6.ts';
import { collector, said } from './collector.ts';

const ASSAY = join(import.meta.dirname, '../../bin/assay.js');

describe.skipIf(k6Path === null)(`${WITH_K6}, a load run that is told to a collector`, () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-told-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is found there with its name, its verdict and its metrics', async () => {
    await using to = await collector();
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: to.endpoint, ASSAY_K6: k6Path ?? '' };
    const args = [ASSAY, 'load', 'exports', '--embedded', '--out', folder];
    const child = spawn(process.execPath, args, { env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(errors).not.toContain('OpenTelemetry');
    expect(code).toBe(0);
    const run = to.spans().find(({ name }) => name === 'assay load exports');
    expect(said(run!, 'assay.verdict')).toBe('pass');
    expect([...to.metrics()]).toContain('assay.requests');
  });
});
