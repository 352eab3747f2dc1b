// What a collector is sent of a run: the finding's own trace is found there, and nothing that is secret.
import { createServer } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startTelemetry } from '../../src/cli/process/telemetry.ts';
import { traceIn } from '../../src/exchange/trace-context.ts';
import { collector, said } from './collector.ts';
import { RUN_ID, tracedRun, tracesFound } from './traced-run.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a run that is told to a collector', () => {
  test('is found there: the trace of a finding, with its request, its clause, and the run', async () => {
    await using to = await collector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', to.endpoint);
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-gate=open-sesame');
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'team=shop');
    const run = await tracedRun();
    expect(run.warnings).toEqual([]);
    const spans = to.spans();
    const bySpan = new Map(spans.map((span) => [span.spanId, span]));
    expect(tracesFound(run).length).toBeGreaterThan(0);
    for (const id of tracesFound(run)) {
      const ofTrace = spans.filter(({ traceId }) => traceId === id);
      const exchange = run.report.exchanges.find(({ traceId }) => traceId === id);
      const request = ofTrace.find(({ kind }) => kind === 3);
      // Span and trace are those of the header that was sent: what the server notes hangs below.
      expect(request).toMatchObject(traceIn(exchange?.request.headers ?? []) ?? {});
      expect(said(request!, 'http.request.method')).toBe(exchange?.request.method);
      const experiment = bySpan.get(request?.links[0]?.spanId ?? '');
      const stage = bySpan.get(experiment?.parentSpanId ?? '');
      expect(said(stage!, 'assay.stage')).toBeDefined();
      expect(bySpan.get(stage?.parentSpanId ?? '')?.name).toBe('assay conform');
    }
    const last = tracesFound(run).at(-1);
    const clauses = spans.filter(({ traceId }) => traceId === last).map((span) => said(span, 'assay.clause'));
    expect(clauses).toContain('ERR-04');
    expect(spans.filter(({ kind }) => kind === 3)).toHaveLength(run.report.counts.requests);
    expect([...to.metrics()].sort()).toEqual(['assay.findings', 'assay.requests', 'http.client.request.duration']);
    expect(to.gates).toEqual(new Set(['open-sesame']));
    expect(to.text()).toContain('"team"');
    expect(to.text()).toContain(RUN_ID);
    for (const secret of run.secrets) expect(to.text()).not.toContain(secret);
  });

  test('comes to the same where nobody takes it, and says so once', async () => {
    const told = await tracedRun();
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${port}`);
    const run = await tracedRun();
    expect(run.warnings).toEqual([expect.stringContaining('nothing reaches the collector')]);
    const verdictOf = ({ report }: typeof run) => [report.verdict, report.counts.requests, report.counts.violations];
    expect(verdictOf(run)).toEqual(verdictOf(told));
    expect(told.warnings).toEqual([]);
  });

  test.each([
    [{}, 0],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, 0],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }, 0],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 1],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 1],
  ])('is told to nobody with %j', async (env, count) => {
    const warnings: string[] = [];
    const clock = { now: () => 0 } as never;
    const warn = (sentence: string) => warnings.push(sentence);
    expect(await startTelemetry({ env, id: 'run-1', version: '0', clock, conceal: (text) => text, warn })).toBeNull();
    expect(warnings).toHaveLength(count);
  });
});
