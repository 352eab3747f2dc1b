// Draws as what a collector is sent of them.
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { simulatedClock } from '../../src/clock/simulated.ts';
import type { Report } from '../../src/contract/report.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import type { Redactor } from '../../src/exchange/secrets/known-secrets.ts';
import { requestAttributes } from '../../src/telemetry/attributes.ts';
import { PinnedIds } from '../../src/telemetry/pinned-ids.ts';
import { RunSpans } from '../../src/telemetry/run-spans.ts';

/** Spans and the attributes of metrics, as text. */
export function exportedOf(exchanges: readonly Exchange[], report: Report, redactor: Redactor): string {
  const exporter = new InMemorySpanExporter();
  const ids = new PinnedIds();
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  const tracer = new TracerProvider({ idGenerator: ids, spanProcessors }).getTracer('assay');
  const conceal = (text: string): string => redactor.conceal(text);
  const spans = new RunSpans({ tracer, ids, run: report.run.id, clock: simulatedClock(0), conceal });
  for (const exchange of exchanges) spans.request(exchange);
  spans.end(report);
  const told = exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes]);
  return JSON.stringify([told, exchanges.map(requestAttributes)]);
}
