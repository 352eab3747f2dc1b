// `assay load isolation`: does one key at its ceiling limit or slow another? Limits are judged (RATE-07); slowing informs,
// unless the configuration says how much is too much.

import { judgeUntouched } from '../../checks/rate/rate-07-other-keys-unaffected.ts';
import type { RateReading } from '../../checks/rate/reading.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { IsolationRow } from '../../contract/load-part.ts';
import type { Outcome } from '../../probes/probe.ts';
import { type StatedLimit, statedLimits } from '../../probes/rate/drain-probe.ts';
import { othersOf } from '../../probes/rate/other-keys.ts';
import { answered, askerOf, keyOfEachPlan, type LimitBench, onTarget } from '../limits/bench.ts';
import { costsStated } from '../limits/costs.ts';
import { neighbourOf } from './limiting.ts';
import { type Schedule, type Sized, scheduleOf } from './schedule.ts';
import { latenessOf, slowingOf } from './slowing.ts';
import { type Pressure, pressureOf, stretchesOf } from './stretches.ts';

/** Until a new window begins, so that its length is known. ms. */
const MOST_WAITED_MS = 15_000;
const TIMER_MS = 100;

/** Yields outcomes as they come; the row of each key at its ceiling is told to `onRow`. `phaseMs`: of each rest and pressure. */
export async function* isolation(
  bench: LimitBench,
  phaseMs: number,
  onRow: (row: IsolationRow) => void,
): AsyncGenerator<readonly Outcome[]> {
  for (const { name } of keyOfEachPlan(bench.keys)) {
    bench.enter(`${name} at its ceiling`);
    const caller = bench.callerOf(`isolation-${name}`);
    const stated = await statedLimits(askerOf(caller), bench.reads[0], bench.world, caller);
    const pressed = stated.find((one) => one.name === name);
    const near = pressed === undefined ? [] : othersOf(pressed, stated).map((one) => one.name);
    const others = stated.filter((one) => near.includes(one.name));
    if (pressed === undefined || others.length === 0) {
      yield [onTarget('RATE-07', cannotTell('precondition', `no other key states a limit beside ${name}`))];
      continue;
    }
    const sized = await sizedOf(bench, caller, [pressed, ...others]);
    const [own, ...beside] = sized as [Sized, ...Sized[]];
    const schedule = scheduleOf(own, beside, bench.reads[0].operation.key, phaseMs, bench.mostCalls);
    const seen = await underPressure(bench, name, schedule);
    onRow(rowOf(pressed, others, seen));
    yield outcomesOf(bench, name, beside, seen);
  }
}

/** What each key's answers tell of its size: a new window is waited for where one is near. */
async function sizedOf(
  { book, reads }: LimitBench,
  caller: ReturnType<LimitBench['callerOf']>,
  keys: readonly StatedLimit[],
): Promise<readonly Sized[]> {
  const ask = askerOf(caller);
  const resets = keys.map(({ name, reading }) => book.seriesOf(name).clock.resetOf(reading)?.latest ?? 0);
  const near = resets.filter((ms) => ms - caller.now() <= MOST_WAITED_MS);
  await caller.sleep(Math.max(0, Math.max(0, ...near) + TIMER_MS - caller.now()));
  const sized: Sized[] = [];
  for (const { name, limit } of keys) {
    const costs = await costsStated(ask, caller, book.seriesOf(name), [reads[0]]);
    const { latest, windows, movesEarly, rises } = book.seriesOf(name);
    const { windowSeconds, confidence } = windows.facts(movesEarly);
    const known = book.expectedWindow(name) ?? (confidence === 'at least' ? null : windowSeconds);
    sized.push({
      ...{ name, limit },
      remaining: latest?.remaining ?? 0,
      cost: costs.get(reads[0].operation.key)?.most ?? 1,
      windowMs: known === null ? null : known * 1000,
      windowAtLeastMs: Math.max(rises.windowAtLeastMs, (windowSeconds ?? 0) * 1000),
    });
  }
  return sized;
}

interface Seen {
  readonly pressures: readonly Pressure[];
  /** Of the others. */
  readonly readings: readonly RateReading[];
}

/** The others call all the time; the pressed key twice, after a rest each time. Two generators, so that neither waits for the other. */
async function underPressure(bench: LimitBench, name: string, { others, pressure, phaseMs }: Schedule): Promise<Seen> {
  const caller = bench.callerOf(`isolation-${name}-pressed`);
  const press = async (): Promise<readonly RateReading[]> => {
    await caller.sleep(phaseMs);
    return answered(await caller.call(pressure, false));
  };
  const pressing = async (): Promise<readonly (readonly RateReading[])[]> => [await press(), await press()];
  const [calling, pressed] = await Promise.allSettled([
    bench.callerOf(`isolation-${name}-others`).call(others, false),
    pressing(),
  ]);
  // None is left behind: what k6 is still sending has ended before an error is told.
  if (calling.status === 'rejected') throw calling.reason;
  if (pressed.status === 'rejected') throw pressed.reason;
  return {
    pressures: pressed.value.flatMap((readings) => pressureOf(readings) ?? []),
    readings: answered(calling.value),
  };
}

/** RATE-07 on each time of pressure. */
function outcomesOf(
  { book }: LimitBench,
  pressed: string,
  others: readonly Sized[],
  { pressures, readings }: Seen,
): readonly Outcome[] {
  return pressures.map((pressure) => {
    const neighbours = others
      // A Remaining that rises and falls by itself tells nothing.
      .filter(({ name }) => book.seriesOf(name).isMeasure)
      .flatMap(
        ({ name, cost }) =>
          neighbourOf(
            readings.filter(({ key }) => key === name),
            cost,
            pressure,
          ) ?? [],
      );
    const beside = neighbours.map((one) => ({ ...one.beside, clock: book.seriesOf(one.beside.key).clock }));
    const spent = Math.max(0, ...neighbours.map((one) => one.spent));
    const judgement = judgeUntouched(pressed, spent, beside);
    const evidence = beside.flatMap(({ before, refused, after }) => [before, ...refused.slice(0, 4), after]);
    return onTarget('RATE-07', judgement, judgement.kind === 'breached' ? evidence : []);
  });
}

function rowOf(
  { name, plan }: StatedLimit,
  others: readonly StatedLimit[],
  { pressures, readings }: Seen,
): IsolationRow {
  return {
    ...{ plan, key: name },
    admitted: pressures.reduce((sum, { admittedMs }) => sum + admittedMs.length, 0),
    refused: pressures.reduce((sum, { refused }) => sum + refused, 0),
    others: others.map((other) => {
      const own = readings.filter(({ key }) => key === other.name);
      const { rests, pressed } = stretchesOf(own, pressures);
      const refusedOf = (some: readonly (readonly RateReading[])[]): number =>
        some.flat().filter(({ status }) => status === 429).length;
      const late = latenessOf(own.map(({ sentAt }) => sentAt).toSorted((left, right) => left - right));
      const under = new Set(pressed.flat().map(({ sentAt }) => sentAt));
      return {
        ...{ plan: other.plan, key: other.name },
        ...{ callsAtRest: rests.flat().length, callsUnderPressure: pressed.flat().length },
        ...{ refusedAtRest: refusedOf(rests), refusedUnderPressure: refusedOf(pressed) },
        slowing: slowingOf({
          rests: rests.map(durationsOf),
          pressed: pressed.map(durationsOf),
          lateMs: late.filter((_, at) => under.has(own[at]?.sentAt ?? 0)),
        }),
      };
    }),
  };
}

/** What was refused is quick, and says nothing of how fast a call is. ms. */
function durationsOf(readings: readonly RateReading[]): readonly number[] {
  return readings.filter(({ status }) => status !== 429).map(({ exchange }) => exchange.durationMs);
}
