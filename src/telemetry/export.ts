// Sends what a run did by OTLP over HTTP, spans and metrics, with the SDK's own exporters: they read OTEL_EXPORTER_OTLP_*
// themselves. A collector that is down or slow costs a run one warning and a few seconds.

import type { Counter, Gauge, Histogram, Meter } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { LIMIT } from '../clock/clock.ts';
import type { LoadPart } from '../contract/load-part.ts';
import type { Report } from '../contract/report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { errorOf, requestAttributes } from './attributes.ts';
import { PinnedIds } from './pinned-ids.ts';
import { RunSpans } from './run-spans.ts';
import type { Telemetry, ToldRun } from './told-run.ts';

/** Maximum wait for the collector at the end of a run. ms. */
const MAX_END_WAIT_MS = 5000;
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
  const failed = toldOnce((why) =>
    warn(`OpenTelemetry: ${conceal(why)}; the run goes on, and its verdict does not depend on it`),
  );
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
      const timer = clock.after(
        MAX_END_WAIT_MS,
        () => {
          failed(`the collector took longer than ${MAX_END_WAIT_MS / 1000} s`);
          late.resolve();
        },
        LIMIT,
      );
      const closed = Promise.all([tracers.shutdown(), meters.shutdown()]).catch((error: unknown) =>
        failed(error instanceof Error ? error.message : String(error)),
      );
      await Promise.race([closed, late.promise]);
      timer.cancel();
    },
  };
}

function toldOnce(tell: (text: string) => void): (text: string) => void {
  let isTold = false;
  return (text) => {
    if (!isTold) tell(text);
    isTold = true;
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

/** As the semantic conventions advise for http.client.request.duration. s. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

class RunMetrics {
  readonly #duration: Histogram;
  readonly #requests: Counter;
  readonly #errors: Counter;
  readonly #findings: Counter;
  readonly #loadRequests: Gauge;
  readonly #loadErrors: Gauge;
  readonly #loadP99: Gauge;
  readonly #knee: Gauge;

  constructor(meter: Meter) {
    this.#duration = meter.createHistogram('http.client.request.duration', {
      unit: 's',
      description: 'How long answers took.',
      advice: { explicitBucketBoundaries: BOUNDARIES },
    });
    this.#requests = meter.createCounter('assay.requests', { description: 'Requests that the run sent.' });
    this.#errors = meter.createCounter('assay.errors', { description: 'Requests without an answer, or answered 5xx.' });
    this.#findings = meter.createCounter('assay.findings', { description: 'What the run found, by clause.' });
    this.#loadRequests = meter.createGauge('assay.load.requests', { description: 'Requests of the load.' });
    this.#loadErrors = meter.createGauge('assay.load.errors', { description: 'Requests of the load that failed.' });
    this.#loadP99 = meter.createGauge('assay.load.p99', { unit: 'ms', description: '99 % of answers came within.' });
    this.#knee = meter.createGauge('assay.load.capacity', {
      description: 'Highest rate that met the objectives, 1/s.',
    });
  }

  request(exchange: Exchange): void {
    const attributes = requestAttributes(exchange);
    this.#duration.record(exchange.durationMs / 1000, attributes);
    this.#requests.add(1, attributes);
    if (errorOf(exchange) !== null) this.#errors.add(1, attributes);
  }

  end({ findings, load }: Report): void {
    for (const { clause, kind } of findings)
      this.#findings.add(1, { 'assay.clause': clause, 'assay.finding.kind': kind });
    if (load === undefined) return;
    const { capacity, operations = [] } = load as LoadPart;
    if (capacity?.kneeRps != null) this.#knee.record(capacity.kneeRps);
    for (const { during, rows } of operations)
      for (const { operation, requests, errors, p99Ms } of rows) {
        const attributes = { 'assay.operation': operation, 'assay.load.during': during };
        this.#loadRequests.record(requests, attributes);
        this.#loadErrors.record(
          Object.values(errors).reduce((sum, count) => sum + count, 0),
          attributes,
        );
        if (p99Ms !== null) this.#loadP99.record(p99Ms, attributes);
      }
  }
}
