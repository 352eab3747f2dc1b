// `assay load isolation`: does one key at its ceiling limit or slow another? Limits are judged (RATE-07); slowing informs,
// unless the configuration says how much is too much.

import { judgeUntouched, type OtherKeyReadings } from '../../checks/rate/rate-07-other-keys-unaffected.ts';
import { onTarget } from '../../checks/rate/series-law.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { IsolationRow } from '../../contract/load-part.ts';
import { isAdmitted, type RateReading } from '../../limiters/reading.ts';
import { windowOf } from '../../limiters/windows.ts';
import { oneOfEachPlan } from '../../probes/auth/security.ts';
import type { Outcome } from '../../probes/probe.ts';
import { othersOf } from '../../probes/rate/other-keys.ts';
import { type StatedLimit, statedLimits } from '../../probes/rate/spent-key.ts';
import { answered, askerOf, type LimitBench } from '../limits/bench.ts';
import { costsStated } from '../limits/costs.ts';
import { type Schedule, type Sized, scheduleOf } from './schedule.ts';
import { latenessOf, slowingOf } from './slowing.ts';

/** Until a new window begins, so that its length is known. ms. */
const MAX_WAITED_MS = 15_000;
const TIMER_MS = 100;

/** Yields outcomes as they come; the row of each key at its ceiling is told to `onRow`. `phaseMs`: of each rest and pressure. */
export async function* isolation(
  bench: LimitBench,
  phaseMs: number,
  onRow: (row: IsolationRow) => void,
): AsyncGenerator<readonly Outcome[]> {
  for (const { name } of oneOfEachPlan(bench.keys).toReversed()) {
    bench.enter(`${name} at its ceiling`);
    const caller = bench.callerOf(`isolation-${name}`);
    const stated = await statedLimits(askerOf(caller, bench.world.limited), bench.reads[0], bench.world, caller);
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

/** The size that each key's answers tell: a new window is waited for where one is near. */
async function sizedOf(
  { book, reads, world }: LimitBench,
  caller: ReturnType<LimitBench['callerOf']>,
  keys: readonly StatedLimit[],
): Promise<readonly Sized[]> {
  const ask = askerOf(caller, world.limited);
  const resets = keys.map(({ name, reading }) => book.historyOf(name).clock.resetOf(reading)?.latest ?? 0);
  const near = resets.filter((ms) => ms - caller.now() <= MAX_WAITED_MS);
  await caller.sleep(Math.max(0, Math.max(0, ...near) + TIMER_MS - caller.now()));
  const sized: Sized[] = [];
  for (const { name, limit } of keys) {
    const costs = await costsStated(ask, caller, name, book.historyOf(name), [reads[0]]);
    const history = book.historyOf(name);
    const { latest } = history;
    const { windowSeconds, confidence } = windowOf(history);
    const known = book.expectedWindow(name) ?? (confidence === 'at least' ? null : windowSeconds);
    sized.push({
      ...{ name, limit },
      remaining: latest?.remaining ?? 0,
      cost: costs.get(reads[0].operation.key)?.most ?? 1,
      windowMs: known === null ? null : known * 1000,
      windowAtLeastMs: Math.max(history.clock.windowAtLeastMs, (windowSeconds ?? 0) * 1000),
    });
  }
  return sized;
}

interface Seen {
  readonly pressures: readonly Pressure[];
  /** Readings of the other keys. */
  readonly readings: readonly RateReading[];
}

/** The others call all the time; the pressed key twice, after a rest each time. Two generators, so that neither waits for the other. */
async function underPressure(bench: LimitBench, name: string, { others, pressure, phaseMs }: Schedule): Promise<Seen> {
  const caller = bench.callerOf(`isolation-${name}-pressed`);
  const press = async (): Promise<readonly RateReading[]> => {
    await caller.sleep(phaseMs);
    return answered(await caller.call(pressure, false), bench.world.limited);
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
    readings: answered(calling.value, bench.world.limited),
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
      .filter(({ name }) => book.historyOf(name).isMeasure)
      .flatMap(
        ({ name, cost }) =>
          neighbourOf(
            readings.filter(({ key }) => key === name),
            cost,
            pressure,
          ) ?? [],
      );
    const beside = neighbours.map((one) => ({ ...one.beside, clock: book.historyOf(one.beside.key).clock }));
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
        some.flat().filter(({ isRefused }) => isRefused).length;
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

/** Refusals are quick, and say nothing of how fast a call is. ms. */
function durationsOf(readings: readonly RateReading[]): readonly number[] {
  return readings.filter(({ isRefused }) => !isRefused).map(({ exchange }) => exchange.durationMs);
}

// RATE-07 under pressure: another key's answers just before the pressed key's limit was spent and just after, as the drain of
// conformance compares them. The other key went on calling: what its own calls took is taken off.

interface Neighbour {
  /** Calls of the pressed key that were admitted in between. */
  readonly spent: number;
  readonly beside: Omit<OtherKeyReadings, 'clock'>;
}

/** In so short a time no window is likely to end. ms. */
const TAIL_MS = 1000;

/** Null where the key was not answered before and after. `readings`: of the other key, `cost` units a call of its own. */
function neighbourOf(readings: readonly RateReading[], cost: number, pressure: Pressure): Neighbour | null {
  const inOrder = readings.toSorted((left, right) => left.sentAt - right.sentAt);
  const { beganMs, endedMs, atCeiling, admittedMs } = pressure;
  // A limit that was not reached was spent all the time: then its end is looked at, which rest follows.
  const [fromMs, spentMs] =
    atCeiling === null ? [Math.max(beganMs, endedMs - TAIL_MS), endedMs] : [beganMs, atCeiling.fromMs];
  const before = inOrder.findLast(({ answeredAt }) => answeredAt < fromMs);
  const during = inOrder.filter(({ sentAt }) => sentAt > fromMs && sentAt <= endedMs);
  const after = during.find(({ isRefused }) => isRefused) ?? inOrder.find(({ sentAt }) => sentAt > spentMs);
  if (before === undefined || after === undefined) return null;
  const between = (from: RateReading, to: RateReading): number =>
    cost * inOrder.filter((one) => one.sentAt > from.sentAt && one.sentAt < to.sentAt && isAdmitted(one)).length;
  const isRefused = after.isRefused;
  const freed = isRefused ? (inOrder.find((one) => one.sentAt > endedMs && isAdmitted(one)) ?? null) : null;
  const from = isRefused ? freed : after;
  const rested = from === null ? null : restedAfter(inOrder, from, after.sentAt - before.sentAt);
  return {
    spent: admittedMs.filter((ms) => ms > before.answeredAt && ms < after.sentAt).length,
    beside: {
      ...{ key: before.key, before, after, freed, rested },
      refused: isRefused ? during.filter(({ sentAt }) => sentAt > after.answeredAt) : [],
      own: {
        meanwhile: between(before, after),
        resting: from === null || rested === null ? 0 : between(from, rested),
      },
    },
  };
}

/** The first answer as long after, or the last there is. */
function restedAfter(inOrder: readonly RateReading[], from: RateReading, afterMs: number): RateReading | null {
  const later = inOrder.filter(({ sentAt }) => sentAt > from.answeredAt);
  return later.find(({ sentAt }) => sentAt >= from.sentAt + afterMs) ?? later.at(-1) ?? null;
}

// When a key was at its ceiling, by its own answers: what others were answered then is held against what they were answered while
// it rested. What they were answered while the limit was being spent is neither.

/** One time of pressure on a key. Epoch ms. */
interface Pressure {
  readonly beganMs: number;
  readonly endedMs: number;
  /** From the first refusal to the last; null where the key was not refused. */
  readonly atCeiling: { readonly fromMs: number; readonly untilMs: number } | null;
  /** When calls were admitted. */
  readonly admittedMs: readonly number[];
  readonly refused: number;
}

/** Null without an answer. `readings`: of the pressed key, one time of pressure. */
function pressureOf(readings: readonly RateReading[]): Pressure | null {
  if (readings.length === 0) return null;
  const refused = readings.filter(({ isRefused }) => isRefused);
  const first = Math.min(...refused.map(({ answeredAt }) => answeredAt));
  const last = Math.max(...refused.map(({ answeredAt }) => answeredAt));
  return {
    beganMs: Math.min(...readings.map(({ sentAt }) => sentAt)),
    endedMs: Math.max(...readings.map(({ answeredAt }) => answeredAt)),
    atCeiling: refused.length === 0 ? null : { fromMs: first, untilMs: last },
    admittedMs: readings.filter(isAdmitted).map(({ sentAt }) => sentAt),
    refused: refused.length,
  };
}

/** Answers to another key: at rest, one list for each rest, and under pressure, one for each time. In the order sent. */
export interface Stretches {
  readonly rests: readonly (readonly RateReading[])[];
  readonly pressed: readonly (readonly RateReading[])[];
}

function stretchesOf(readings: readonly RateReading[], pressures: readonly Pressure[]): Stretches {
  const inOrder = readings.toSorted((left, right) => left.sentAt - right.sentAt);
  const edges = [Number.NEGATIVE_INFINITY, ...pressures.map(({ endedMs }) => endedMs)];
  const ends = [...pressures.map(({ beganMs }) => beganMs), Number.POSITIVE_INFINITY];
  return {
    rests: edges.map((fromMs, at) => inOrder.filter((one) => one.sentAt > fromMs && one.answeredAt < (ends[at] ?? 0))),
    pressed: pressures.map(({ atCeiling }) =>
      atCeiling === null
        ? []
        : inOrder.filter(({ sentAt }) => sentAt >= atCeiling.fromMs && sentAt <= atCeiling.untilMs),
    ),
  };
}
