// Which limiter explains what the answers of a spent key state as left while it comes back. Each model is told what was really spent, and
// the units are added up by which it would have had more or less left than was stated. Calls of others put every model off alike, the wrong
// kind puts itself off. Models that explain it as well are told apart by one more look, when they differ most soon. Pure.
import type { Drained } from './drained-window.ts';
import {
  type Algorithm,
  algorithmIn,
  type Explanation,
  KINDS,
  type LimiterModel,
  type Machine,
  type ModelKind,
  machineOf,
} from './models.ts';
import type { RateReading } from './reading.ts';
import { precedes } from './reset-clock.ts';

/** Smaller limits say nothing of how they come back. */
const MIN_TELLING_LIMIT = 10;
/** A reset within this share of the window is near. */
const MAX_NEAR_SHARE_OF_WINDOW = 0.3;
/** A bucket that was full meanwhile, above this share, took in less than its rate. */
const MAX_TELLING_SHARE_OF_BURST = 0.8;

/** Bounds of the lengths that are tried. ms. */
const SHORTEST_MS = 300;
const LONGEST_MS = 1_800_000;
/** From one length to the next; then nearer to the best one, so many steps to either side. */
const LENGTH_RATIO = 1.02;
const FINER_RATIO = 1.004;
const FINER_STEPS = 5;
/** A reset that is farther off than this tells the length of a log, and of a window that a call opens, whatever its rounding. ms. */
const MIN_TELLING_RESET_MS = 1500;
const MAX_SHARE_BEYOND_RESET = 1.1;
const PHASES_TRIED = 6;
/** Answers that were under way together are as well known by so many of them. */
const MAX_ANSWERS_UNDER_WAY = 300;

/** Units that count against a model where a call was admitted of which it had none left, and where it states another reset. */
const UNITS_OFF_BY_OUTCOME = 5;
const UNITS_OFF_BY_RESET = 3;
/** The same, at least and as a share of the limit, for a window as short as the rounding of resets lets it be; so many times as much at most. */
const UNITS_OFF_BY_LENGTH = 8;
const SHARE_OFF_BY_LENGTH = 0.05;
const MAX_TIMES_OFF_BY_LENGTH = 2;
/** The most that a call of another operation is taken to cost. */
const MAX_COST_ELSEWHERE = 10;
/** Units, and shares of the limit and of what the best one is off, by which another model is as good; the largest share by which the best is off. */
const MIN_UNITS_APART = 2;
const MIN_SHARE_APART = 0.02;
const MIN_RATIO_APART = 1.5;
const MAX_SHARE_OFF = 0.3;

/** The kind of limiter that alone explains how a drained limit came back; unknown where several do, or none. */
export function algorithmOf({ explanations }: Drained): Algorithm {
  return algorithmIn(explanations.map(({ kind }) => kind));
}

/** A model of each kind that explains the answers about as well as the best of them, that first; none where nothing came back, or the best does not. */
export function explanationsOf(trace: Drained): readonly Explanation[] {
  const { limit, back } = trace;
  if (back === null || back.isRefused || back.remaining === null || limit < MIN_TELLING_LIMIT) return [];
  const answers = tellingOf(trace);
  // Where resets move on with the calls, no window is shared by them.
  const kinds = KINDS.filter((kind) => !trace.movesEarly || kind === 'sliding-log' || kind === 'token-bucket');
  const found = kinds.flatMap((kind) => closest(kind, trace, answers) ?? []);
  const least = Math.min(...found.map(({ unitsOff }) => unitsOff));
  if (least > MAX_SHARE_OFF * limit) return [];
  const most = least * MIN_RATIO_APART + unitsApart(limit);
  return found.filter(({ unitsOff }) => unitsOff <= most).toSorted((one, other) => one.unitsOff - other.unitsOff);
}

function unitsApart(limit: number): number {
  return Math.max(MIN_UNITS_APART, MIN_SHARE_APART * limit);
}

/** After what time, within `mostMs` from now on, these models have so different amounts left that one look tells them apart; null: they do not. ms. */
export function whenToldApart({ explanations, limit }: Drained, nowMs: number, mostMs: number): number | null {
  for (let waitMs = SHORTEST_MS; waitMs <= mostMs; waitMs *= LENGTH_RATIO) {
    const left = explanations.map(({ machine }) => machine.left(nowMs + waitMs));
    if (Math.max(...left) - Math.min(...left) >= unitsApart(limit) + MIN_UNITS_APART) return waitMs;
  }
  return null;
}

/** An answer that states what is left, and whether nothing was under way when it was asked for. */
interface Told {
  readonly reading: RateReading;
  readonly isAlone: boolean;
}

function tellingOf({ answers, limit }: Drained): readonly Told[] {
  const told = answers
    .filter(({ remaining, limit: stated }) => stated === limit && remaining !== null && remaining >= 0)
    .toSorted((one, other) => one.sentAt + one.answeredAt - other.sentAt - other.answeredAt)
    .map((reading, at, all) => ({ reading, isAlone: at > 0 && precedes(all[at - 1] as RateReading, reading) }));
  const every = Math.ceil(told.length / MAX_ANSWERS_UNDER_WAY);
  return told.filter(({ isAlone }, at) => isAlone || told[at + 1]?.isAlone !== false || at % every === 0);
}

/** The model of this kind that is off by least. */
function closest(kind: ModelKind, trace: Drained, told: readonly Told[]): Explanation | null {
  const [least, most] = lengthsOf(kind, trace);
  let found: Explanation | null = null;
  const look = (windowMs: number): void => {
    for (const phaseMs of phasesOf(kind, trace, windowMs)) {
      found = explanationBy({ kind, windowMs, phaseMs, limit: trace.limit }, trace, told, found) ?? found;
    }
  };
  for (let windowMs = least; windowMs <= most; windowMs *= LENGTH_RATIO) look(windowMs);
  const { windowMs: middleMs = least } = (found as Explanation | null) ?? {};
  for (let step = -FINER_STEPS; step <= FINER_STEPS; step += 1)
    look(Math.min(most, Math.max(least, middleMs * FINER_RATIO ** step)));
  return found;
}

/** The window of a log, and one that a call opens, is no longer than the longest time to a reset. */
function lengthsOf(kind: ModelKind, { clock: { longest } }: Drained): readonly [least: number, most: number] {
  const isTold = (kind === 'sliding-log' || kind === 'fixed-first-hit') && longest.best > MIN_TELLING_RESET_MS;
  return [SHORTEST_MS, isTold ? MAX_SHARE_BEYOND_RESET * longest.most : LONGEST_MS];
}

/** When a window of the clock begins: at a reset that was told, if any was. */
function phasesOf(kind: ModelKind, { readings, clock }: Drained, windowMs: number): readonly number[] {
  if (kind !== 'fixed-aligned' && kind !== 'sliding-counter') return [0];
  const told = readings.map((one) => clock.resetOf(one)).find((reset) => reset !== null);
  if (told === undefined || told === null)
    return Array.from({ length: PHASES_TRIED }, (_, at) => (at * windowMs) / PHASES_TRIED);
  return [told.earliest, (told.earliest + told.latest) / 2, told.latest];
}

/** Null where another model is off by no more. */
function explanationBy(
  model: LimiterModel,
  trace: Drained,
  told: readonly Told[],
  other: Explanation | null,
): Explanation | null {
  const { kind, windowMs } = model;
  const machine = machineOf(model);
  let unitsOff = unitsOffByLength(windowMs, trace);
  let isSpent = false;
  for (const { reading, isAlone } of told) {
    const atMs = (reading.sentAt + reading.answeredAt) / 2;
    const there = machine.left(atMs);
    const remaining = reading.remaining ?? 0;
    if (isAlone) unitsOff += unitsOffBy(reading, there, { trace, isSpent });
    // Until the first refusal nobody knows how many more than are stated a window admits.
    if (remaining > 0 || there > 0 || isSpent) machine.spend(atMs, there - remaining);
    if (isAlone && !reading.isRefused && statesOtherEnd(reading, machine, trace)) unitsOff += UNITS_OFF_BY_RESET;
    isSpent ||= reading.isRefused;
    if (unitsOff >= (other?.unitsOff ?? Number.POSITIVE_INFINITY)) return null;
  }
  return { kind, windowMs, unitsOff, machine };
}

/** No window is shorter than the longest time to a reset that was told. */
function unitsOffByLength(windowMs: number, { clock, limit }: Drained): number {
  const { least, best } = clock.longest;
  const times = windowMs >= best ? 0 : (best - windowMs) / (best - least);
  return Math.min(MAX_TIMES_OFF_BY_LENGTH, times) * Math.max(UNITS_OFF_BY_LENGTH, SHARE_OFF_BY_LENGTH * limit);
}

/** Units by which an answer differs from that of a model which has so much left before the call. */
function unitsOffBy(
  { isRefused, operation, remaining }: RateReading,
  there: number,
  { trace, isSpent }: { readonly trace: Drained; readonly isSpent: boolean },
): number {
  const left = isRefused ? there : there - trace.cost;
  const over = (isSpent ? left : Math.max(0, left)) - (remaining ?? 0);
  // Parts of a unit are not stated.
  const differing = Math.max(-over, over - 1);
  const isElsewhere = operation !== trace.readings[0]?.operation;
  const isContrary = isSpent && !isRefused && there < 1;
  return (
    Math.max(0, isElsewhere ? differing - MAX_COST_ELSEWHERE : differing) + (isContrary ? UNITS_OFF_BY_OUTCOME : 0)
  );
}

/** Tells whether the window that the model has begun ends at another time than is stated. */
function statesOtherEnd(reading: RateReading, machine: Machine, { clock }: Drained): boolean {
  const [reset, endMs] = [clock.resetOf(reading), machine.endMs()];
  return reset !== null && endMs !== null && (endMs < reset.earliest || endMs > reset.latest);
}

/**
 * Tells whether the reset was near when next to nothing was missing: as a bucket states it, and not at the end of a
 * window that just began.
 */
export function isNearWhenFull(trace: Drained): boolean {
  const [first] = trace.successes;
  const reset = first === undefined ? null : trace.clock.resetOf(first);
  if (first === undefined || first.remaining === null || reset === null) return false;
  const missing = 1 - first.remaining / trace.limit;
  return reset.earliest - first.answeredAt <= (missing + MAX_NEAR_SHARE_OF_WINDOW) * trace.windowMs;
}

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Units per second: what came back between two answers, by the calls admitted meanwhile and by Remaining. Null where nothing was measured. */
export function rateOf(trace: Drained, burst: number): Bounds | null {
  const { refill, cost, dearest } = trace;
  if (refill === null || refill.successes < 1) return null;
  const { from, to, successes } = refill;
  const left = to.remaining ?? 0;
  const gainedAt = (each: number) => each * successes + left - (from.remaining ?? 0);
  if (gainedAt(cost) < cost || left + cost * successes > MAX_TELLING_SHARE_OF_BURST * burst) return null;
  const shortest = (to.sentAt - from.answeredAt) / 1000;
  const longest = (to.answeredAt - from.sentAt) / 1000;
  if (shortest <= 0) return null;
  return { low: (gainedAt(cost) - cost) / longest, high: (gainedAt(dearest) + dearest) / shortest };
}
