// The metrics of a run: its requests as they end, its findings and what a load came to once it is over.
import type { Counter, Gauge, Histogram, Meter } from '@opentelemetry/api';
import type { LoadPart } from '../contract/load-part.ts';
import type { Report } from '../contract/report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { errorOf, requestAttributes } from './attributes.ts';

/** As the semantic conventions advise for http.client.request.duration. s. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

export class RunMetrics {
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
