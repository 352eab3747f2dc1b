// The limiters that a platform may have, as machines that say of every call whether it is admitted and what is left.
// They are hypotheses: fit.ts runs the calls that were really sent through them and counts where they disagree.
//
//   fixed-aligned    L units in each window of the clock: [phase + n·W, phase + (n+1)·W)
//   fixed-first-hit  L units in a window that the first call after the last one opens
//   sliding-log      L units in any stretch of W
//   token-bucket     L tokens, refilled at L ÷ W, a call takes its cost (GCRA looks the same from outside)

/** The kinds that calls are held against; a counter is known by how it gives back alone. */
export type FittedKind = 'fixed-aligned' | 'fixed-first-hit' | 'sliding-log' | 'token-bucket';
export type ModelKind = FittedKind | 'sliding-counter';

export interface LimiterModel {
  readonly kind: FittedKind;
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
  };
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
