// For tests: the experiments of limits run against a simulated target, one after the other, in simulated time.

import type { Timing } from '../../../../src/clock/clock.ts';
import { CutShort, type Outcome, type Send } from '../../../../src/probes/probe.ts';
import { asker } from '../../../../src/probes/rate/asking.ts';
import { rateExperiments } from '../../../../src/probes/rate/experiments.ts';
import { fixedWindow, type Limiter } from '../../limiters/limiters.ts';
import { MAIN_KEY, OTHER_KEY, worldWith } from '../world.ts';
import { allReached, loadLimited, type SimulatedTarget, simulatedTarget, type TargetOptions } from './target.ts';

export interface Ran extends SimulatedTarget {
  readonly outcomes: readonly Outcome[];
}

const ALL = ['rate/costs', 'rate/row', 'rate/drain', 'rate/export'];

/** Time that passes when nothing else can. */
interface DrivenClock extends Timing {
  drive<T>(work: Promise<T>): Promise<T>;
}

export interface RunOptions extends Omit<TargetOptions, 'clock'> {
  /** Calls of the spare key that were made before, and the time since. */
  readonly earlier?: { readonly calls: number; readonly restMs: number };
  /** Operations that are there. Absent: all that take no id. */
  readonly only?: readonly string[];
}

/** Runs the experiments of these probes, then asks the book. `mostCalls`: a budget of requests ends the run. */
export type Run = (options: RunOptions, probes?: readonly string[], mostCalls?: number) => Promise<Ran>;

/** `clockOf` makes a clock for each run. */
export function runnerOn(clockOf: () => DrivenClock): Run {
  return (options, probes = ALL, mostCalls = Number.POSITIVE_INFINITY) => run(clockOf(), options, probes, mostCalls);
}

async function run(
  clock: DrivenClock,
  { earlier = { calls: 0, restMs: 0 }, only, ...options }: RunOptions,
  probes: readonly string[],
  mostCalls: number,
): Promise<Ran> {
  const world = worldWith();
  const target = simulatedTarget(world, { ...options, clock });
  const reached = allReached(world, await loadLimited(), only);
  const { costs, limits } = rateExperiments(
    world,
    { first: true, own: reached, reached, operations: reached.map(({ operation }) => operation) },
    target.book,
    clock,
  );
  const outcomes: Outcome[] = [];
  let sent = 0;
  const send: Send = async (plan) => {
    sent += 1;
    if (sent > mostCalls) throw new Error(`${mostCalls} calls are made`);
    return target.send(plan);
  };
  const [cheap] = reached;
  const ask = asker(world, send, 'earlier', 'once');
  const perform = async () => {
    for (let call = 0; call < earlier.calls && cheap !== undefined; call += 1) await ask(OTHER_KEY.name, cheap);
    await clock.sleep(earlier.restMs);
    for (const experiment of [...costs, ...limits])
      if (probes.includes(experiment.probe)) outcomes.push(...(await experiment.converse(send)));
  };
  await clock.drive(perform()).catch((error: unknown) => {
    if (error instanceof CutShort) outcomes.push(...error.outcomes);
    else if (sent <= mostCalls) throw error;
  });
  outcomes.push(...target.book.conclude());
  return { ...target, outcomes };
}

/** "RATE-04: cause" of every breach that is no observation or advisory, once. */
export function breachesOf({ outcomes }: Ran): readonly string[] {
  const all = outcomes.flatMap(({ clause, judgement }) =>
    judgement.kind === 'breached'
      ? judgement.breaches.filter(({ weight }) => weight === 'breach').map(({ cause }) => `${clause}: ${cause}`)
      : [],
  );
  return [...new Set(all)].sort();
}

/** The main key has room; the spare one this limiter. */
export const spareBy =
  (make: () => Limiter): TargetOptions['limiterOf'] =>
  (key) =>
    key === MAIN_KEY.name ? fixedWindow(100_000, 10_000) : make();

/** So many exports in a window, of each user that `of` tells. */
export function exportThrottle(
  calls: number,
  windowMs: number,
  of: (key: string) => string = (key) => key,
): TargetOptions['throttle'] {
  const windows = new Map<string, Limiter>();
  return (plan, nowMs) => {
    if (!plan.path.endsWith('/export') || plan.credential.kind !== 'key') return null;
    const user = of(plan.credential.name);
    const window = windows.get(user) ?? fixedWindow(calls, windowMs);
    windows.set(user, window);
    const grant = window(nowMs, 1);
    return grant.granted ? null : Math.ceil((grant.againMs - nowMs) / 1000);
  };
}
