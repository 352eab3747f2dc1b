// The same with the OpenTelemetry Collector itself, built from source: bench/otlp. ASSAY_COLLECTOR names it; without that this file is no part of the tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { tracedRun, tracesFound } from './traced-run.ts';

const { ASSAY_COLLECTOR: binary = '' } = process.env;
const LOOK_MS = 50;

afterEach(() => {
  vi.unstubAllEnvs();
});

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

function configuration(port: number): string {
  return `receivers: { otlp: { protocols: { http: { endpoint: "127.0.0.1:${port}" } } } }
exporters: { debug: { verbosity: detailed, sampling_initial: 100000 } }
service:
  telemetry: { metrics: { level: none } }
  pipelines:
    traces: { receivers: [otlp], exporters: [debug] }
    metrics: { receivers: [otlp], exporters: [debug] }
`;
}

test("a finding's trace is found in the collector", async () => {
  const port = await freePort();
  const file = join(mkdtempSync(join(tmpdir(), 'collector-')), 'collector.yaml');
  writeFileSync(file, configuration(port));
  const collector = spawn(binary, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  collector.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const saw = async (text: string): Promise<void> => {
    while (!said.includes(text)) {
      if (collector.exitCode !== null) throw new Error(`the collector ended: ${said}`);
      await sleep(LOOK_MS);
    }
  };
  try {
    await saw('Everything is ready');
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${port}`);
    const run = await tracedRun();
    expect(run.warnings).toEqual([]);
    expect(tracesFound(run).length).toBeGreaterThan(0);
    for (const id of tracesFound(run)) await saw(id);
    await saw('-> assay.clause: Str(ERR-04)');
    await saw('-> Name: http.client.request.duration');
    for (const secret of run.secrets) expect(said).not.toContain(secret);
  } finally {
    collector.kill();
  }
});
