// Which limiter a key meets, found out by calls: what is said by headers is looked at, a window is spent to see where it
// ends, its return is watched, and then calls are spread so that limiters differ in what they leave. Every hypothesis is
// held against all that was seen. A course: it says what to send and is handed what came back; nothing is sent from here.
import { bestOf, type Candidate, candidatesOf, type Drain, type Hints, type Return } from './candidates.ts';
import type { ModelKind } from './models.ts';
import { costOf, type Observed } from './observed.ts';
import { type Ask, type Part, type Subject, Trace } from './trace.ts';

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

/** The course for one key. Ends within its bounds with what is known by then. */
export function* identify(subject: Subject): Course {
  const trace = new Trace(subject);
  yield* trace.take(subject, 1, null);
  trace.rest(trace.untilReset());
  const drain = yield* exhaust(subject, trace);
  if (drain === null) return unfinished(trace);
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
    ...unfinished(trace),
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

/** What is known where no model was fitted. */
function unfinished(trace: Trace): Identified {
  const { observed } = trace;
  return {
    kinds: [],
    limit: null,
    stated: trace.stated(),
    windowMs: null,
    burst: null,
    calls: observed.length,
    unenforced: observed.length > 0 && observed.every(({ outcome }) => outcome !== 'refused'),
    evidence: [],
    best: null,
  };
}
