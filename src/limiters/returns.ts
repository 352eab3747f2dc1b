// How a spent limit comes back: asked again and again until a call is admitted, and spent again: at once, or as fast as time passes. What
// was spent before the drain may come back before that, and is passed over.
import { costOf, type Observed } from './observed.ts';
import { type BurstResult, callsBeyond, type Procedure, type Trace } from './trace.ts';

/** When a limit came back: after the last refusal, before the first admitted answer. Epoch ms. */
export interface Return {
  readonly earliestMs: number;
  readonly latestMs: number;
  /** When the first call was sent that was admitted, or was not answered and may have been. */
  readonly sentMs: number;
}

/** Gaps stay this small beside the time waited, or the window where it is known. */
const MAX_GAP_SHARE_OF_WAIT = 0.015;
const MIN_GAP_MS = 5;
/** Calls that were not answered may have spent what came back, unseen: so large a share of what there is. */
const MAX_UNSEEN_SHARE = 0.45;
/** While what a refusal told is ahead, gaps are so many times wider: refusals may be counted, too. */
const GAP_FACTOR_WHILE_TOLD = 3;

/**
 * Asks until a call is admitted. `sinceMs`: when the time began that is waited for; `units`: what comes back at once, where it does.
 * Null where time or calls ran out, or so many answers did not come that it may have come back unseen.
 */
export function* watchReturn(
  trace: Trace,
  sinceMs: number,
  units = Number.POSITIVE_INFINITY,
): Procedure<Return | null> {
  // A generator takes its time to end: what was refused last came back no earlier, and perhaps before now.
  let earliestMs = trace.observed.findLast(({ outcome }) => outcome === 'refused')?.sentMs ?? trace.subject.now();
  let told = toldBy(trace.observed.at(-1));
  const beganMs = trace.subject.now();
  let unansweredMs: number | null = null;
  for (;;) {
    trace.rest(nextGap(trace.subject.now(), sinceMs, told));
    const poll = yield* trace.one();
    if (poll === null) return null;
    if (poll.outcome === 'admitted')
      return { earliestMs, latestMs: poll.answeredMs, sentMs: unansweredMs ?? poll.sentMs };
    if (poll.outcome === 'lost') unansweredMs ??= poll.sentMs;
    if (trace.lostBetween(beganMs, poll.sentMs) > MAX_UNSEEN_SHARE * units) return null;
    if (poll.outcome === 'refused') {
      earliestMs = poll.sentMs;
      unansweredMs = null;
      told ??= toldBy(poll);
    }
  }
}

/** When calls come back as the refusal tells: as its Reset says, or its Retry-After. Not to be believed. */
function toldBy(refusal: Observed | undefined): number | null {
  if (refusal?.outcome !== 'refused') return null;
  const { reset, retryAfterMs, answeredMs } = refusal;
  const times = [reset?.earliest ?? null, retryAfterMs === null ? null : answeredMs + retryAfterMs - 1000];
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function nextGap(nowMs: number, sinceMs: number, told: number | null): number {
  const often = Math.max(MIN_GAP_MS, (nowMs - sinceMs) * MAX_GAP_SHARE_OF_WAIT);
  return told === null || told <= nowMs
    ? often
    : Math.min(often * GAP_FACTOR_WHILE_TOLD, Math.max(often, told - nowMs));
}

/** Spends what there is, in floods of growing size. Null where the bounds allow nothing. */
export function* spend(trace: Trace, first: number, most: number): Procedure<BurstResult | null> {
  let whole = yield* trace.flood(Math.min(first, most));
  for (let size = first * 4; whole !== null && !whole.refused && whole.units < most; size *= 4) {
    const flood: BurstResult | null = yield* trace.flood(Math.min(size, most));
    if (flood === null) return whole;
    whole = { ...flood, startMs: whole.startMs, units: whole.units + flood.units };
  }
  return whole;
}

export interface CameBack {
  /** The first return: a log gives back the call that looked for the last one, before what was spent then. */
  readonly first: Return;
  /** The return that brought most; else the last one. */
  readonly back: Return;
  /** The flood from then on until nothing was left, where it brought most of what was spent; else null. */
  readonly atOnce: BurstResult | null;
  /** All that came back since the drain. */
  readonly whole: BurstResult;
  /** The longest time in which nothing was left. ms. */
  readonly gapMs: number;
}

/** Minimum share of the drained units that counts as most of them. */
const MIN_BULK_SHARE_OF_DRAIN = 0.45;
/** Minimum speed of a return that is one piece, as a share of the drain's: a log gives back as fast as it was spent. */
const MIN_BULK_SPEED_BY_DRAIN = 0.3;
/** Returns that were about as fast as one another, by this ratio: then units come back all the time. */
const MIN_STEADY_RETURNS = 5;
const MAX_STEADY_SPEED_RATIO = 2.5;
const MAX_RETURNS = 40;
/** Maximum share that may follow where most came at once: calls that only looked give as much. */
const MAX_SHARE_AFTER_BULK = 0.1;
const REST_SHARE_OF_GAP = 0.25;
/** A return of a smaller share of the drained units may be of calls before the drain. */
const MIN_RETURN_SHARE_OF_DRAIN = 0.05;
const CALLS_BY_LIMIT = 1.5;
const MAX_FLOOD_GROWTH = 16;

/** One return, and the flood that spent it. */
interface Piece {
  readonly back: Return;
  readonly again: BurstResult;
  /** Time in which nothing was left before it. ms. */
  readonly gapMs: number;
  /** Units a ms since the last of what came back before was spent. */
  readonly speed: number;
}

/** Watches until most has come back, or until it is seen to come steadily. Null where nothing did within the bounds. */
export function* comeBack(trace: Trace, spent: BurstResult): Procedure<CameBack | null> {
  const minSpeed = (MIN_BULK_SPEED_BY_DRAIN * spent.units) / Math.max(1, spent.endMs - spent.startMs);
  const isOfBulk = ({ speed, again }: Piece): boolean =>
    speed >= minSpeed || again.units >= MIN_RETURN_SHARE_OF_DRAIN * spent.units;
  const pieces: Piece[] = [];
  for (let emptyMs = spent.endMs; pieces.length < MAX_RETURNS; ) {
    const back: Return | null = yield* watchReturn(trace, pieces.length === 0 ? spent.startMs : emptyMs, spent.units);
    if (back === null) break;
    const again: BurstResult = yield* spendAgain(trace, spent);
    pieces.push({ back, again, gapMs: back.sentMs - emptyMs, speed: again.units / Math.max(1, again.endMs - emptyMs) });
    const bulk = pieces.slice(pieces.findLastIndex((piece) => !isOfBulk(piece)) + 1);
    const isSteady = areSteady(pieces, minSpeed);
    if (!isSteady && unitsOf(bulk) >= MIN_BULK_SHARE_OF_DRAIN * spent.units) return cameBack(pieces, spent, bulk);
    if (isSteady || !again.refused || unitsOf(pieces) >= spent.units) break;
    emptyMs = again.endMs;
  }
  return cameBack(pieces, spent, []);
}

/** `bulk`: the last of them, where they brought most at once; else none. */
function cameBack(pieces: readonly Piece[], spent: BurstResult, bulk: readonly Piece[]): CameBack | null {
  const [first, last, [began]] = [pieces[0], pieces.at(-1), bulk];
  if (first === undefined || last === undefined) return null;
  return {
    first: first.back,
    back: began?.back ?? last.back,
    atOnce: began === undefined ? null : { ...last.again, units: unitsOf(bulk) },
    whole: { ...last.again, startMs: spent.endMs, units: unitsOf(pieces) },
    gapMs: Math.max(0, ...pieces.map(({ gapMs }) => gapMs)),
  };
}

function unitsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { again }) => sum + again.units, 0);
}

function areSteady(pieces: readonly Piece[], minBulkSpeed: number): boolean {
  const last = pieces.slice(-MIN_STEADY_RETURNS).map(({ speed }) => speed);
  const [most, least] = [Math.max(...last), Math.min(...last)];
  return last.length === MIN_STEADY_RETURNS && most <= MAX_STEADY_SPEED_RATIO * least && most < minBulkSpeed;
}

/** Spends all that is admitted at once from the first admitted call on, until a refusal. */
function* spendAgain(trace: Trace, spent: BurstResult): Procedure<BurstResult> {
  // The call that showed it counts.
  const own = costOf(trace.subject.costs, trace.subject.operation);
  // The drain may have met the rest of a window only.
  const first = callsBeyond(Math.max(spent.units, trace.stated() ?? 0), CALLS_BY_LIMIT);
  const flood = yield* spend(trace, first, MAX_FLOOD_GROWTH * first);
  return flood === null
    ? { startMs: spent.endMs, endMs: spent.endMs, units: own, refused: false }
    : { ...flood, units: own + flood.units };
}

/** Tells whether next to nothing comes back after most came at once: a limit that refills would give a share of it. */
export function* isSpent(trace: Trace, gapMs: number, { units }: BurstResult): Procedure<boolean> {
  trace.rest(gapMs * REST_SHARE_OF_GAP);
  const flood = yield* trace.flood(callsBeyond(units));
  return flood?.refused === true && flood.units <= MAX_SHARE_AFTER_BULK * units;
}
