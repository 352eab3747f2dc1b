// Sends what a run did by OTLP over HTTP, with the SDK's own exporters: they read OTEL_EXPORTER_OTLP_* themselves. A collector
// that is down or slow costs a run one warning and a few seconds.
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { PinnedIds } from './pinned-ids.ts';
import { RunMetrics } from './run-metrics.ts';
import { RunSpans } from './run-spans.ts';
import type { Telemetry, ToldRun } from './told-run.ts';

/** So long the end of a run waits for the collector. ms. */
const END_LIMIT_MS = 5000;
/** A request that the collector leaves open is given up. ms. */
const EXPORT_LIMIT_MS = 4000;
/** Spans that wait for the collector; beyond, they are dropped. */
const MAX_WAITING = 20_000;
/** Series of one instrument: operations times statuses. */
const MAX_SERIES = 20_000;

/** Told by an exporter of each export. */
interface Exported {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Items> {
  export(items: Items, done: (result: Exported) => void): void;
}

export function exportRun({ id, version, clock, conceal, warn }: ToldRun): Telemetry {
  let warned = false;
  const failed = (why: string): void => {
    if (warned) return;
    warned = true;
    warn(`OpenTelemetry: ${conceal(why)}; the run goes on, and its verdict does not depend on it`);
  };
  const detected = detectResources({ detectors: [envDetector] });
  const resource = resourceFromAttributes({ 'service.name': 'assay', 'service.version': version }).merge(detected);
  const limit = { timeoutMillis: EXPORT_LIMIT_MS };
  const spanExporter = watched(new OTLPTraceExporter(limit), failed);
  const metricExporter = watched(new OTLPMetricExporter(limit), failed);
  const processor = new BatchSpanProcessor({ exporter: spanExporter, maxQueueSize: MAX_WAITING });
  const ids = new PinnedIds();
  const tracers = new TracerProvider({ resource, idGenerator: ids, spanProcessors: [processor] });
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 60_000,
    exportTimeoutMillis: EXPORT_LIMIT_MS,
    cardinalityLimits: { default: MAX_SERIES },
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  const spans = new RunSpans({ tracer: tracers.getTracer('assay', version), ids, run: id, clock, conceal });
  const metrics = new RunMetrics(meters.getMeter('assay', version));
  return {
    onProgress: ({ phase }) => spans.enter(phase),
    onExchange(exchange) {
      spans.request(exchange);
      metrics.request(exchange);
    },
    async end(report) {
      spans.end(report);
      metrics.end(report);
      const late = Promise.withResolvers<void>();
      const timer = clock.after(END_LIMIT_MS, () => {
        failed(`the collector took longer than ${END_LIMIT_MS / 1000} s`);
        late.resolve();
      });
      const closed = Promise.all([tracers.shutdown(), meters.shutdown()]).catch((error: unknown) =>
        failed(error instanceof Error ? error.message : String(error)),
      );
      await Promise.race([closed, late.promise]);
      timer.cancel();
    },
  };
}

/** The exporter, whose failures are told. */
function watched<Items, T extends Exporter<Items>>(exporter: T & Exporter<Items>, failed: (why: string) => void): T {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== 0) failed(`nothing reaches the collector: ${result.error?.message || 'no reason given'}`);
      done(result);
    });
  return exporter;
}
