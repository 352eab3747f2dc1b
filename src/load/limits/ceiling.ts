// `assay load ceiling`: limit, window, algorithm, burst and costs of each key. A key of each plan makes a turn: first each is
// drained alone, as the laws of limits want it, then they are measured side by side – one after the other where one key spends
// another's limit.

import { observation } from '../../checks/observation.ts';
import { judgeMeasuredAdmission } from '../../checks/rate/rate-04-admission.ts';
import { judgeCeiling } from '../../checks/rate/rate-10-ceiling.ts';
import { judgeExpected } from '../../checks/rate/rate-10-expectations.ts';
import { onTarget } from '../../checks/rate/series-law.ts';
import { codeOf } from '../../contract/code.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { PlanCeiling } from '../../contract/load-part.ts';
import { plural } from '../../contract/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { exactly, slackOf, TOLERANCE, times, WINDOW_TOLERANCE } from '../../limiters/drained-window.ts';
import { type Identified, identify } from '../../limiters/identify.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { expectationOf, type PlanKey } from '../../limiters/limit-book.ts';
import { algorithmIn } from '../../limiters/models.ts';
import type { Observed } from '../../limiters/observed.ts';
import { isAdmitted, type Limited, type RateReading, readingOf } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { statedNames } from '../../limiters/stated.ts';
import type { LimiterUnderTest, Procedure } from '../../limiters/trace.ts';
import type { Outcome } from '../../probes/probe.ts';
import { LONGEST_WAIT_MS } from '../../probes/rate/asking.ts';
import type { Reached } from '../../probes/world.ts';
import type { Caller } from '../caller/caller.ts';
import { askerOf, type LimitBench, turnsOf } from './bench.ts';
import {
  type Ceiling,
  judgeMeasuredOrder,
  measuredLimit,
  measuredRow,
  measuredRows,
  secondsOf,
} from './ceiling-verdicts.ts';
import { admittedFresh, type CostTable, costOfAdmitted, costsStated } from './costs.ts';
import { drainedKey } from './ratelimit.ts';

/** Without headers each cost takes a limit's worth of calls. */
const MAX_PRICED_BY_DRAINING = 6;
const MAX_REFUSED_SHARE_OFF = 0.02;
/** Units that come back while a bucket is drained, or a counter across the end of its window, are known roughly only. */
const MAX_REFILLED_SHARE_OFF = 0.1;
const A_CALL_MS = 30;

/** The lanes that hold all that a key's ceiling rests on. */
export function lanesOf(key: string): readonly [drain: string, ceiling: string] {
  return [`ceiling-drain-${key}`, `ceiling-${key}`];
}

/** Yields outcomes as they come; each ceiling is told to `onCeiling` as well. */
export async function* ceilings(
  bench: LimitBench,
  onCeiling: (ceiling: PlanCeiling) => void,
): AsyncGenerator<readonly Outcome[]> {
  const measured: PlanCeiling[] = [];
  const measure = async (key: PlanKey): Promise<readonly Outcome[]> => {
    const ceiling = await ceilingOf(bench, key);
    const row = measuredRow(ceiling);
    measured.push(row);
    onCeiling(row);
    return outcomesOf(ceiling, row, bench);
  };
  let isShared = false;
  for (const turn of turnsOf(bench.keys, bench.isMeasured)) {
    for (const key of turn) {
      bench.enter(`limits of ${key.name}`);
      const outcomes = await drainedKey(bench, key, lanesOf(key.name)[0]);
      isShared ||= outcomes.some(({ clause, judgement }) => clause === 'RATE-07' && judgement.kind === 'breached');
      yield outcomes;
    }
    for (const together of isShared ? turn.map((key) => [key]) : [turn]) {
      bench.enter(
        `${together.length === 1 ? 'ceiling' : 'ceilings'} of ${together.map(({ name }) => name).join(', ')}`,
      );
      yield* await Promise.all(together.map(measure));
    }
  }
  yield [
    onTarget('RATE-08', judgeMeasuredOrder(measured, bench.world.limited.terms?.rising ?? [])),
    ...comparedWithinPlans(measured).map((judgement) => onTarget('RATE-11', judgement)),
  ];
}

async function ceilingOf(bench: LimitBench, { name, plan }: PlanKey): Promise<Ceiling> {
  const caller = bench.callerOf(lanesOf(name)[1]);
  const series = bench.book.historyOf(name);
  const { limited } = bench.world;
  const drive = driverOf(caller, name, series.clock, limited);
  const { kinds = [], windowMs } = series.drain ?? {};
  // A log that still counts calls of the drain gives back in portions, as none that was at rest does.
  if (algorithmIn(kinds) === 'sliding-window') await caller.sleep(Math.min(windowMs ?? 0, LONGEST_WAIT_MS));
  const stated = await costsStated(askerOf(caller, limited), caller, name, series, bench.priced);
  const base = cheapest(bench.reads, stated);
  const costs = new Map([...stated].map(([operation, { best }]) => [operation, best]));
  const { random } = bench;
  const subject = { operation: base.operation.key, costs, bounds: bench, now: () => caller.now(), random };
  const found = reconciled(await drive(identify(subject)), series, Math.max(1, ...costs.values()));
  // Units that come back while single calls are answered hide their cost: of a fast bucket costs are told by draining, too.
  const isTold = stated.size > 0 && (found.kinds[0] !== 'token-bucket' || isSlow(found));
  if (isTold || found.limit === null) return { name, plan, found, costs: stated };
  const inCalls = { ...found, limit: times(found.limit, 1 / (costs.get(base.operation.key) ?? 1)) };
  const drained = await costsDrained(bench, drive, subject, inCalls);
  return { name, plan, ...inUnits(inCalls, drained, base.operation.key) };
}

/**
 * The limiter that calls showed, unless headers that count say otherwise, which tell each window from the next, however late calls are. A drained window
 * that admitted as many as are stated tells the limit where calls do not, or contradict it. Where no stated window admitted more than that,
 * calls that showed more counted two windows as one.
 */
function reconciled(found: Identified, series: KeyHistory, cost: number): Identified {
  const { stated, limit, evidence, unenforced } = found;
  const { drain, overdrawn, movesEarly, latest, isMeasure, balance } = series;
  if (stated === null || unenforced || !isMeasure || balance.isUncounting) return found;
  const slack = slackOf(stated, cost);
  const isMore = limit !== null && limit.best > stated + slack;
  if (overdrawn !== null || (limit !== null && !isMore && limit.best >= stated - slack)) return found;
  // A drain as slow as its window may have met two of them.
  const isQuick = drain?.windowMs != null && drain.tookMs <= drain.windowMs / 2;
  if (drain?.burst != null && isQuick && Math.abs(drain.burst - stated) <= slack) {
    const counted = `${plural(drain.burst, 'unit')} admitted by a window that headers told from the next`;
    const told = { kinds: drain.kinds, limit: exactly(drain.burst), windowMs: null };
    return { ...found, ...told, evidence: [...evidence, counted] };
  }
  const isOfWindows = latest?.reset != null && !movesEarly && algorithmIn(found.kinds) !== 'token-bucket';
  if (!isMore || !isOfWindows) return found;
  const late = 'no window that was stated admitted more than that: calls came too late to tell one from the next';
  return { ...found, kinds: [], limit: null, windowMs: null, evidence: [...evidence, late] };
}

/** How many calls of further reads a fresh limit admits, by operation; what refilled meanwhile is taken off. */
async function costsDrained(
  { priced }: LimitBench,
  drive: ReturnType<typeof driverOf>,
  from: LimiterUnderTest,
  limiter: Identified,
): Promise<ReadonlyMap<string, number>> {
  const admitted = new Map<string, number>();
  const whole = limiter.limit?.best ?? 0;
  const perMs = limiter.kinds[0] === 'token-bucket' ? whole / (limiter.windowMs?.best ?? 1) : 0;
  const others = priced.filter(({ operation }) => operation.method === 'GET' && operation.key !== from.operation);
  for (const { operation } of others.slice(0, MAX_PRICED_BY_DRAINING)) {
    const flood = await drive(admittedFresh({ ...from, operation: operation.key, costs: new Map() }, limiter));
    if (flood === null) continue;
    admitted.set(operation.key, flood.units * (whole / (whole + perMs * (flood.endMs - flood.startMs))));
  }
  return admitted;
}

/** Tells whether next to nothing comes back during a call. */
function isSlow({ limit, windowMs }: Identified): boolean {
  return limit !== null && windowMs !== null && (limit.best / windowMs.best) * A_CALL_MS < 0.5;
}

/** The read that costs least; the fastest of several. */
function cheapest([first, ...others]: LimitBench['reads'], costs: CostTable): Reached {
  const cost = ({ operation }: Reached): number => costs.get(operation.key)?.best ?? Number.POSITIVE_INFINITY;
  return others.reduce((best, one) => (cost(one) < cost(best) ? one : best), first);
}

/** Without headers a unit is a call of the operation of which most are admitted. */
function inUnits(
  found: Identified,
  admitted: ReadonlyMap<string, number>,
  base: string,
): { readonly found: Identified; readonly costs: CostTable } {
  const own = found.limit?.best ?? 0;
  const most = Math.max(own, ...admitted.values());
  // Limits that differ by a call or two are the same.
  const refills = found.kinds[0] === 'token-bucket' || found.kinds[0] === 'sliding-counter';
  const units =
    most - own <= Math.max(2, (refills ? MAX_REFILLED_SHARE_OFF : MAX_REFUSED_SHARE_OFF) * own) ? own : most;
  const all = new Map([[base, own], ...admitted]);
  const costs = new Map(
    [...all].map(([operation, calls]) => [operation, costOfAdmitted(units, Math.min(units, calls), { refills })]),
  );
  return { found: units === own ? found : { ...found, limit: exactly(units) }, costs };
}

function outcomesOf(ceiling: Ceiling, row: PlanCeiling, { book, world }: LimitBench): readonly Outcome[] {
  const measured = measuredLimit(ceiling, statedNames(world.limited.terms).limit);
  const admission = judgeMeasuredAdmission(measured);
  const windowSeconds = expectationOf(book.expected, ceiling.plan)?.windowSeconds ?? null;
  const wanted = judgeExpected(ceiling.plan, measured, book.expected);
  const actual = `${ceiling.found.evidence.join('; ')}; ${plural(ceiling.found.calls, 'call')}`;
  const code = codeOf('RATE-11', 'measured-ceiling', ceiling.plan, ceiling.name);
  const cause = `the measured ceiling of plan ${ceiling.plan}, key ${ceiling.name}`;
  return [
    ...(admission === null ? [] : [onTarget('RATE-04', admission)]),
    onTarget('RATE-10', judgeCeiling(measured, windowSeconds)),
    ...(wanted === null ? [] : [onTarget('RATE-10', wanted)]),
    ...measuredRows(row).map((one) => onTarget('RATE-11', observation(code, cause, actual, one))),
  ];
}

// Keys of one plan beside each other: the source says that limits are tiered by plan, and nothing of keys of one that differ. So
// a difference is observed.

/** One observation for each plan of which several keys were measured. */
function comparedWithinPlans(ceilings: readonly PlanCeiling[]): readonly Judgement[] {
  const known = ceilings.filter(({ limit }) => limit !== null);
  return [...Map.groupBy(known, ({ plan }) => plan)].flatMap(([plan, keys]) => {
    const [first, ...others] = keys;
    if (first === undefined || others.length === 0) return [];
    const calls = keys.reduce((sum, one) => sum + (one.calls ?? 0), 0);
    const isAlike = others.every((other) => isLike(first, other));
    const actual = keys.map(inWords).join(', ');
    const code = codeOf('RATE-11', isAlike ? 'keys-alike' : 'keys-differ', plan);
    const cause = isAlike
      ? `keys of plan ${plan} have the same ceiling`
      : `keys of plan ${plan} have different ceilings`;
    const of = { key: first.key, plan };
    const value = isAlike ? 'the same' : actual;
    const row = { subject: 'ceilings of its keys', value, confidence: 'sure', calls, basis: actual, of } as const;
    return [observation(code, cause, actual, row)];
  });
}

function isLike(one: PlanCeiling, other: PlanCeiling): boolean {
  return (
    one.algorithm === other.algorithm &&
    isNear(one.limit, other.limit, TOLERANCE) &&
    isNear(one.windowSeconds, other.windowSeconds, WINDOW_TOLERANCE)
  );
}

/** Values that are not known of either do not differ. */
function isNear(one: number | null, other: number | null, tolerance: number): boolean {
  return one === null || other === null || Math.abs(one - other) <= tolerance * Math.max(one, other);
}

function inWords({ key, limit, windowSeconds }: PlanCeiling): string {
  const window = windowSeconds === null ? '' : ` in ${secondsOf(windowSeconds)}`;
  return `${key} ${Number((limit ?? 0).toPrecision(6))}${window}`;
}

/**
 * Drives courses through a caller: what one asks is sent under the key, what is answered is handed back as it looks at it.
 * Resolves with what it came to. `clock`: that of the key's series.
 */
function driverOf(caller: Caller, key: string, clock: TargetClock, limited: Limited) {
  return async <T>(course: Procedure<T>): Promise<T> => {
    let step = course.next();
    while (step.done !== true) {
      const { calls, refusals } = step.value;
      const exchanges = await caller.call(
        calls.map((call) => ({ ...call, key })),
        refusals !== null,
      );
      step = course.next(exchanges.map((exchange) => observed(exchange, limited, clock)));
    }
    return step.value;
  };
}

function observed(exchange: Exchange, limited: Limited, clock: TargetClock): Observed {
  const { plan, sentAt, durationMs } = exchange;
  const reading = readingOf(exchange, limited);
  return {
    operation: plan.operation ?? plan.path,
    sentMs: sentAt,
    answeredMs: sentAt + durationMs,
    outcome: outcomeOf(reading),
    limit: reading?.limit ?? null,
    reset: reading && clock.resetOf(reading),
    retryAfterMs: reading?.retryAfterMs ?? null,
  };
}

function outcomeOf(reading: RateReading | null): Observed['outcome'] {
  if (reading?.isRefused === true) return 'refused';
  return reading !== null && isAdmitted(reading) ? 'admitted' : 'lost';
}
