// Which limiter a key meets, found out by calls alone: what its headers say is neither needed nor believed. It is spent once
// to see how it comes back: all at once (windowed.ts) or little by little (gradual.ts). At the end every model is held
// against all that was seen, and against the windows that Reset names. Measured models rest on the time between calls, which a busy
// sender or a slow way blurs: then the same calls, counted window by window, still tell whether one admitted more than it states.
// A course: it says what to send and is handed what came back; nothing is sent from here.

import type { Interval } from '../contract/load-part.ts';
import { slackOf } from './drained-window.ts';
import { type Gradual, gradual } from './gradual.ts';
import { fitting, lengthsWithin, type ModelKind } from './models.ts';
import { type Costs, costOf, mostAlike, type Observed } from './observed.ts';
import { comeBack, isSpent, spend } from './returns.ts';
import { type BurstResult, callsBeyond, type LimiterUnderTest, type Procedure, Trace } from './trace.ts';
import { usualOf, type Windowed, windowed } from './windowed.ts';

export interface Identified {
  /** Kinds that explain what was seen equally well, the likeliest first; empty, and with it limit and window null, where none does or none was told apart. */
  readonly kinds: readonly ModelKind[];
  /** Units that are admitted at once: those of a window; for a bucket, whose window nothing shows, its burst. */
  readonly limit: Interval | null;
  /** For a bucket the time in which it fills. */
  readonly windowMs: Interval | null;
  /** The limit that the header states. */
  readonly stated: number | null;
  readonly calls: number;
  /** No call was refused, although so many more than stated were sent that some should have been. */
  readonly unenforced: boolean;
  /** Sentences that speak for it, or tell why it is not known. */
  readonly evidence: readonly string[];
}

const FIRST_FLOOD_CALLS = 256;
const CALLS_BY_LIMIT = 1.5;
/** A window may end during a flood, and most of the next be admitted, too. */
const MAX_ROUNDS = 3;

/** Maximum share by which a measure may miss a multiple of a window's units and still count as that multiple. */
const MAX_SHARE_OFF_MULTIPLE = 0.01;

/** A rate that rests on fewer units is a guess. */
const MIN_RATE_UNITS = 20;
/** A limit that fills sooner than calls follow one another cannot be told from chance. ms. */
const SHORTEST_FILL_MS = 50;
/** Lengths that are tried between the bounds of the time in which a bucket fills. */
const LENGTHS_TRIED = 5;

const TOO_LATE = 'calls were sent too late, or answered too late or not at all, to tell one window from the next';

/** The course for one key. Ends within its bounds with what is known by then. */
export function* identify(subject: LimiterUnderTest): Procedure<Identified> {
  const trace = new Trace(subject);
  return reconciled(trace, yield* measured(trace), subject.costs);
}

/**
 * The measured limiter, unless the windows that Reset names say otherwise. One of them that admitted just as many as
 * are stated, and then refused, tells the limit where the measure does not, or contradicts it. Where none of them
 * admitted more than is stated, a measure of more counted two windows as one.
 */
function reconciled(trace: Trace, found: Identified, costs: Costs): Identified {
  const { stated, limit, evidence } = found;
  const named = stated === null || found.unenforced ? null : windowsNamed(trace.observed, costs);
  if (named === null || stated === null) return found;
  const slack = slackOf(stated, Math.max(1, ...costs.values()));
  if (limit !== null && Math.abs(limit.best - stated) <= slack) return found;
  const { units, isExhausted, windowMs } = named;
  const counted = `${units} units admitted before one and the same reset, resets ${seconds(windowMs.best)} apart`;
  if (isExhausted && Math.abs(units - stated) <= slack) {
    // A reset that moves a little counts some calls of the next window: only that it is about the stated limit is known.
    const size = { least: Math.min(units, stated), best: units, most: Math.max(units, stated) };
    return { ...found, kinds: NAMED_KINDS, limit: size, windowMs, evidence: [...evidence, counted] };
  }
  if (limit === null || limit.best <= stated || units > stated + slack) return found;
  return ended(trace, [...evidence, counted, TOO_LATE]);
}

/** Identifies the limiter by calls alone. */
function* measured(trace: Trace): Procedure<Identified> {
  yield* trace.one();
  const stated = trace.stated();
  const first = stated === null ? FIRST_FLOOD_CALLS : callsBeyond(stated, CALLS_BY_LIMIT);
  const spent = yield* spend(trace, first, stated === null ? trace.subject.bounds.mostCalls : first * MAX_ROUNDS);
  if (spent === null || !spent.refused) return unspent(trace, spent, stated);
  const drained = `${spent.units} units admitted until the first refusal, in ${seconds(spent.endMs - spent.startMs)}`;
  const came = yield* comeBack(trace, spent);
  if (came === null) return ended(trace, [drained, 'no call was admitted again within the time that was allowed']);
  const { atOnce, whole } = came;
  const cameBack = `${whole.units} units came back until ${seconds(whole.endMs - spent.startMs)} after the first call`;
  const evidence = [drained, cameBack];
  const found =
    atOnce !== null && (yield* isSpent(trace, came.gapMs, atOnce)) ? yield* windowed(trace, came, atOnce) : null;
  return found !== null && atOnce !== null && !isBeyondWindows(spent, found)
    ? ofWindows(trace, evidence, atOnce, found)
    : ofRefill(trace, evidence, yield* gradual(trace, spent, came));
}

/** Tells whether the drain took more than all windows hold that it can have met: a bucket that is filled in steps has such a burst. */
function isBeyondWindows({ units, startMs, endMs }: BurstResult, found: Windowed): boolean {
  const limit = intervalOf(ofOneWindow(found.units));
  if (limit === null || found.windowMs === null || found.windowMs.least <= 0) return false;
  return units > limit.most * (2 + Math.floor((endMs - startMs) / found.windowMs.least));
}

function ofWindows(trace: Trace, evidence: readonly string[], atOnce: BurstResult, found: Windowed): Identified {
  const { kind, units, windowMs } = found;
  const limit = intervalOf(ofOneWindow(units));
  // A window that was thought fresh and was spent: even across the end of one no more is admitted at once than two hold.
  if (limit === null || windowMs === null || 2 * limit.most < atOnce.units) return ended(trace, evidence);
  const more = `${units.length} fresh windows admitted ${units.join(', ')}; ${seconds(windowMs.best)} from one return to the next`;
  if (kind === null || kind === 'late') return ended(trace, [...evidence, more, ...(kind === null ? [] : [TOO_LATE])]);
  return { ...ended(trace, [...evidence, more]), kinds: [kind], limit, windowMs };
}

function ofRefill(trace: Trace, evidence: readonly string[], found: Gradual): Identified {
  const { kind, rate, burst } = found;
  if (burst === null) return ended(trace, evidence);
  const { perMs, units: rateUnits, lost } = rate;
  const slack = (1 + lost) / Math.max(1, rateUnits);
  const filled = (units: number): Interval => {
    const best = units / perMs;
    return { least: best * (1 - slack), best, most: best * (1 + slack) };
  };
  const more = `${(perMs * 1000).toPrecision(4)} units a second admitted of more than that, over ${rateUnits}; ${burst} at once after a rest`;
  const ends = ended(trace, [...evidence, more]);
  if (kind === null || rateUnits < MIN_RATE_UNITS || filled(burst).best < SHORTEST_FILL_MS) return ends;
  // Units that come back while a bucket is drained make its burst uncertain by one either way.
  const sizes = [burst, burst - 1, burst + 1].filter((units) => units >= 1);
  const models = sizes.flatMap((limit) =>
    lengthsWithin(filled(limit), LENGTHS_TRIED).map(
      (windowMs) => ({ kind: 'token-bucket', limit, windowMs, phaseMs: 0 }) as const,
    ),
  );
  // Where the clock's windows of a counter begin is not known well enough to hold its model against the others.
  const isBucket = kind === 'token-bucket';
  const units = isBucket ? fitting(models, trace.settled(), trace.subject.costs)[0]?.limit : burst;
  if (units === undefined) return ends;
  const size = { least: Math.min(units, burst - 1), best: units, most: Math.max(units, burst + 1) };
  return { ...ends, kinds: [kind], limit: size, windowMs: filled(units) };
}

/** Without those that are so many times what came most often: a slow flood goes on into the next window, and spends that, too. */
function ofOneWindow(units: readonly number[]): readonly number[] {
  const [top, again] = mostAlike(units);
  if (top === undefined || again === undefined) return units;
  return units.filter((one) => Math.round(one / top) < 2 || one % top > MAX_SHARE_OFF_MULTIPLE * top);
}

/** The value that came most often; bounds of all. */
function intervalOf(values: readonly number[]): Interval | null {
  const best = usualOf(values);
  return best === null ? null : { least: Math.min(...values), best, most: Math.max(...values) };
}

/** Nothing was refused: what is stated is not enforced, or the calls did not suffice. */
function unspent(trace: Trace, spent: BurstResult | null, stated: number | null): Identified {
  const [first] = trace.observed;
  const inTime = trace.observed.filter(({ answeredMs }) => first?.reset != null && answeredMs <= first.reset.earliest);
  const unenforced = stated !== null && trace.unitsOf(inTime) >= stated * CALLS_BY_LIMIT;
  const sent = `${spent?.units ?? 0} units were admitted and nothing was refused`;
  const why = unenforced
    ? `${sent}: ${trace.unitsOf(inTime)} of them before the reset that was stated, where ${stated} are stated`
    : `${sent}: the limit is larger, or calls come back as fast as they were sent`;
  return { ...ended(trace, [why]), unenforced };
}

function ended(trace: Trace, evidence: readonly string[]): Identified {
  const unanswered = trace.observed.filter(({ outcome }) => outcome === 'lost').length;
  return {
    kinds: [],
    limit: null,
    windowMs: null,
    stated: trace.stated(),
    calls: trace.observed.length,
    unenforced: false,
    evidence: unanswered === 0 ? evidence : [...evidence, `${unanswered} calls were not answered, or by an error`],
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toPrecision(3)} s`;
}

/** Summary of the windows that Reset names. */
interface NamedWindows {
  /** The most units that were admitted in one of them. */
  readonly units: number;
  /** True where a call was refused in one that had admitted so many. */
  readonly isExhausted: boolean;
  /** From one reset to the next. */
  readonly windowMs: Interval;
}

/** Those that may reset at whole windows: whose counts say nothing about which of these it is. A log does where it is spent in floods. */
const NAMED_KINDS: readonly ModelKind[] = ['fixed-aligned', 'fixed-first-hit', 'sliding-counter', 'sliding-log'];

/** A reset that is told in seconds from now moves by as much. ms. */
const MAX_SPREAD_MS = 1_100;
/** Resets that lie nearer to each other may be one that moves. ms. */
const MIN_APART_MS = 1_900;
/** Minimum share of a window that lies ahead when its first call sees its reset. */
const MIN_SHARE_AHEAD = 0.5;
const MIN_WINDOWS = 2;

interface Window {
  readonly calls: readonly Observed[];
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Null where the resets move with the calls, as those of buckets and logs do, or name fewer than two windows. */
function windowsNamed(observed: readonly Observed[], costs: Costs): NamedWindows | null {
  const windows = groupedByReset(observed);
  const apart = windows.slice(1).map(({ leastMs }, index) => leastMs - (windows[index]?.leastMs ?? 0));
  const least = Math.min(...apart);
  const isOne = ({ leastMs, mostMs }: Window): boolean => mostMs - leastMs <= MAX_SPREAD_MS;
  if (windows.length < MIN_WINDOWS || !windows.every(isOne) || least < MIN_APART_MS) return null;
  const aheadMs = Math.max(...windows.flatMap(({ calls, leastMs }) => calls.map((one) => leastMs - one.answeredMs)));
  // No reset of a window is farther ahead than the next one follows it: those of a log that is asked now and then are.
  if (aheadMs < MIN_SHARE_AHEAD * least || aheadMs > least + MAX_SPREAD_MS) return null;
  const counts = windows.map(({ calls }) => ({
    units: calls
      .filter(({ outcome }) => outcome !== 'refused')
      .reduce((sum, { operation }) => sum + costOf(costs, operation), 0),
    isRefused: calls.some(({ outcome }) => outcome === 'refused'),
  }));
  const units = Math.max(...counts.map((one) => one.units));
  return {
    units,
    isExhausted: counts.some((one) => one.units === units && one.isRefused),
    windowMs: { least: least - MAX_SPREAD_MS, best: least, most: least + MAX_SPREAD_MS },
  };
}

/** In order; a reset within the spread of the first of a window is the same. */
function groupedByReset(observed: readonly Observed[]): readonly Window[] {
  const told = observed.flatMap((one) =>
    one.reset === null ? [] : [{ one, atMs: (one.reset.earliest + one.reset.latest) / 2 }],
  );
  const windows: { calls: Observed[]; leastMs: number; mostMs: number }[] = [];
  for (const { one, atMs } of told.toSorted((left, right) => left.atMs - right.atMs)) {
    const last = windows.at(-1);
    if (last !== undefined && atMs - last.leastMs <= MIN_APART_MS) {
      last.calls.push(one);
      last.mostMs = atMs;
    } else windows.push({ calls: [one], leastMs: atMs, mostMs: atMs });
  }
  return windows;
}
