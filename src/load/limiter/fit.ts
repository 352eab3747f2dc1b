// How well a limiter explains what was seen: the calls run through its machine, and where the two disagree counted.
// A call was decided at some time between sent and answered, and those under way with it in any order: only what no time
// and no order explains is a disagreement.
import { type LimiterModel, machineOf } from './models.ts';
import { type Costs, costOf, type Observed } from './observed.ts';

export interface Fit {
  readonly model: LimiterModel;
  /** Calls admitted or refused that the model would not have. */
  readonly contradictions: number;
  /** Of the calls admitted, the share that the model would have refused: each counts. */
  readonly unexplained: number;
  /** Calls whose Remaining is not what the model leaves. */
  readonly misstated: number;
}

/** Refused calls within this share of the window are one disagreement: polling often must not outvote all else. */
const EPISODE = 0.02;

/** The fit of one model. `observed` in the order sent; the first call met a limiter of which nothing was spent. */
export function fitOf(model: LimiterModel, observed: readonly Observed[], costs: Costs): Fit {
  const machine = machineOf(model);
  const underWay = new UnderWay();
  let contradictions = 0;
  let misstated = 0;
  let admitted = 0;
  let unexplained = 0;
  let counted = Number.NEGATIVE_INFINITY;
  for (const one of observed) {
    const cost = costOf(costs, one.operation);
    const beside = underWay.unitsAt(one.sentMs);
    const least = machine.left(one.sentMs);
    const most = Math.max(least, leftLater(machine.left, one, model.windowMs));
    const surprise =
      (one.outcome === 'admitted' && most + beside < cost - 0.5) ||
      (one.outcome === 'refused' && least - beside >= cost + 0.5);
    if (surprise && one.sentMs > counted + EPISODE * model.windowMs) {
      contradictions += 1;
      counted = one.sentMs;
    }
    if (one.outcome === 'admitted') {
      admitted += 1;
      if (surprise) unexplained += 1;
    }
    if (one.outcome === 'admitted') machine.spend(one.sentMs, cost);
    // A lost call may have been counted: for a window nobody knows.
    underWay.add(one.outcome === 'lost' ? one.sentMs + model.windowMs : one.answeredMs, cost);
    if (one.remaining !== null && one.outcome === 'admitted') {
      const slack = 1 + beside + cost * 0.5;
      if (
        one.remaining < least - cost - slack - model.limit * 0.01 ||
        one.remaining > most - cost + slack + model.limit * 0.01
      )
        misstated += 1;
    }
  }
  return { model, contradictions, misstated, unexplained: unexplained / Math.max(1, admitted) };
}

/** What is left when the answer came. Machines do not go back, so only short waits are looked into. */
function leftLater(left: (atMs: number) => number, { sentMs, answeredMs }: Observed, windowMs: number): number {
  return answeredMs - sentMs < windowMs / 2 ? left(answeredMs) : left(sentMs + windowMs / 2);
}

/** Units of the calls that were sent and not yet answered. */
class UnderWay {
  #calls: { readonly answeredMs: number; readonly cost: number }[] = [];

  unitsAt(atMs: number): number {
    this.#calls = this.#calls.filter(({ answeredMs }) => answeredMs > atMs);
    return this.#calls.reduce((total, { cost }) => total + cost, 0);
  }

  add(answeredMs: number, cost: number): void {
    this.#calls.push({ answeredMs, cost });
  }
}
