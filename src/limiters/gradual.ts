// Limiters that give back little by little: token buckets from the first refusal on, sliding counters from the end of the
// clock's window on, at the rate at which that window was spent. The rate is what is admitted of more calls than that. A
// counter is known by the calls that did not come back at first although the rate had given them; spent across the end of
// a window, or just before it, it looks like a bucket: only what did so twice, spent at rest at different times, is one.
import { type CameBack, spend, watchReturn } from './returns.ts';
import type { BurstResult, Procedure, Trace } from './trace.ts';

export interface Gradual {
  readonly kind: 'token-bucket' | 'sliding-counter' | null;
  readonly rate: Rate;
  /** Units that the rested limiter admitted at once; null where it was not rested. */
  readonly burst: number | null;
}

/** Units per ms that come back, the admitted units that it rests on, and those that were not answered while it was measured. */
interface Rate {
  readonly perMs: number;
  readonly units: number;
  readonly lost: number;
}

/** Maximum shares of the units of a rate, and of a drain, that were not answered: with more it is measured again. */
const MAX_LOST_SHARE_OF_RATE = 0.1;
const MAX_LOST_SHARE_OF_DRAIN = 0.03;

/** Calls are offered so many times as fast as units come back. */
const OFFERED_BY_RATE = 2.5;
const MIN_OFFERED_CALLS = 400;
const MIN_OFFERED_MS = 3000;
/** After this share of the calls offered all that had come back before is surely spent. */
const SETTLING_SHARE_OF_CALLS = 0.3;
const MAX_SUSTAIN_TURNS = 3;
/** Where more than this is admitted, more was offered than comes back for a part of the time only. */
const MAX_ADMITTED_SHARE = 0.8;
const IDLE_WINDOWS = 2.2;
/** Minimum units that did not come back while they should have, and as a share of the drain. */
const MIN_MISSING_UNITS = 4;
const MIN_MISSING_SHARE_OF_DRAIN = 0.06;
const MAX_SHARE_SEEN_AS_NOTHING = 0.01;
/** Two rates that differ by more are not yet the limiter's own. */
const MAX_RATE_DIFFERENCE = 0.1;
/** Maximum share by which the bursts of a bucket differ. */
const MAX_BURST_DIFFERENCE = 0.1;
const MAX_DRAINS = 5;
/** After this share of the time in which all comes back it is looked at how much did. */
const LOOK_AFTER_SHARE_OF_FILL = 0.15;
const MIN_UNITS_BACK = 10;
/** A stated limit larger than so many times what was admitted is none to rest for. */
const MAX_STATED_BY_ADMITTED = 4;
/** Drains that agree. The end of a window soon after one hides that nothing came back before. */
const MIN_STEADY_DRAINS = 2;

/** `spent`: the drain, and how it came back. Drains the rested limiter until it is known which kind gives back like that. */
export function* gradual(trace: Trace, spent: BurstResult, { first, whole }: CameBack): Procedure<Gradual> {
  let rate = yield* sustain(trace, whole.units / Math.max(1, whole.endMs - first.earliestMs));
  // The most that was admitted at once.
  let units = spent.units;
  // Calls stayed out that the rate had given, as only a counter keeps them.
  let isCounter = missingOf(spent, whole, rate) !== 'none';
  // Units that were there at first of each drain of the rested limiter, until its last admitted answer.
  const bursts: number[] = [];
  for (let drain = 1; drain <= MAX_DRAINS && kindOf(bursts, isCounter) === null; drain += 1) {
    const drained = yield* drainTwice(trace, units, rate);
    if (drained === null) break;
    const { flood, again, restedMs } = drained;
    // Calls that were not answered may have been admitted: where they are many, nothing is counted of the drain.
    if (trace.lostBetween(flood.startMs, again.endMs) > MAX_LOST_SHARE_OF_DRAIN * flood.units) continue;
    bursts.push(Math.max(1, flood.units - Math.floor(rate.perMs * restedMs)));
    units = Math.max(units, flood.units);
    const missing = missingOf(flood, again, rate);
    isCounter ||= missing !== 'none';
    // Spent across the end of a window it gives back a part at once, and later as little.
    if (missing !== 'all') continue;
    // Until the clock's window ends no rate can be seen; then it is measured.
    const after = (yield* watchReturn(trace, again.endMs)) && (yield* sustain(trace, rate.perMs));
    if (after === null) break;
    const isWhole = trace.lostBetween(flood.startMs, flood.endMs) === 0;
    if (isWhole && Math.abs(after.perMs / rate.perMs - 1) <= MAX_RATE_DIFFERENCE)
      return { kind: 'sliding-counter', rate: after, burst: flood.units };
    rate = fasterOf(rate, after);
  }
  return { kind: kindOf(bursts, isCounter), rate, burst: bursts.at(-1) ?? null };
}

/** Drains the rested limiter, and again what came back soon after; null where the bounds allow no more. */
function* drainTwice(trace: Trace, units: number, { perMs }: Rate) {
  const atRest = Math.max(units, Math.min(trace.stated() ?? 0, MAX_STATED_BY_ADMITTED * units));
  trace.settle(((IDLE_WINDOWS + trace.subject.random()) * atRest) / perMs);
  const flood = yield* spend(trace, Math.ceil(atRest * 1.5) + 40, trace.subject.bounds.mostCalls);
  if (flood === null || !flood.refused) return null;
  // Between the refusals calls are admitted that have come back meanwhile.
  const lastMs = trace.observed.findLast(({ outcome }) => outcome === 'admitted')?.answeredMs ?? flood.endMs;
  trace.rest(Math.max(LOOK_AFTER_SHARE_OF_FILL * flood.units, Math.min(MIN_UNITS_BACK, flood.units / 2)) / perMs);
  const again = yield* trace.flood(Math.ceil(flood.units) + 10);
  return again && { flood, again, restedMs: Math.max(flood.endMs, lastMs) - flood.startMs };
}

/** How much stayed out, until it was spent again, of what the rate had given since the drain. */
function missingOf(drain: BurstResult, again: BurstResult, rate: Rate): 'none' | 'some' | 'all' {
  const due = Math.min(drain.units, (again.endMs - drain.endMs) * rate.perMs);
  if (due - again.units <= Math.max(MIN_MISSING_UNITS, MIN_MISSING_SHARE_OF_DRAIN * drain.units)) return 'none';
  return again.units <= MAX_SHARE_SEEN_AS_NOTHING * due ? 'all' : 'some';
}

/** A counter never gives back faster than its limit over its window: the faster of two rates is the better. */
function fasterOf(one: Rate, other: Rate): Rate {
  return other.perMs > one.perMs ? other : one;
}

/** A bucket where it was as full each of the last times, and no call stayed out that the rate had given. */
function kindOf(bursts: readonly number[], isCounter: boolean): 'token-bucket' | null {
  const last = bursts.slice(-MIN_STEADY_DRAINS);
  const [least, most] = [Math.min(...last), Math.max(...last)];
  const isSteady = last.length === MIN_STEADY_DRAINS && most - least <= Math.max(2, MAX_BURST_DIFFERENCE * most);
  return isSteady && !isCounter ? 'token-bucket' : null;
}

/** Offers more than comes back, evenly, and counts; still more where nothing of it is refused. */
function* sustain(trace: Trace, rough: number): Procedure<Rate> {
  let rate: Rate = { perMs: rough, units: 0, lost: 0 };
  for (let turn = 0, offered = rough * OFFERED_BY_RATE; turn < MAX_SUSTAIN_TURNS; turn += 1, offered *= 4) {
    const count = Math.ceil(Math.max(MIN_OFFERED_CALLS, MIN_OFFERED_MS * offered));
    const answers = yield* trace.send(
      Array.from({ length: count }, (_, call) => call / offered),
      null,
    );
    // A refusal tells that what had come back was spent; some under way with the first one were before it.
    const emptyMs = answers.find(({ outcome }) => outcome === 'refused')?.answeredMs ?? Number.POSITIVE_INFINITY;
    const settledMs = (answers[0]?.sentMs ?? 0) + (SETTLING_SHARE_OF_CALLS * count) / offered;
    const refused = answers.filter(
      ({ outcome, sentMs }) => outcome === 'refused' && sentMs >= Math.max(emptyMs, settledMs),
    );
    const [fromMs, untilMs] = [refused[0]?.sentMs ?? 0, refused.at(-1)?.sentMs ?? 0];
    if (untilMs <= fromMs) continue;
    const steady = answers.filter(({ sentMs }) => sentMs > fromMs && sentMs <= untilMs);
    const units = trace.unitsOf(steady);
    // A counter gives back less for what it counted before, too.
    const lost = trace.lostBetween(2 * fromMs - untilMs, untilMs);
    rate = { perMs: units / (untilMs - fromMs), units, lost };
    if (lost > MAX_LOST_SHARE_OF_RATE * units) {
      offered /= 4;
      continue;
    }
    const admitted = steady.filter(({ outcome }) => outcome === 'admitted').length;
    if (admitted >= MAX_ADMITTED_SHARE * steady.length) continue;
    return rate;
  }
  // Whatever was offered was admitted: the rate is at least that, and not known.
  return { ...rate, units: 0 };
}
