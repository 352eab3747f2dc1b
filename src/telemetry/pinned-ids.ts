// Ids of spans: those of requests are the ones that were sent, so that what the server noted hangs below them.
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';
import type { TraceContext } from '../exchange/trace-context.ts';

export class PinnedIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #pinned: TraceContext | null = null;

  /** Gives these ids to the span that `make` starts. */
  with<T>(context: TraceContext, make: () => T): T {
    this.#pinned = context;
    try {
      return make();
    } finally {
      this.#pinned = null;
    }
  }

  /** Ids for a span that is there before it is told of; in the trace, if one is given. */
  fresh(traceId = this.#random.generateTraceId()): TraceContext {
    return { traceId, spanId: this.#random.generateSpanId() };
  }

  generateTraceId(): string {
    return this.#pinned?.traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#pinned?.spanId ?? this.#random.generateSpanId();
  }
}
