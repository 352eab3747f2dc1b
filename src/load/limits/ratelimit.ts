// `assay load ratelimit`: the header laws under concurrency, one key after the other and then all at once. A limiter that holds
// for one key alone may admit too many when many senders race.

import { judgeAdmission } from '../../checks/rate/rate-04-admission.ts';
import { untold } from '../../checks/rate/series-law.ts';
import { drainedOf } from '../../limiters/drained-window.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import type { PlanKey } from '../../limiters/limit-book.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { type Moment, SAME_RESET_MS } from '../../limiters/reset-clock.ts';
import { statedNames } from '../../limiters/stated.ts';
import { callsBeyond } from '../../limiters/trace.ts';
import { windowOf } from '../../limiters/windows.ts';
import { oneOfEachPlan } from '../../probes/auth/security.ts';
import type { Outcome } from '../../probes/probe.ts';
import { askedKey, LONGEST_WAIT_MS, oneOfEachKind, SLACK_MS } from '../../probes/rate/asking.ts';
import type { DrainTools } from '../../probes/rate/drain.ts';
import { DRAIN_JUDGES, drained, statedLimits } from '../../probes/rate/spent-key.ts';
import type { Call, Caller } from '../caller/caller.ts';
import { answered, askerOf, flooded, type LimitBench } from './bench.ts';

/** Yields the outcomes as they come, so that an interrupted run keeps what it has. */
export async function* rateLimits(bench: LimitBench): AsyncGenerator<readonly Outcome[]> {
  // The key that ordinary calls use comes last.
  const keys = oneOfEachPlan(bench.keys).toReversed();
  for (const key of keys) {
    bench.enter(`limits of ${key.name}`);
    yield await drainedKey(bench, key, `ratelimit-${key.name}`);
  }
  bench.enter('all keys at once');
  yield await drainedTogether(bench, keys);
}

const CALLS_BY_LIMIT = 1.1;
const MIN_CALLS_ALONE = 3;
const MAX_CALLS = 20_000;

/**
 * All keys spent at once: what each was admitted is counted, whatever the order. None where the limits are too large to be spent
 * together.
 */
async function drainedTogether(bench: LimitBench, keys: readonly PlanKey[]): Promise<readonly Outcome[]> {
  const stated = keys.flatMap(({ name }) => {
    const { limit, answered: known } = bench.book.historyOf(name);
    // A window that slides may count calls still that were made before.
    return limit === null ? [] : [{ name, limit, calls: callsBeyond(limit, CALLS_BY_LIMIT), before: known.length }];
  });
  const total = stated.reduce((sum, { calls }) => sum + calls, 0);
  if (stated.length < 2 || total > Math.min(MAX_CALLS, bench.mostCalls)) return [];
  const caller = bench.callerOf('ratelimit-together');
  await caller.sleep(restMs(bench, stated, caller.now()));
  const first: RateReading[] = [];
  for (const { name } of stated) first.push(...(await oneByOne(bench, caller, name)));
  const readings = answered(await caller.call(interleaved(bench, stated), false), bench.world.limited);
  await waitAsTold(bench, caller, readings);
  return stated.map(({ name, limit, before: callsBefore }) => {
    const isOwn = ({ key }: RateReading): boolean => key === name;
    const alone = first.filter(isOwn);
    const history = bench.book.historyOf(name);
    const toldMs = history.latest === null ? undefined : bench.book.untoldWindowMs(history.latest);
    const drain = {
      ...{ key: name, limit, readings: [...alone, ...readings.filter(isOwn)] },
      ...{ answers: [], alone: alone.length, callsBefore, callsEver: callsBefore, ...history.drainFacts(toldMs) },
    };
    return judgeAdmission(drainedOf(drain));
  });
}

/** Longer waits leave a key's own drain the time to be waited out before its reset. ms. */
const MAX_WAIT_HERE_MS = 5000;

/** A call of each key once the wait of its last refusal is over (RATE-06). */
async function waitAsTold(
  { reads, world }: LimitBench,
  caller: Caller,
  readings: readonly RateReading[],
): Promise<void> {
  const last = new Map(readings.filter(({ isRefused }) => isRefused).map((refused) => [refused.key, refused]));
  const due = [...last.values()].flatMap(({ key, answeredAt, retryAfterMs }) => {
    const waitMs = retryAfterMs ?? 0;
    return waitMs === 0 || waitMs > MAX_WAIT_HERE_MS ? [] : [{ key, dueMs: answeredAt + waitMs }];
  });
  for (const { key, dueMs } of due.toSorted((left, right) => left.dueMs - right.dueMs)) {
    await caller.sleep(Math.max(0, dueMs - caller.now()));
    await askerOf(caller, world.limited)(key, reads[0]);
  }
}

/** A few calls of the key, each sent once the one before is answered: they show what a call costs. */
async function oneByOne({ reads, world }: LimitBench, caller: Caller, key: string): Promise<readonly RateReading[]> {
  const ask = askerOf(caller, world.limited);
  const readings: (RateReading | null)[] = [];
  for (let call = 0; call < MIN_CALLS_ALONE; call += 1) readings.push(await ask(key, reads[0]));
  return readings.filter((reading) => reading !== null);
}

/** Until every key's stated reset has passed. ms. */
function restMs({ book }: LimitBench, stated: readonly { name: string }[], nowMs: number): number {
  const resets = stated.map(({ name }) => {
    const { latest, clock } = book.historyOf(name);
    return latest === null ? 0 : (clock.resetOf(latest)?.latest ?? 0);
  });
  return Math.min(LONGEST_WAIT_MS, Math.max(0, ...resets.map((ms) => ms - nowMs)));
}

/** Each key's calls spread over the whole, in proportion. */
function interleaved(
  { reads: [{ operation }] }: LimitBench,
  stated: readonly { readonly name: string; readonly calls: number }[],
): readonly Call[] {
  return stated
    .flatMap(({ name, calls }) => Array.from({ length: calls }, (_, at) => ({ name, turn: at / calls })))
    .toSorted((left, right) => left.turn - right.turn)
    .map(({ name }) => ({ key: name, operation: operation.key, afterMs: 0 }));
}

/** Calls that show how fast calls can be sent. */
const SAMPLE_CALLS = 400;
const MAX_OPERATIONS = 3;

/**
 * One key's window spent by many senders at once and watched as it comes back: conformance's own drain, on limits of any size
 * that the generator can spend within a window. `lane` names its record.
 */
export async function drainedKey(bench: LimitBench, { name: key }: PlanKey, lane: string): Promise<readonly Outcome[]> {
  const { book, reads, priced, world } = bench;
  const caller = bench.callerOf(lane);
  const ask = askerOf(caller, world.limited);
  const stated = await statedLimits(ask, reads[0], world, caller);
  const spare = stated.find(({ name }) => name === key);
  if (spare === undefined) {
    const why = `key ${key} is not answered with a readable ${statedNames(world.limited.terms).limit}; "assay load ceiling" measures limits that no header tells`;
    return DRAIN_JUDGES.map((clause) => untold(clause, why));
  }
  const { clock } = book.historyOf(key);
  const [main, ...more] = reads;
  const operations = [main, ...more.slice(0, MAX_OPERATIONS - 1)] as const;
  const means = {
    policy: spare.reading.policy,
    windowMs: book.untoldWindowMs(spare.reading),
    others: oneOfEachKind(priced, main).filter(({ operation }) => !book.uncounted.has(operation.key)),
    flood: (calls: number) => floodWithin(caller, key, bench, calls, spare.reading),
  };
  const tools = { ...askedKey({ key, clock, ask, timing: caller, operations }), means };
  const outcomes = await drained(tools, book, stated, spare);
  await callsForReset(tools, book.historyOf(key));
  return outcomes;
}

const LOOK_EVERY_MS = 100;
/** Calls in a row that show whether each lowers Remaining, however fast the limit may refill. */
const CALLS_IN_ROW = 8;
/** Calls whose return tells that Reset is another time than that at which calls come back. */
const CALLS_TO_COME_BACK = 16;
const MAX_WAITS_TO_COME_BACK = 2;

/** The calls that RATE-03 lacks after a drain. */
async function callsForReset(tools: DrainTools, history: KeyHistory): Promise<void> {
  const { latest, clock, balance, movesEarly, longestWaitMs } = history;
  const reset = latest === null ? null : clock.resetOf(latest);
  if (reset === null) return;
  if (reset.latest - tools.timing.now() > LONGEST_WAIT_MS) await comeBackAsTold(tools, longestWaitMs);
  else if (balance.compared === 0 && !movesEarly) await rowAfterReset(tools, reset);
}

/** Where a refusal asks for a wait that ends long before its reset, one more window shows which of the two is true. */
async function comeBackAsTold(tools: DrainTools, waitMs: number | null): Promise<void> {
  if (waitMs === null || waitMs > LONGEST_WAIT_MS) return;
  let left = 0;
  for (let call = 0; call < CALLS_TO_COME_BACK; call += 1) left = (await tools.call())?.remaining ?? left;
  // A refusal asks for the rest of a window: a whole one may take longer.
  for (let wait = 0, back = left; wait < MAX_WAITS_TO_COME_BACK && back <= left; wait += 1) {
    await tools.timing.sleep(waitMs + SLACK_MS);
    back = (await tools.call())?.remaining ?? left;
  }
}

/**
 * Where windows are short, each call of a drain may come when the next window could have begun, and RATE-03 has nothing to compare. Then
 * the end of one is looked for, and calls in a row follow: they surely fall into one window.
 */
async function rowAfterReset(tools: DrainTools, reset: Moment): Promise<void> {
  for (let atMs = reset.earliest; atMs <= reset.latest; atMs += LOOK_EVERY_MS) {
    await tools.until(atMs);
    const next = await tools.call();
    if (next !== null && (tools.clock.resetOf(next)?.earliest ?? 0) > reset.earliest + SAME_RESET_MS) break;
  }
  for (let call = 0; call < CALLS_IN_ROW; call += 1) await tools.call();
}

/** Calls at once, unless a window cannot be spent so fast: then those that showed it. */
async function floodWithin(
  caller: Caller,
  key: string,
  bench: LimitBench,
  calls: number,
  stated: RateReading,
): Promise<readonly RateReading[]> {
  const { mostCalls, book } = bench;
  if (calls <= SAMPLE_CALLS) return flooded(caller, bench, key, calls);
  const sample = await flooded(caller, bench, key, SAMPLE_CALLS);
  const [first, last] = [sample[0], sample.at(-1)];
  if (first === undefined || last === undefined || sample.some(({ isRefused }) => isRefused)) return sample;
  const history = book.historyOf(key);
  const perMs = sample.length / Math.max(1, last.answeredAt - first.sentAt);
  const windowMs = (windowOf(history).windowSeconds ?? 0) * 1000;
  const toResetMs = Math.max(windowMs, (history.clock.resetOf(stated)?.latest ?? 0) - caller.now());
  const limit = stated.limit ?? 0;
  const isTooLarge = limit > mostCalls || (stated.reset !== null && limit / perMs > toResetMs);
  return isTooLarge ? sample : [...sample, ...(await flooded(caller, bench, key, calls - SAMPLE_CALLS))];
}
