// The spans of a run. Each request is the root of the trace that it was sent with, so that the server's spans are its
// children, and is linked to its experiment; a finding stands below the request that showed it. The run, its stages and its
// experiments are a trace of their own: one trace of all requests would be larger than what keeps traces takes.
//
//   run → stage → experiment ┄ link ┄ request → what the server noted
//                                             → finding
import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Clock } from '../clock/clock.ts';
import type { Finding, Report, ReportedExchange } from '../contract/report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type TraceContext, traceIn } from '../exchange/trace-context.ts';
import { errorOf, methodOf, requestAttributes, templateOf } from './attributes.ts';
import type { PinnedIds } from './pinned-ids.ts';

export interface SpansOf {
  readonly tracer: Tracer;
  readonly ids: PinnedIds;
  /** Id of the run. */
  readonly run: string;
  readonly clock: Clock;
  readonly conceal: (text: string) => string;
}

/** A span that is told of once it has ended. Times are epoch ms. */
interface Open {
  readonly at: TraceContext;
  readonly startMs: number;
  readonly attributes: Attributes;
}

interface Told extends Open {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly parent?: TraceContext;
  readonly links?: Link[];
  readonly error?: boolean;
  readonly endMs: number;
}

interface Experiment extends Open {
  readonly name: string;
  endMs: number;
}

interface Stage extends Open {
  readonly phase: string;
  readonly experiments: Map<string, Experiment>;
}

export class RunSpans {
  readonly #of: SpansOf;
  readonly #run: Open;
  #stage: Stage | null = null;

  constructor(of: SpansOf) {
    this.#of = of;
    this.#run = { at: of.ids.fresh(), startMs: of.clock.now(), attributes: { 'assay.run.id': of.run } };
  }

  /** From now on the run is in this stage. */
  enter(phase: string, startMs = this.#of.clock.now()): void {
    if (this.#stage?.phase === phase) return;
    this.#endStage();
    const { ids } = this.#of;
    const at = ids.fresh(this.#run.at.traceId);
    const attributes = { ...this.#run.attributes, 'assay.stage': phase };
    this.#stage = { at, startMs, attributes, phase, experiments: new Map() };
  }

  /** One request, whole. One that names no trace gets one here. */
  request(exchange: Exchange): void {
    const { id, plan, sentAt, durationMs, attempt } = exchange;
    const experiment = this.#experimentOf(exchange);
    const template = templateOf(exchange);
    this.#tell({
      name: template === null ? methodOf(exchange) : `${methodOf(exchange)} ${template}`,
      kind: SpanKind.CLIENT,
      at: traceIn(exchange.request.headers) ?? this.#of.ids.fresh(),
      startMs: sentAt,
      endMs: sentAt + durationMs,
      error: errorOf(exchange) !== null,
      links: [{ context: spanContext(experiment.at) }],
      attributes: {
        ...requestAttributes(exchange),
        ...this.#run.attributes,
        'assay.exchange': id,
        'assay.probe': plan.probe,
        ...(attempt === 1 ? {} : { 'http.request.resend_count': attempt - 1 }),
      },
    });
  }

  /** The findings, and the run itself. */
  end(report: Report): void {
    this.#endStage();
    const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
    for (const finding of report.findings) this.#finding(finding, exchanges);
    const { verdict, counts, target } = report;
    this.#tell({
      ...this.#run,
      name: `assay ${report.run.command ?? suiteOf(report) ?? 'conform'}`,
      endMs: this.#of.clock.now(),
      attributes: {
        ...this.#run.attributes,
        ...{ 'assay.verdict': verdict, 'assay.requests': counts.requests, 'assay.violations': counts.violations },
        'assay.environment': target.environment,
      },
    });
  }

  #experimentOf({ plan, sentAt, durationMs }: Exchange): Experiment {
    if (this.#stage === null) this.enter('smoke', sentAt);
    const stage = this.#stage as unknown as Stage;
    const { probe, service, operation } = plan.experiment ?? plan;
    const name = operation === null ? probe : `${probe} ${operation}`;
    const key = `${service} ${name}`;
    let known = stage.experiments.get(key);
    if (known === undefined) {
      const attributes = {
        ...stage.attributes,
        'assay.probe': probe,
        ...(operation === null ? {} : { 'assay.operation': operation }),
        ...(service === null ? {} : { 'assay.service': service }),
      };
      known = { at: this.#of.ids.fresh(stage.at.traceId), startMs: sentAt, endMs: sentAt, attributes, name };
      stage.experiments.set(key, known);
    }
    known.endMs = Math.max(known.endMs, sentAt + durationMs);
    return known;
  }

  #endStage(): void {
    const stage = this.#stage;
    if (stage === null) return;
    this.#stage = null;
    for (const experiment of stage.experiments.values()) this.#tell({ ...experiment, parent: stage.at });
    this.#tell({ ...stage, name: `stage ${stage.phase}`, endMs: this.#of.clock.now(), parent: this.#run.at });
  }

  /** Below the last request that shows it; below the run where none does. */
  #finding(finding: Finding, exchanges: ReadonlyMap<string, ReportedExchange>): void {
    const { clause, kind, code, fingerprint, service, operation } = finding;
    const last = exchanges.get(finding.exchanges.at(-1) ?? '');
    const parent = (last === undefined ? null : traceIn(last.request.headers)) ?? this.#run.at;
    const atMs = last === undefined ? this.#of.clock.now() : Date.parse(last.sentAt) + last.durationMs;
    this.#tell({
      name: `${clause} ${kind}`,
      at: this.#of.ids.fresh(parent.traceId),
      parent,
      startMs: atMs,
      endMs: atMs,
      error: kind === 'violation',
      attributes: {
        ...this.#run.attributes,
        ...{ 'assay.clause': clause, 'assay.finding.kind': kind, 'assay.finding.fingerprint': fingerprint },
        ...(code === undefined ? {} : { 'assay.finding.code': code }),
        ...(operation === null ? {} : { 'assay.operation': operation }),
        ...(service === null ? {} : { 'assay.service': service }),
      },
    });
  }

  #tell({
    name,
    kind = SpanKind.INTERNAL,
    at,
    parent,
    links = [],
    error = false,
    startMs,
    endMs,
    attributes,
  }: Told): void {
    const { tracer, ids, conceal } = this.#of;
    const within = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContext(parent));
    const options = {
      kind,
      links,
      startTime: startMs,
      root: parent === undefined,
      attributes: concealed(attributes, conceal),
    };
    const span = ids.with(at, () => tracer.startSpan(conceal(name), options, within));
    if (error) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endMs);
  }
}

function concealed(attributes: Attributes, conceal: (text: string) => string): Attributes {
  const entries = Object.entries(attributes);
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? conceal(value) : value]));
}

function spanContext(at: TraceContext): SpanContext {
  return { ...at, traceFlags: TraceFlags.SAMPLED };
}

function suiteOf({ load }: Report): string | null {
  const suite = (load as { readonly suite?: unknown } | undefined)?.suite;
  return typeof suite === 'string' ? `load ${suite}` : null;
}
