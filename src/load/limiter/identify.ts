// Which limiter a key meets, found out by calls: what is said by headers is looked at, a window is spent to see where it
// ends, its return is watched, and then calls are spread so that limiters differ in what they leave. Every hypothesis is
// held against all that was seen. A course: it says what to send and is handed what came back; nothing is sent from here.
import { bestOf, type Candidate, candidatesOf, type Hints, type Moment } from './candidates.ts';
import type { ModelKind } from './models.ts';
import { type Costs, costOf, type Observed } from './observed.ts';

export interface Ask {
  /** What to send, in order; `afterMs` from the begin of the step. Those due together go at once. */
  readonly calls: readonly { readonly operation: string; readonly afterMs: number }[];
  /** The rest is not sent once so many were refused; null: all are. */
  readonly refusals: number | null;
}

export interface Bounds {
  readonly mostCalls: number;
  /** Longest time in all. ms. */
  readonly mostMs: number;
}

export interface Subject {
  /** The operation that is called; cheap and harmless. */
  readonly operation: string;
  readonly costs: Costs;
  readonly bounds: Bounds;
  readonly now: () => number;
  /** A number in [0, 1) for phases that windows cannot be in step with. */
  readonly random: () => number;
}

export interface Identified {
  /** Kinds that explain what was seen equally well, the simplest first; empty where none does. */
  readonly kinds: readonly ModelKind[];
  readonly limit: number | null;
  /** What the header states. */
  readonly stated: number | null;
  readonly windowMs: { readonly least: number; readonly best: number; readonly most: number } | null;
  readonly burst: number | null;
  readonly calls: number;
  /** Units admitted although the stated limit was passed by half and nothing was refused. */
  readonly unenforced: boolean;
  /** What speaks for it, and what kept it from being known. */
  readonly evidence: readonly string[];
  readonly best: Candidate | null;
}

const SPREAD_POLLS = 24;
const REFUSALS = 4;
/** Windows that the clock opens and windows that calls open differ by where they begin: some beginnings at random. */
const RESTARTS = 3;
const FIRST_BURST = 64;

type Course = Generator<Ask, Identified, readonly Observed[]>;
type Part<T> = Generator<Ask, T, readonly Observed[]>;

/** The course for one key. Ends within its bounds with what is known by then. */
export function* identify(subject: Subject): Course {
  const trace = new Trace(subject);
  yield* trace.take(subject, 1, null);
  trace.rest(trace.untilReset());
  const drain = yield* exhaust(subject, trace);
  if (drain === null) return trace.unfinished();
  const recovery = yield* watchReturn(subject, trace, drain);
  const hints = hintsOf(trace, drain, recovery);
  if (recovery !== null) {
    const periodMs = Math.max(recovery.latestMs - drain.startMs, drain.units / Math.max(hints.perMs ?? 0, 1e-9));
    trace.rest(Math.min(periodMs, 4 * (recovery.latestMs - drain.startMs)) * (1.2 + subject.random()));
    yield* spread(subject, trace, hints);
    for (let turn = 0; turn < RESTARTS; turn += 1) {
      trace.rest(hints.windowMs * (1.3 + subject.random()));
      yield* restart(subject, trace, hints);
    }
  }
  return conclude(subject, trace, hints);
}

export interface Drain {
  readonly startMs: number;
  readonly endMs: number;
  /** Units admitted before the first refusal. */
  readonly units: number;
}

export interface Return {
  /** The last refusal and the first admission after it. */
  readonly earliestMs: number;
  readonly latestMs: number;
  /** Units admitted at once then, of how many that were tried. */
  readonly admitted: number;
  readonly tried: number;
}

/** Spends a window. Null where nothing was refused within bounds. */
function* exhaust(subject: Subject, trace: Trace): Part<Drain | null> {
  const stated = trace.stated();
  const cost = costOf(subject.costs, subject.operation);
  const from = trace.observed.length;
  let size = stated === null ? FIRST_BURST : Math.ceil((stated * 1.02) / cost) + REFUSALS + 8;
  for (;;) {
    const sent = yield* trace.take(subject, size, REFUSALS);
    if (sent.some(({ outcome }) => outcome === 'refused')) break;
    const units = trace.observed.length - from;
    if (sent.length === 0 || (stated !== null && units * cost > 1.5 * stated + 10)) return null;
    size = stated === null ? size * 2 : Math.ceil((stated * 0.5) / cost) + 10;
  }
  const own = trace.observed.slice(from);
  const refused = own.find(({ outcome }) => outcome === 'refused')!;
  const admitted = own.filter(({ outcome, sentMs }) => outcome === 'admitted' && sentMs <= refused.answeredMs);
  return {
    startMs: own[0]?.sentMs ?? refused.sentMs,
    endMs: refused.answeredMs,
    units: admitted.reduce((total, one) => total + costOf(subject.costs, one.operation), 0),
  };
}

/** Asks again and again until a call is admitted, then tries how many are. Null where time or calls ran out. */
function* watchReturn(subject: Subject, trace: Trace, drain: Drain): Part<Return | null> {
  const cost = costOf(subject.costs, subject.operation);
  let gapMs = Math.max(5, (drain.endMs - drain.startMs) / 50);
  let earliestMs = drain.endMs;
  for (;;) {
    trace.rest(gapMs);
    const [poll] = yield* trace.take(subject, 1, null);
    if (poll === undefined) return null;
    if (poll.outcome === 'admitted') {
      const tried = Math.ceil(Math.min(drain.units / 4 / cost, 60)) + 1;
      const again = yield* trace.take(subject, tried, REFUSALS);
      const admitted = again.filter(({ outcome }) => outcome === 'admitted').length;
      yield* trickle(subject, trace, Math.max(gapMs / 2, 5));
      return {
        earliestMs,
        latestMs: poll.answeredMs,
        admitted: (admitted + 1) * cost,
        tried: (again.length + 1) * cost,
      };
    }
    earliestMs = poll.sentMs;
    gapMs = nextGap(gapMs, subject.now() - drain.startMs);
  }
}

/** Gaps stay small beside the time waited: a return is known to a fiftieth of it. */
function nextGap(gapMs: number, waitedMs: number): number {
  return Math.max(gapMs * 1.05, waitedMs * 0.02);
}

/** A few calls at growing distances: what comes back steadily shows its rate. */
function* trickle(subject: Subject, trace: Trace, gapMs: number): Part<void> {
  for (let turn = 0, wait = gapMs; turn < 8; turn += 1, wait *= 1.5) {
    trace.rest(wait);
    yield* trace.take(subject, 1, null);
  }
}

/** Two batches half a window apart and single calls around: a window that slides gives back half, one that is fixed all. */
function* spread(subject: Subject, trace: Trace, { drain, windowMs }: Hints): Part<void> {
  const { operation, costs } = subject;
  const batch = Math.max(1, Math.floor(drain.units / costOf(costs, operation) / 2.2));
  const polls = Math.min(SPREAD_POLLS, Math.max(4, Math.floor(drain.units / 4)));
  const at = (share: number) => ({ operation, afterMs: Math.round(share * windowMs) });
  const calls = [
    ...Array.from({ length: batch }, () => at(0)),
    ...Array.from({ length: batch }, () => at(0.5)),
    ...Array.from({ length: polls }, (_, turn) => at(0.55 + (turn / polls) * 1.25)),
    ...Array.from({ length: batch }, () => at(1.07)),
  ].sort((left, right) => left.afterMs - right.afterMs);
  yield* trace.send({ calls, refusals: null });
}

/** A window begun at no special time: a few calls through it, and past its end. */
function* restart(subject: Subject, trace: Trace, { windowMs, drain }: Hints): Part<void> {
  const { operation } = subject;
  const count = Math.min(12, Math.max(3, Math.floor(drain.units / 5)));
  const calls = Array.from({ length: count }, (_, turn) => ({
    operation,
    afterMs: Math.round((turn / (count - 1)) * 1.1 * windowMs),
  }));
  yield* trace.send({ calls, refusals: null });
}

/** Units that came back per ms: as Remaining tells, else by what was admitted at once when calls were admitted again. */
function refillRate(trace: Trace, drain: Drain, recovery: Return | null): number | null {
  const after = trace.observed.filter(({ sentMs, remaining }) => sentMs > drain.endMs && remaining !== null);
  const pairs = after.slice(1).flatMap((one, at) => {
    const before = after[at]!;
    const spent = one.outcome === 'admitted' ? 1 : 0;
    const gain = (one.remaining ?? 0) - (before.remaining ?? 0) + spent;
    return one.sentMs >= before.answeredMs && gain >= 0 ? [{ gain, elapsedMs: one.sentMs - before.sentMs }] : [];
  });
  const gain = pairs.reduce((total, pair) => total + pair.gain, 0);
  const elapsedMs = pairs.reduce((total, pair) => total + pair.elapsedMs, 0);
  if (gain > 0 && elapsedMs > 0) return gain / elapsedMs;
  return recovery === null ? null : recovery.admitted / Math.max(1, recovery.latestMs - drain.endMs);
}

function hintsOf(trace: Trace, drain: Drain, recovery: Return | null): Hints {
  const sinceStart = recovery === null ? null : recovery.latestMs - drain.startMs;
  const statedMs = trace.statedWindowMs(drain);
  return {
    drain,
    recovery,
    stated: trace.stated(),
    statedWindowMs: statedMs,
    resets: trace.resets(),
    boundaries: trace.boundaries(),
    perMs: refillRate(trace, drain, recovery),
    windowMs: statedMs ?? sinceStart ?? 1000,
  };
}

function conclude(subject: Subject, trace: Trace, hints: Hints): Identified {
  const known = { ...hints, resets: trace.resets(), boundaries: trace.boundaries() };
  const { fits, best } = bestOf(candidatesOf(known), trace.settled(), subject.costs);
  const kinds = [...new Set(fits.map(({ model }) => model.kind))];
  const windows = fits.filter(({ model }) => model.kind === best?.model.kind).map(({ model }) => model.windowMs);
  return {
    ...trace.unfinished(),
    kinds,
    limit: best?.model.limit ?? null,
    burst: best?.model.burst ?? null,
    windowMs:
      best === null ? null : { least: Math.min(...windows), best: best.model.windowMs, most: Math.max(...windows) },
    unenforced: false,
    best,
    evidence: [`${hints.drain.units} units admitted before the first refusal`],
  };
}

/** All that was seen, and what is left of the bounds. */
class Trace {
  readonly observed: Observed[] = [];
  readonly #beganMs: number;
  readonly #subject: Subject;
  #settledFrom = 0;
  #restMs = 0;

  constructor(subject: Subject) {
    this.#subject = subject;
    this.#beganMs = subject.now();
  }

  /** Sends single calls of the subject's operation at once, as many as bounds allow. */
  *take({ operation }: Subject, count: number, refusals: number | null): Part<readonly Observed[]> {
    return yield* this.send({ calls: Array.from({ length: count }, () => ({ operation, afterMs: 0 })), refusals });
  }

  *send({ calls, refusals }: Ask): Part<readonly Observed[]> {
    const { mostCalls, mostMs } = this.#subject.bounds;
    const restMs = this.#restMs;
    this.#restMs = 0;
    const leftMs = mostMs - (this.#subject.now() - this.#beganMs);
    const allowed = calls
      .slice(0, Math.max(0, mostCalls - this.observed.length))
      .map(({ operation, afterMs }) => ({ operation, afterMs: afterMs + restMs }))
      .filter(({ afterMs }) => afterMs <= leftMs);
    if (allowed.length === 0) return [];
    const answers = yield { calls: allowed, refusals };
    this.observed.push(...answers);
    return answers;
  }

  /** The next calls wait this long. */
  rest(ms: number): void {
    this.#restMs += Math.max(0, ms);
    if (this.#settledFrom === 0 && this.observed.length > 0) this.#settledFrom = this.observed.length;
  }

  stated(): number | null {
    return this.observed.findLast(({ limit }) => limit !== null)?.limit ?? null;
  }

  /** How long until the reset that was stated last; 0 without one. */
  untilReset(): number {
    const reset = this.observed.at(-1)?.reset ?? null;
    return reset === null ? 0 : Math.max(0, reset.latestMs - this.#subject.now() + 50);
  }

  /** The window as the headers of the drain's first answer tell: from there to the reset. Null without them. */
  statedWindowMs({ startMs }: Drain): number | null {
    const first = this.observed.find(({ sentMs }) => sentMs >= startMs);
    const reset = first?.reset ?? null;
    if (reset === null || first === undefined) return null;
    const ms = (reset.earliestMs + reset.latestMs) / 2 - first.sentMs;
    return ms > 200 ? ms : null;
  }

  /** Where more was left than at the call before, or calls were admitted again. */
  boundaries(): readonly Moment[] {
    const settled = this.settled();
    return settled.slice(1).flatMap((one, at) => {
      const before = settled[at]!;
      const rose = one.remaining !== null && before.remaining !== null && one.remaining > before.remaining + 1;
      const again = before.outcome === 'refused' && one.outcome === 'admitted';
      return one.sentMs >= before.answeredMs && (rose || again)
        ? [{ earliestMs: before.sentMs, latestMs: one.answeredMs }]
        : [];
    });
  }

  /** The stated resets, each once, in order. What overlaps is one. */
  resets(): readonly Moment[] {
    const merged: { earliestMs: number; latestMs: number }[] = [];
    for (const { reset } of this.observed) {
      if (reset === null) continue;
      const same = merged.find((one) => one.earliestMs <= reset.latestMs && reset.earliestMs <= one.latestMs);
      if (same === undefined) merged.push({ ...reset });
      else if (reset.earliestMs > same.earliestMs || reset.latestMs < same.latestMs) {
        same.earliestMs = Math.max(same.earliestMs, reset.earliestMs);
        same.latestMs = Math.min(same.latestMs, reset.latestMs);
      }
    }
    return merged.sort((left, right) => left.earliestMs - right.earliestMs);
  }

  /** What was seen since the limiter was first let rest: before, nobody knows what others had spent. */
  settled(): readonly Observed[] {
    return this.observed.slice(this.#settledFrom);
  }

  unfinished(): Identified {
    return {
      kinds: [],
      limit: null,
      stated: this.stated(),
      windowMs: null,
      burst: null,
      calls: this.observed.length,
      unenforced: this.observed.length > 0 && this.observed.every(({ outcome }) => outcome !== 'refused'),
      evidence: [],
      best: null,
    };
  }
}
