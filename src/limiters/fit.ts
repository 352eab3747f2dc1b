// Tells which limiters explain what was seen: runs the calls through the machine of each, and counts where the two disagree.
// A call was decided at some time between sent and answered, and those under way with it in any order: only what no time
// and no order explains is a disagreement. Pure.
import type { Interval } from '../contract/load-part.ts';
import { type LimiterModel, machineOf } from './models.ts';
import { type Costs, costOf, type Observed } from './observed.ts';

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
