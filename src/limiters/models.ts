// The limiters that a platform may have, as machines that say of every call whether it is admitted and what is left, and which of them
// explain what was seen: the calls that were really sent are run through each, and it is counted where the two disagree. A call was
// decided at some time between sent and answered, and those under way with it in any order: only what no time and no order explains is
// a disagreement. Pure.
//
//   fixed-aligned    L units in each window of the clock: [phase + n·W, phase + (n+1)·W)
//   fixed-first-hit  L units in a window that the first call after the last one opens
//   sliding-log      L units in any stretch of W
//   sliding-counter  L units in a window of the clock, together with the share of the last one's that reaches into the last W
//   token-bucket     L tokens, refilled at L ÷ W, a call takes its cost (GCRA looks the same from outside)

import type { Interval } from '../contract/load-part.ts';
import { type Costs, costOf, type Observed } from './observed.ts';

/** The name of each kind of model where its windows make no difference. */
const ALGORITHMS = {
  'fixed-aligned': 'fixed-window',
  'fixed-first-hit': 'fixed-window',
  'sliding-log': 'sliding-window',
  'sliding-counter': 'sliding-window',
  'token-bucket': 'token-bucket',
} as const;

export type ModelKind = keyof typeof ALGORITHMS;
export const KINDS = Object.keys(ALGORITHMS) as readonly ModelKind[];
export type Algorithm = (typeof ALGORITHMS)[ModelKind] | 'unknown';

/** The algorithm of these kinds; unknown where what was seen does not decide between several, or speaks for none. */
export function algorithmIn(kinds: readonly ModelKind[]): Algorithm {
  const [only = 'unknown', ...others] = new Set(kinds.map((kind) => ALGORITHMS[kind]));
  return others.length === 0 ? only : 'unknown';
}

export interface LimiterModel {
  readonly kind: ModelKind;
  /** Units per window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Where the clock's windows begin, ms modulo `windowMs`; without meaning for the others. */
  readonly phaseMs: number;
}

/**
 * A limiter that is asked what is left and told what was spent, in the order of time. What was really admitted is spent
 * even where the model would not have: one disagreement then does not drag others after it.
 */
export interface Machine {
  /** Units left at the time, before a call; below zero after more was admitted than the model allows. */
  left(atMs: number): number;
  spend(atMs: number, cost: number): void;
  /** The end of the window that the last call fell into; null where it has none that all its calls share. */
  endMs(): number | null;
}

/** A model that was held against answers: by how many units it is off, and how it stands after them. */
export interface Explanation {
  readonly kind: ModelKind;
  readonly windowMs: number;
  readonly unitsOff: number;
  readonly machine: Machine;
}

/** A fresh limiter of this model: nothing was spent yet. */
export function machineOf(model: LimiterModel): Machine {
  switch (model.kind) {
    case 'fixed-aligned':
      return fixedWindow(model, (atMs) => atMs - modulo(atMs - model.phaseMs, model.windowMs));
    case 'fixed-first-hit':
      return fixedWindow(model, (atMs) => atMs);
    case 'sliding-log':
      return slidingLog(model);
    case 'sliding-counter':
      return slidingCounter(model);
    case 'token-bucket':
      return tokenBucket(model);
  }
}

function fixedWindow({ limit, windowMs }: LimiterModel, startOf: (atMs: number) => number): Machine {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  const isOver = (atMs: number): boolean => atMs >= start + windowMs;
  return {
    left: (atMs) => (isOver(atMs) ? limit : limit - used),
    spend(atMs, cost) {
      if (isOver(atMs)) {
        start = startOf(atMs);
        used = 0;
      }
      used += cost;
    },
    endMs: () => start + windowMs,
  };
}

function slidingLog({ limit, windowMs }: LimiterModel): Machine {
  const log: { readonly atMs: number; readonly cost: number }[] = [];
  let first = 0;
  let used = 0;
  const forget = (atMs: number): void => {
    for (let oldest = log[first]; oldest !== undefined && oldest.atMs <= atMs - windowMs; oldest = log[first]) {
      used -= oldest.cost;
      first += 1;
    }
  };
  return {
    left(atMs) {
      forget(atMs);
      return limit - used;
    },
    spend(atMs, cost) {
      forget(atMs);
      used += cost;
      log.push({ atMs, cost });
    },
    endMs: () => null,
  };
}

function slidingCounter({ limit, windowMs, phaseMs }: LimiterModel): Machine {
  let window = Number.NEGATIVE_INFINITY;
  let [previous, current] = [0, 0];
  const advance = (atMs: number): number => {
    const now = Math.floor((atMs - phaseMs) / windowMs);
    if (now > window) [window, previous, current] = [now, now === window + 1 ? current : 0, 0];
    return 1 - ((atMs - phaseMs) / windowMs - window);
  };
  return {
    left(atMs) {
      const share = advance(atMs);
      return limit - previous * share - current;
    },
    spend(atMs, cost) {
      advance(atMs);
      current += cost;
    },
    endMs: () => (window + 1) * windowMs + phaseMs,
  };
}

function tokenBucket({ limit, windowMs }: LimiterModel): Machine {
  const perMs = limit / windowMs;
  let tokens = limit;
  let last: number | null = null;
  const refill = (atMs: number): number => {
    tokens = Math.min(limit, tokens + Math.max(0, atMs - (last ?? atMs)) * perMs);
    last = Math.max(atMs, last ?? atMs);
    return tokens;
  };
  return {
    left: refill,
    spend(atMs, cost) {
      refill(atMs);
      tokens -= cost;
    },
    endMs: () => null,
  };
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** A model that is contradicted by more than one call, and by more than this share of them, explains nothing. */
const MAX_TOLERATED_SHARE = 0.01;
/** Nor does one that would have refused more than this share of what was admitted. */
const MAX_UNEXPLAINED_SHARE = 0.05;

/**
 * The models that what was seen contradicts least often, in their order; none where it contradicts each too often.
 * `observed`: in the order sent, the first met a limiter of which nothing was spent.
 */
export function fitting(
  models: readonly LimiterModel[],
  observed: readonly Observed[],
  costs: Costs,
): readonly LimiterModel[] {
  const counts = models.map((model) => {
    const { contradictions, unexplained } = fitOf(model, observed, costs);
    return unexplained > MAX_UNEXPLAINED_SHARE ? Number.POSITIVE_INFINITY : contradictions;
  });
  const fewest = Math.min(...counts);
  if (fewest > Math.max(1, MAX_TOLERATED_SHARE * observed.length)) return [];
  return models.filter((_, at) => counts[at] === fewest);
}

/** Lengths of a window from one bound to the other, `count` of them. */
export function lengthsWithin({ least, most }: Interval, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => least + ((most - least) * at) / (count - 1));
}

interface Fit {
  /** Calls admitted or refused that the model would not have. */
  readonly contradictions: number;
  /** Share of the admitted calls that the model would have refused: each counts. */
  readonly unexplained: number;
}

function fitOf(model: LimiterModel, observed: readonly Observed[], costs: Costs): Fit {
  const machine = machineOf(model);
  const underWay = new UnderWay();
  let contradictions = 0;
  let admitted = 0;
  let unexplained = 0;
  for (const [at, one] of observed.entries()) {
    const cost = costOf(costs, one.operation);
    const spentLater = underWay.unitsAt(one.sentMs);
    const least = machine.left(one.sentMs);
    const most = Math.max(least, leftLater(machine.left, one, model.windowMs));
    const surprise =
      (one.outcome === 'admitted' && most + spentLater < cost - 0.5) ||
      (one.outcome === 'refused' &&
        least - underWay.lostAt(one.sentMs) - sentBeside(observed, at, costs) >= cost + 0.5);
    if (surprise) contradictions += 1;
    if (one.outcome === 'admitted') {
      admitted += 1;
      if (surprise) unexplained += 1;
      machine.spend(one.sentMs, cost);
    }
    if (one.outcome !== 'refused') underWay.add(one, cost, model.windowMs);
  }
  return { contradictions, unexplained: unexplained / Math.max(1, admitted) };
}

/** Units of the calls that were sent while this one was under way: each may have been admitted before it was decided. */
function sentBeside(observed: readonly Observed[], at: number, costs: Costs): number {
  const untilMs = observed[at]?.answeredMs ?? 0;
  let units = 0;
  for (let next = at + 1; (observed[next]?.sentMs ?? Number.POSITIVE_INFINITY) <= untilMs; next += 1) {
    const { operation, outcome } = observed[next] as Observed;
    if (outcome !== 'refused') units += costOf(costs, operation);
  }
  return units;
}

/** Units left when the answer came. Machines do not go back, so only short waits are looked into. */
function leftLater(left: (atMs: number) => number, { sentMs, answeredMs }: Observed, windowMs: number): number {
  return answeredMs - sentMs < windowMs / 2 ? left(answeredMs) : left(sentMs + windowMs / 2);
}

/** The calls that were sent and not yet answered, the refused ones aside. A lost one may have been counted: for a window nobody knows. */
class UnderWay {
  #calls: { readonly untilMs: number; readonly cost: number; readonly isLost: boolean }[] = [];

  unitsAt(atMs: number): number {
    this.#calls = this.#calls.filter(({ untilMs }) => untilMs > atMs);
    return this.#calls.reduce((total, { cost }) => total + cost, 0);
  }

  lostAt(atMs: number): number {
    return this.#calls.reduce((total, { untilMs, cost, isLost }) => total + (isLost && untilMs > atMs ? cost : 0), 0);
  }

  add({ sentMs, answeredMs, outcome }: Observed, cost: number, windowMs: number): void {
    const isLost = outcome === 'lost';
    this.#calls.push({ untilMs: isLost ? sentMs + windowMs : answeredMs, cost, isLost });
  }
}
