// For tests: a platform behind a limiter, on a clock of its own: answers take time, may be lost, and carry headers or none.
import type { Identified } from '../../../src/limiters/identify.ts';
import type { Observed } from '../../../src/limiters/observed.ts';
import type { Ask, LimiterUnderTest } from '../../../src/limiters/trace.ts';

/** What the limiter really is: asked at the time of decision. */
export type Truth = (
  atMs: number,
  cost: number,
) => { readonly admitted: boolean; readonly left: number; readonly resetMs: number };

export interface Target {
  readonly truth: Truth;
  readonly limit: number;
  /** Time there and back, ms. */
  readonly latencyMs: () => number;
  readonly concurrency: number;
  readonly headers: boolean;
  readonly lost: () => boolean;
  readonly costs: ReadonlyMap<string, number>;
  /** How much later than it should a step of so many calls begins, the first of them due so long after the last; absent: in time. ms. */
  readonly lateMs?: (calls: number, afterMs: number) => number;
  /** Between two calls of a step at least. Absent: none. ms. */
  readonly everyMs?: number;
  /** Whether refusals end each sender by itself, as those of k6 do. Absent: so many refusals end them all. */
  readonly endsEach?: boolean;
}

/** Drives a course against the target; resolves with what it found and the time it took. */
export function drive(
  course: (now: () => number) => Generator<Ask, Identified, readonly Observed[]>,
  target: Target,
): { readonly found: Identified; readonly tookMs: number } {
  let nowMs = 1_700_000_000_000;
  const beganMs = nowMs;
  const running = course(() => nowMs);
  let step = running.next();
  while (step.done !== true) {
    const { observed, endMs } = play(
      step.value,
      target,
      nowMs + (target.lateMs?.(step.value.calls.length, step.value.calls[0]?.afterMs ?? 0) ?? 0),
    );
    nowMs = endMs;
    step = running.next(observed);
  }
  return { found: step.value, tookMs: nowMs - beganMs };
}

function play(ask: Ask, target: Target, beginMs: number): { observed: readonly Observed[]; endMs: number } {
  const free = Array.from({ length: target.concurrency }, () => beginMs);
  const everyMs = target.everyMs ?? 0;
  let dueMs = Number.NEGATIVE_INFINITY;
  const observed: Observed[] = [];
  let refusals = 0;
  let decidedMs = 0;
  for (const { operation, afterMs } of ask.calls) {
    if (ask.refusals !== null && target.endsEach !== true && refusals >= ask.refusals) break;
    free.sort((left, right) => left - right);
    if (free[0] === undefined) break;
    dueMs = Math.max(beginMs + afterMs, dueMs + everyMs);
    const sentMs = Math.max(dueMs, free[0]);
    const latencyMs = target.latencyMs();
    const answeredMs = sentMs + latencyMs;
    free[0] = answeredMs;
    // One after the other: no limiter's clock goes back.
    decidedMs = Math.max(decidedMs, sentMs + latencyMs / 2);
    const { admitted, resetMs } = target.truth(decidedMs, target.costs.get(operation) ?? 1);
    const outcome = target.lost() ? 'lost' : admitted ? 'admitted' : 'refused';
    if (outcome === 'refused') refusals += 1;
    if (outcome === 'refused' && ask.refusals !== null && target.endsEach === true) free.shift();
    const isTold = target.headers && outcome !== 'lost';
    observed.push({
      operation,
      sentMs,
      answeredMs,
      outcome,
      limit: isTold ? target.limit : null,
      reset: isTold
        ? { earliest: Math.floor(resetMs / 1000) * 1000 - 1000, latest: Math.ceil(resetMs / 1000) * 1000 + 1000 }
        : null,
      retryAfterMs: null,
    });
  }
  return { observed, endMs: Math.max(beginMs, ...observed.map(({ answeredMs }) => answeredMs)) };
}

/** A subject with plain bounds. */
export function subjectOf(now: () => number, random: () => number, mostCalls = 100_000): LimiterUnderTest {
  return {
    operation: 'GET /a',
    costs: new Map(),
    bounds: { mostCalls, mostMs: 4 * 3_600_000 },
    now,
    random,
  };
}
