// `assay load ceiling`: limit, window, algorithm, burst and costs of each key. A key of each plan makes a turn: first each is
// drained alone, as the laws of limits want it, then they are measured side by side – one after the other where one key spends
// another's limit.
import { observation } from '../../checks/observation.ts';
import type { PlanKey } from '../../checks/rate/rate-08-plan-order.ts';
import { codeOf } from '../../contract/code.ts';
import type { Outcome } from '../../probes/probe.ts';
import type { Reached } from '../../probes/world.ts';
import { type Identified, identify } from '../limiter/identify.ts';
import type { Bounds, Subject } from '../limiter/trace.ts';
import { askerOf, type LimitBench, onTarget, turnsOf } from './bench.ts';
import { type Ceiling, judgeCeilingOf, judgeExpected, judgeMeasuredOrder, measuredRows } from './ceiling-verdicts.ts';
import { comparedWithinPlans } from './compared.ts';
import { admittedFresh, type CostTable, costOfAdmitted, costsStated } from './costs.ts';
import { driven } from './course.ts';
import { drainedKey } from './drained-key.ts';

/** Without headers each cost takes a limit's worth of calls. */
const MOST_PRICED_BY_DRAINING = 6;
const MOST_REFUSED_AS_ONE = 0.02;
/** What comes back while a bucket is drained, or a counter across the end of its window, is known roughly only. */
const MOST_REFILLED_AS_ONE = 0.1;
const A_CALL_MS = 30;

/** The lanes that hold all that a key's ceiling rests on. */
export function lanesOf(key: string): readonly [drain: string, ceiling: string] {
  return [`ceiling-drain-${key}`, `ceiling-${key}`];
}

/** Yields outcomes as they come; each ceiling is told to `onCeiling` as well. */
export async function* ceilings(
  bench: LimitBench,
  onCeiling: (ceiling: Ceiling) => void,
): AsyncGenerator<readonly Outcome[]> {
  const measured: Ceiling[] = [];
  const measure = async (key: PlanKey): Promise<readonly Outcome[]> => {
    bench.enter(`ceiling of ${key.name}`);
    const ceiling = await ceilingOf(bench, key);
    measured.push(ceiling);
    onCeiling(ceiling);
    return outcomesOf(ceiling, bench);
  };
  let isShared = false;
  for (const turn of turnsOf(bench.keys, bench.isMeasured)) {
    for (const key of turn) {
      bench.enter(`limits of ${key.name}`);
      const outcomes = await drainedKey(bench, key, lanesOf(key.name)[0]);
      isShared ||= outcomes.some(({ clause, judgement }) => clause === 'RATE-07' && judgement.kind === 'breached');
      yield outcomes;
    }
    if (isShared) for (const key of turn) yield await measure(key);
    else yield* await Promise.all(turn.map(measure));
  }
  yield [
    onTarget('RATE-08', judgeMeasuredOrder(measured)),
    ...comparedWithinPlans(measured).map((judgement) => onTarget('RATE-11', judgement)),
  ];
}

async function ceilingOf(bench: LimitBench, { name, plan }: PlanKey): Promise<Ceiling> {
  const caller = bench.callerOf(lanesOf(name)[1]);
  const series = bench.book.seriesOf(name);
  const { clock } = series;
  const stated = await costsStated(askerOf(caller), caller, series, bench.priced);
  const base = cheapest(bench.reads, stated);
  const costs = new Map([...stated].map(([operation, { best }]) => [operation, best]));
  const bounds: Bounds = { mostCalls: bench.mostCalls, mostMs: bench.mostMs };
  const subject: Subject = {
    operation: base.operation.key,
    costs,
    bounds,
    now: () => caller.now(),
    random: bench.random,
  };
  const found = await driven(caller, name, clock, identify(subject));
  // What comes back while single calls are answered hides what they cost: of a fast bucket costs are told by draining, too.
  const isTold = stated.size > 0 && (found.kinds[0] !== 'token-bucket' || isSlow(found));
  if (isTold || found.limit === null || found.kinds.length === 0) return { name, plan, found, costs: stated };
  const inCalls = rescaled(found, 1 / (costs.get(base.operation.key) ?? 1));
  const drained = await costsDrained(bench, name, subject, inCalls);
  return { name, plan, ...inUnits(inCalls, drained, base.operation.key) };

  async function costsDrained(
    { priced }: LimitBench,
    key: string,
    from: Subject,
    limiter: Identified,
  ): Promise<ReadonlyMap<string, number>> {
    const admitted = new Map<string, number>();
    const others = priced.filter(({ operation }) => operation.method === 'GET' && operation.key !== from.operation);
    for (const { operation } of others.slice(0, MOST_PRICED_BY_DRAINING)) {
      const flood = await driven(
        caller,
        key,
        clock,
        admittedFresh({ ...from, operation: operation.key, costs: new Map() }, limiter),
      );
      if (flood === null) continue;
      const refilled =
        limiter.kinds[0] === 'token-bucket'
          ? ((limiter.limit?.best ?? 0) / (limiter.windowMs?.best ?? 1)) * (flood.endMs - flood.startMs)
          : 0;
      const whole = limiter.limit?.best ?? 0;
      admitted.set(operation.key, flood.units * (whole / (whole + refilled)));
    }
    return admitted;
  }
}

/** Whether next to nothing comes back during a call. */
function isSlow({ limit, windowMs }: Identified): boolean {
  return limit !== null && windowMs !== null && (limit.best / windowMs.best) * A_CALL_MS < 0.5;
}

/** The same limiter in units that are so many times smaller. */
function rescaled(found: Identified, factor: number): Identified {
  const scaled = (interval: Identified['limit']): Identified['limit'] =>
    interval && { least: interval.least * factor, best: interval.best * factor, most: interval.most * factor };
  return factor === 1 ? found : { ...found, limit: scaled(found.limit), burst: scaled(found.burst) };
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
  // What differs by a call or two is the same limit.
  const refills = found.kinds[0] === 'token-bucket' || found.kinds[0] === 'sliding-counter';
  const units = most - own <= Math.max(2, (refills ? MOST_REFILLED_AS_ONE : MOST_REFUSED_AS_ONE) * own) ? own : most;
  const all = new Map([[base, own], ...admitted]);
  const costs = new Map(
    [...all].map(([operation, calls]) => [operation, costOfAdmitted(units, Math.min(units, calls), refills)]),
  );
  if (units === own) return { found, costs };
  return { found: { ...rescaled(found, units / own), limit: { least: units, best: units, most: units } }, costs };
}

function outcomesOf(ceiling: Ceiling, { expected }: LimitBench): readonly Outcome[] {
  const wanted = judgeExpected(ceiling, expected);
  const actual = `${ceiling.found.evidence.join('; ')}; ${ceiling.found.calls} calls`;
  const code = codeOf('RATE-11', 'measured-ceiling', ceiling.plan, ceiling.name);
  const cause = `the measured ceiling of plan ${ceiling.plan}, key ${ceiling.name}`;
  return [
    ...judgeCeilingOf(ceiling).map(([clause, judgement]) => onTarget(clause, judgement)),
    ...(wanted === null ? [] : [onTarget('RATE-10', wanted)]),
    ...measuredRows(ceiling).map((row) => onTarget('RATE-11', observation(code, cause, actual, row))),
  ];
}
