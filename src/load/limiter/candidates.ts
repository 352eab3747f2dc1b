// The limiters that are worth holding against what was seen: every kind, with the limits, windows and phases that drain,
// return and headers leave possible.
import { type Fit, fitOf } from './fit.ts';
import { type LimiterModel, MODEL_KINDS, type ModelKind } from './models.ts';
import type { Costs, Observed } from './observed.ts';

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

/** What the first looks suggest. */
export interface Hints {
  readonly drain: Drain;
  readonly recovery: Return | null;
  readonly stated: number | null;
  readonly statedWindowMs: number | null;
  /** Between two answers more was left than before, or calls were admitted again: where windows can have ended. */
  readonly boundaries: readonly Moment[];
  /** Units per ms that came back after the drain. */
  readonly perMs: number | null;
  /** The resets that were stated, each once, in order: where the clock's windows end. ms. */
  readonly resets: readonly Moment[];
  /** The likeliest window. */
  readonly windowMs: number;
}

export type Candidate = Fit;

/** A time known to lie between two. ms. */
export interface Moment {
  readonly earliestMs: number;
  readonly latestMs: number;
}

const WINDOW_STEPS = 25;
const WINDOW_REACH = 0.25;
const PHASES = 16;
const PROMISING = 6;
const CLIMB = [0.03, 0.012, 0.005, 0.002];
const CLIMB_TURNS = 4;
/** How many windows may lie between two boundaries that were seen. */
const WHOLE = [1, 2, 3, 4, 5];

/** Candidates, coarse: finer ones are made around those that fit. */
export function candidatesOf(hints: Hints): readonly LimiterModel[] {
  return MODEL_KINDS.flatMap((kind) => ofKind(kind, hints));
}

function ofKind(kind: ModelKind, hints: Hints): readonly LimiterModel[] {
  if (kind === 'token-bucket') return buckets(hints);
  const { drain, stated } = hints;
  const limits = new Set([drain.units, ...(stated === null ? [] : [stated])]);
  const windows =
    kind === 'fixed-aligned'
      ? windowsOfBoundaries(hints)
      : kind === 'sliding-counter'
        ? [...windowsOfBoundaries(hints), ...windowsOfReturn(hints)]
        : windowsOf(hints);
  return [...limits].flatMap((limit) =>
    windows.flatMap((windowMs) =>
      phasesOf(kind, windowMs, hints).map((phaseMs) => ({ kind, limit, windowMs, phaseMs, burst: limit })),
    ),
  );
}

/** Distances between a clock's boundaries are whole windows. */
function windowsOfBoundaries({ boundaries, resets, drain, recovery }: Hints): readonly number[] {
  const longest = recovery === null ? Number.POSITIVE_INFINITY : 20 * (recovery.latestMs - drain.startMs);
  const shortest = recovery === null ? 0 : (recovery.earliestMs - drain.endMs) * 0.9;
  const centres = [boundaries.filter((one) => widthOf(one) < shortest / 5 + 20), resets].flatMap((moments) => {
    const middles = moments.map(({ earliestMs, latestMs }) => (earliestMs + latestMs) / 2);
    const distances = middles.flatMap((middle, at) => middles.slice(at + 1, at + 4).map((later) => later - middle));
    return distances.flatMap((distance) => WHOLE.map((parts) => distance / parts));
  });
  const possible = centres.filter((centre) => centre >= shortest && centre <= longest && centre > 0);
  const distinct = possible
    .sort((left, right) => left - right)
    .filter((one, at, all) => at === 0 || one > (all[at - 1] ?? 0) * 1.01);
  return [...distinct, ...(recovery === null ? [] : around(recovery.latestMs - drain.startMs, 0.2, 9))];
}

/** A counter gives back about a window's units in a window. */
function windowsOfReturn({ drain, perMs }: Hints): readonly number[] {
  return perMs === null ? [] : around(drain.units / perMs, 0.4, 13);
}

function windowsOf({ drain, recovery, statedWindowMs }: Hints): readonly number[] {
  const centres = new Set([
    ...(recovery === null ? [] : [recovery.latestMs - drain.startMs, recovery.latestMs - drain.endMs]),
    ...(statedWindowMs === null ? [] : [statedWindowMs]),
  ]);
  return [...centres].flatMap((centre) => around(centre, WINDOW_REACH, WINDOW_STEPS));
}

/** Windows of the clock begin where more was left than before; those of a counter do not show. */
function phasesOf(kind: ModelKind, windowMs: number, { boundaries }: Hints): readonly number[] {
  if (kind === 'sliding-counter') return Array.from({ length: PHASES }, (_, turn) => (turn / PHASES) * windowMs);
  if (kind !== 'fixed-aligned') return [0];
  const narrow = boundaries.toSorted((left, right) => widthOf(left) - widthOf(right)).slice(0, 3);
  return narrow.flatMap(({ earliestMs, latestMs }) =>
    [0.1, 0.5, 0.9].map((share) => (earliestMs + share * (latestMs - earliestMs)) % windowMs),
  );
}

function widthOf({ earliestMs, latestMs }: Moment): number {
  return latestMs - earliestMs;
}

function buckets({ drain, perMs, stated, statedWindowMs }: Hints): readonly LimiterModel[] {
  const rates = new Set([
    ...(perMs === null ? [] : around(perMs, 0.5, WINDOW_STEPS)),
    ...(stated === null || statedWindowMs === null ? [] : [stated / statedWindowMs]),
  ]);
  return [...rates].map((rate) => {
    const burst = Math.max(1, drain.units - Math.floor(rate * (drain.endMs - drain.startMs)));
    const limit = stated ?? burst;
    return { kind: 'token-bucket', limit, windowMs: limit / rate, phaseMs: 0, burst };
  });
}

function around(centre: number, reach: number, steps: number): readonly number[] {
  return Array.from({ length: steps }, (_, turn) => centre * (1 - reach + (2 * reach * turn) / (steps - 1)));
}

/** The models that explain most, and those next to them that do as well, the simplest kind first. */
export function bestOf(
  models: readonly LimiterModel[],
  observed: readonly Observed[],
  costs: Costs,
): { readonly fits: readonly Fit[]; readonly best: Fit | null } {
  const fit = (model: LimiterModel): Fit => fitOf(model, observed, costs);
  const coarse = models.map(fit).sort(byMerit);
  const promising = [...Map.groupBy(coarse, ({ model }) => model.kind).values()].flatMap((same) =>
    same.slice(0, PROMISING),
  );
  const all = [...coarse, ...promising.flatMap((one) => climb(one, fit))].sort(byMerit);
  const [first] = all;
  if (first === undefined || merit(first) > tolerated(observed)) return { fits: [], best: null };
  const fits = all.filter((one) => merit(one) <= merit(first));
  return { fits, best: middle(fits.filter(({ model }) => model.kind === first.model.kind)) };
}

/** From one model to better ones beside it, in ever smaller steps; all that were looked at. */
function climb(from: Fit, fit: (model: LimiterModel) => Fit): readonly Fit[] {
  const seen: Fit[] = [];
  let best = from;
  for (const step of CLIMB) {
    for (let turn = 0; turn < CLIMB_TURNS; turn += 1) {
      const beside = besides(best.model, step).map(fit);
      seen.push(...beside);
      const [better] = beside.toSorted(byMerit);
      if (better === undefined || merit(better) >= merit(best)) break;
      best = better;
    }
  }
  return seen;
}

function besides(model: LimiterModel, step: number): readonly LimiterModel[] {
  const windows = [1 - step, 1 + step].map((factor) => ({ ...model, windowMs: model.windowMs * factor }));
  if (model.kind === 'token-bucket')
    return [...windows, ...[-1, 1].map((more) => ({ ...model, burst: Math.max(1, model.burst + more) }))];
  if (model.kind !== 'fixed-aligned' && model.kind !== 'sliding-counter') return windows;
  const shifted = [-2, 2].map((side) => ({ ...model, phaseMs: model.phaseMs + side * step * model.windowMs }));
  return [...windows, ...shifted];
}

/** The fit in the middle of equals by window: ends of the interval are reported beside it. */
function middle(fits: readonly Fit[]): Fit | null {
  const byWindow = fits.toSorted((left, right) => left.model.windowMs - right.model.windowMs);
  return byWindow[Math.floor(byWindow.length / 2)] ?? null;
}

function merit({ contradictions, misstated }: Fit): number {
  return contradictions * 4 + misstated;
}

function byMerit(left: Fit, right: Fit): number {
  return merit(left) - merit(right) || MODEL_KINDS.indexOf(left.model.kind) - MODEL_KINDS.indexOf(right.model.kind);
}

/** A model that is contradicted more often than this explains nothing. */
function tolerated(observed: readonly Observed[]): number {
  return 4 + observed.length * 0.02;
}
