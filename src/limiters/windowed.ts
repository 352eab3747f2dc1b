// Limiters that give back all at once: windows of the clock, windows that a call opens, and logs that slide. The length is
// the time from one return to the next; then calls half a window apart, begun a quarter after where the clock's windows
// would begin, tell the three from each other:
//
//                             u: two fifths   u + 0.35 W: the rest   u + 0.875 W   u + 1.1 W: seven tenths
//   fixed-aligned   (W ends at u + 0.75 W)                           admitted      all admitted
//   fixed-first-hit (W ends at u + W)                                refused       all admitted
//   sliding-log                                                      refused       two fifths
import type { Interval } from '../contract/load-part.ts';
import { fitting, lengthsWithin, type ModelKind } from './models.ts';
import { mostAlike } from './observed.ts';
import { type CameBack, comeBack, type Return } from './returns.ts';
import { type BurstResult, callsBeyond, type Procedure, type Trace } from './trace.ts';

export interface Windowed {
  /** Late: calls were sent or answered too late to tell. Null where time or calls ran out before it could be told. */
  readonly kind: ModelKind | 'late' | null;
  /** Units that fresh windows admitted, one for each window that was spent from its begin. */
  readonly units: readonly number[];
  /** null where the second return was not seen. */
  readonly windowMs: Interval | null;
}

/** Facts of the windows before the three kinds are told apart. */
interface Seen {
  readonly units: readonly number[];
  readonly windowMs: Interval;
  /** The last return, with what it brought. */
  readonly last: CameBack;
}

/** Lengths that are tried between the bounds of a window. */
const LENGTHS_TRIED = 61;
/** Maximum share of a window by which its begin may be unknown: beyond it the three cannot be told apart. */
const MAX_VAGUE_SHARE = 0.2;
const FIRST_SHARE = 0.4;
/** Windows from a return to u: as few as bring back all that was spent since. */
const IDLE_WINDOWS = [1.25, 2.25, 3.25] as const;
const PROBE_CALLS = 3;
/** A busy machine sees returns late, and sends late: then all is done once more, so often. */
const MAX_TURNS = 8;
/** Maximum share of a window that it may take to spend it: a window that was spent more slowly is not told. */
const MAX_SPENDING_SHARE_OF_WINDOW = 0.45;
const CALLS_BY_UNITS = 1.2;

/** `came`: how the drain came back; `again`: what of it came at once, until it was spent again. */
export function* windowed(trace: Trace, came: CameBack, again: BurstResult): Procedure<Windowed> {
  // Nobody knows when that was spent which was there before the drain.
  const first = yield* nextReturn(trace, came);
  if (first === null) return { kind: null, units: fresh(trace, came.first, again), windowMs: null };
  let seen: Seen = { ...first, units: [...fresh(trace, came.first, again), ...first.units] };
  for (let turn = 1; ; turn += 1) {
    const isReady = isKnownEnough(seen);
    const told = isReady ? yield* toldApart(trace, seen, again.units) : late(seen);
    if (told.kind !== 'late' || turn === MAX_TURNS) return told;
    const spent = isReady ? yield* spentAfter(trace, again) : seen.last;
    const next = spent && (yield* nextReturn(trace, spent));
    if (next === null) return told;
    seen = seenTwice(seen, next);
  }
}

/** Joins two looks. Where they contradict each other the window is not steady, and the earlier bounds hold. */
function seenTwice(seen: Seen, next: Seen): Seen {
  const windowMs = overlapOf(seen.windowMs, next.windowMs) ?? seen.windowMs;
  return { ...next, units: [...seen.units, ...next.units], windowMs };
}

/** From units that came back at once, and were spent, to the next return, reckoned from the first one of them; null where none was seen. */
function* nextReturn(trace: Trace, { first, back, atOnce }: CameBack): Procedure<Seen | null> {
  const untilMs = trace.observed.findLast(({ outcome }) => outcome === 'admitted')?.answeredMs ?? 0;
  const next = atOnce?.refused === true ? yield* comeBack(trace, atOnce) : null;
  if (next?.atOnce == null) return null;
  const windowMs = between(first, next.first);
  // The end of a window may have come unseen while what came back was spent: then this is the length of two.
  if (untilMs - back.sentMs > MAX_SPENDING_SHARE_OF_WINDOW * windowMs.best)
    return { units: [], windowMs: { ...windowMs, least: 0, best: windowMs.most / 2 }, last: next };
  return { units: fresh(trace, next.first, next.atOnce), windowMs, last: next };
}

/** Calls that came late may have met any window: what is left of it is spent, and what comes back then is known again. */
function* spentAfter(trace: Trace, { units }: BurstResult): Procedure<CameBack | null> {
  const flood = yield* trace.flood(callsBeyond(units, CALLS_BY_UNITS));
  if (flood?.refused !== true) return null;
  return yield* comeBack(trace, { ...flood, units: Math.max(flood.units, units) });
}

/** The calls of the table above, in one step. The kind whose model they contradict least is told, where it is one alone. */
function* toldApart(trace: Trace, seen: Seen, whole: number): Procedure<Windowed> {
  const { units, windowMs } = seen;
  const second = seen.last.first;
  const beganMs = middle(second);
  const fromMs = beganMs + idleMs(seen);
  trace.settle(fromMs - trace.subject.now());
  const parted = Math.max(1, Math.floor(whole * FIRST_SHARE));
  const groups = [
    { at: 0, calls: parted },
    { at: 0.35, calls: callsBeyond(whole - parted, CALLS_BY_UNITS) },
    { at: 0.875, calls: PROBE_CALLS },
    { at: 1.1, calls: Math.ceil((parted + whole) / 2) + PROBE_CALLS },
  ];
  const due = groups.flatMap(({ at, calls }) => new Array<number>(calls).fill(at * windowMs.best));
  const answers = yield* trace.send(due, null);
  if (answers.length < due.length) return { kind: null, units, windowMs };
  const fresh = answers.slice(0, due.filter((ms) => ms < 0.5 * windowMs.best).length);
  const isSpent = fresh.some(({ outcome }) => outcome === 'refused');
  const own = isSpent && trace.unitsOf(fresh, 'lost') === 0 ? [trace.unitsOf(fresh)] : [];
  const limit = usualOf([...units, ...own]);
  if (limit === null) return late(seen);
  const lengths = lengthsWithin(windowMs, LENGTHS_TRIED);
  const models = KINDS.flatMap((kind) => lengths.map((ms) => ({ kind, limit, phaseMs: beganMs, windowMs: ms })));
  const fits = fitting(models, trace.settled(), trace.subject.costs);
  const [kind, ...others] = new Set(fits.map((one) => one.kind));
  if (kind === undefined || others.length > 0 || !isSpent) return late(seen);
  // Calls spent before came back with a log's: only a window that began at rest counts.
  return { kind, units: kind === 'sliding-log' ? own : [...units, ...own], windowMs };
}

const KINDS = ['fixed-aligned', 'fixed-first-hit', 'sliding-log'] as const;

/** The value that came most often, the larger of two; null for none. */
export function usualOf(values: readonly number[]): number | null {
  return mostAlike(values.toSorted((one, other) => other - one))[0] ?? null;
}

/** From the middle of the return to u. */
function idleMs({ windowMs, last: { first, whole } }: Seen): number {
  const spentMs = whole.endMs - first.earliestMs + windowMs.most;
  const enough = IDLE_WINDOWS.find((windows) => windows * windowMs.best > spentMs);
  return (enough ?? IDLE_WINDOWS[2]) * windowMs.best;
}

/** Tells whether windows of the clock may begin but little sooner or later after the idle time than is reckoned. */
function isKnownEnough(seen: Seen): boolean {
  const { last, windowMs } = seen;
  const { earliestMs, latestMs } = last.first;
  const idle = idleMs(seen) / windowMs.best;
  return latestMs - earliestMs + idle * (windowMs.most - windowMs.least) <= MAX_VAGUE_SHARE * windowMs.best;
}

function late({ units, windowMs }: Seen): Windowed {
  return { kind: 'late', units, windowMs };
}

function middle({ earliestMs, latestMs }: Return): number {
  return (earliestMs + latestMs) / 2;
}

/** Units that a spent window admitted; nothing where not every call of it was answered. */
function fresh(trace: Trace, { earliestMs }: Return, { refused, units, endMs }: BurstResult): readonly number[] {
  return refused && trace.lostBetween(earliestMs, endMs) === 0 ? [units] : [];
}

/** Within both bounds; null where they contradict each other. */
function overlapOf(one: Interval, other: Interval): Interval | null {
  const [least, most] = [Math.max(one.least, other.least), Math.min(one.most, other.most)];
  return least <= most ? { least, best: (least + most) / 2, most } : null;
}

/** From one return to the next, each known to lie between two times. */
function between(one: Return, other: Return): Interval {
  const least = other.earliestMs - one.latestMs;
  const most = other.latestMs - one.earliestMs;
  return { least, best: (least + most) / 2, most };
}
