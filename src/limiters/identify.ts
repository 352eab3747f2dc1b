// Which limiter a key meets, found out by calls alone: what its headers say is neither needed nor believed. It is spent once
// to see how it comes back: all at once (windowed.ts) or little by little (gradual.ts). At the end every model is held
// against all that was seen. Measured models rest on the time between calls, which a busy sender or a slow way blurs.
// A course: it says what to send and is handed what came back; nothing is sent from here.

import type { Interval } from '../contract/load-part.ts';
import { plural } from '../contract/numbers.ts';
import { type Gradual, gradual } from './gradual.ts';
import { fitting, lengthsWithin, type ModelKind } from './models.ts';
import { mostAlike } from './observed.ts';
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

/** Largest number of windows of which each may have admitted another number. */
const MAX_DIFFERING_WINDOWS = 2;
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
  yield* trace.one();
  const stated = trace.stated();
  const first = stated === null ? FIRST_FLOOD_CALLS : callsBeyond(stated, CALLS_BY_LIMIT);
  const spent = yield* spend(trace, first, stated === null ? trace.subject.bounds.mostCalls : first * MAX_ROUNDS);
  if (spent === null || !spent.refused) return unspent(trace, spent, stated);
  const drained = `${plural(spent.units, 'unit')} admitted until the first refusal, in ${seconds(spent.endMs - spent.startMs)}`;
  const came = yield* comeBack(trace, spent);
  if (came === null) return ended(trace, [drained, 'no call was admitted again within the time that was allowed']);
  const { atOnce, whole } = came;
  const cameBack = `${plural(whole.units, 'unit')} came back until ${seconds(whole.endMs - spent.startMs)} after the first call`;
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
  const { units, windowMs } = found;
  // Where each window admitted another number, none of them was seen whole.
  const kind = units.length > MAX_DIFFERING_WINDOWS && !isRepeated(units) ? 'late' : found.kind;
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

function isRepeated(units: readonly number[]): boolean {
  return new Set(units).size < units.length;
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
  const sent = `${plural(spent?.units ?? 0, 'unit was', 'units were')} admitted and nothing was refused`;
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
    evidence:
      unanswered === 0
        ? evidence
        : [...evidence, `${plural(unanswered, 'call was', 'calls were')} not answered, or by an error`],
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toPrecision(3)} s`;
}
