// Drains one window of a key that ordinary calls do not use: how many calls are admitted, and whether any operation goes on
// when none is left. How the limit comes back is watched in recovery.ts.

import { type Drained, drainedOf, type Elsewhere } from '../../limiters/drained-window.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import type { RateReading } from '../../limiters/reading.ts';
import type { Reached } from '../world.ts';
import { type AskedKey, LONGEST_WAIT_MS, SLACK_MS } from './asking.ts';

const WORKERS = 8;
/** A drain that took too long for its window is repeated by more, and with less of a pause. */
const BRISK = { workers: 24, pauseShare: 0.05 } as const;
/** Calls one after the other at the start: they show what a call costs. */
const ALONE = 5;
/** Calls one after the other at the end, until one is refused. */
const MAX_ALONE = 8;
const LONGEST_DRAIN_MS = 45_000;
/** Beyond what the limit allows, to see whether it is kept. */
const OVERSHOOT = 0.5;
const OVERSHOOT_CALLS = 20;
/** A window that ends sooner is left to pass, one that is used already twice as long: the drain then begins with its successor. ms. */
const SOON_MS = 15_000;
/** Between the first calls and the rest, so that a log gives them back at another time; what others spend shows, too. ms. */
const APART_MS = 2500;
/** A window may be so much longer than what was seen of it. */
const LONGER = 1.5;
/** Refusals of one call by another limit than the one that is spent. */
const MAX_OTHER_REFUSALS = 4;
/** Rounds of an operation that was accepted when none was left. */
const ROUNDS = 3;

interface Means {
  /** Which of several limits is to be spent: refusals by another one are waited out. */
  readonly policy: string | null;
  /** One operation of each service and method beside those that are called. */
  readonly others: readonly Reached[];
  /** The window where no reset tells it. ms. */
  readonly windowMs?: number | undefined;
  /** Calls beyond the limit that show whether it is kept. Absent: half as many as it has, and twenty. */
  readonly beyond?: number | undefined;
  /** Sends so many calls of the first operation, fewer once they are refused. Absent: one by one, by a few workers. */
  readonly flood?: (calls: number) => Promise<readonly RateReading[]>;
}

/** A key, and with what it is drained. */
export interface DrainTools extends AskedKey {
  readonly means: Means;
}

/** Asks once, and adds the answer; again where another limit refuses, and calls come back of that. */
async function take({ call, clock, timing, means }: DrainTools, readings: RateReading[]): Promise<void> {
  for (let refusals = 0; ; refusals += 1) {
    const reading = await call();
    const isOther = reading?.isRefused === true && reading.policy !== means.policy;
    const backMs = isOther ? (clock.resetOf(reading)?.latest ?? Number.POSITIVE_INFINITY) - timing.now() : 0;
    const waitMs = Math.min(backMs, reading?.retryAfterMs ?? LONGEST_WAIT_MS);
    if (isOther && refusals < MAX_OTHER_REFUSALS && waitMs < LONGEST_WAIT_MS) {
      await timing.sleep(waitMs);
      continue;
    }
    if (reading !== null) readings.push(reading);
    return;
  }
}

/**
 * Drains a window, a fresh one best. `stated`: an accepted answer before, which counts where its window goes on. `isBrisk`: as
 * quickly as can be, a window that is as full as it ever was: none of the calls before counts any more.
 */
export async function drain(
  tools: DrainTools,
  series: KeyHistory,
  stated: RateReading,
  limit: number,
  isBrisk = false,
): Promise<Drained> {
  const { key, timing, clock } = tools;
  const { workers, pauseShare } = isBrisk ? BRISK : { workers: WORKERS, pauseShare: 0.25 };
  const { beyond = Math.ceil(limit * OVERSHOOT) + OVERSHOOT_CALLS, windowMs: toldMs } = tools.means;
  const [beganMs, { answered }] = [timing.now(), series];
  const before = clock.resetOf(stated);
  const readings: RateReading[] = before !== null && before.latest <= timing.now() ? [] : [stated];
  for (let call = 0; call < ALONE; call += 1) await take(tools, readings);
  const [first] = readings;
  const reset = first === undefined ? null : clock.resetOf(first);
  const leftMs = reset === null ? 0 : Math.max(0, reset.earliest - timing.now());
  await timing.sleep(leftMs > 2 * APART_MS && !isBrisk ? APART_MS : leftMs * pauseShare);
  await take(tools, readings);
  const alone = readings.length;
  await pour(tools, readings, limit + beyond, workers);
  // The calls of the drain itself tell of its window as well, and so which of those before it may still count.
  const facts = series.drainFacts(toldMs);
  const sinceMs = Math.min(beganMs - LONGER * facts.windowMs, stated.sentAt);
  const callsBefore = isBrisk ? 0 : answered.filter((at) => at >= sinceMs).length;
  return drainedOf({
    key,
    limit,
    answers: tools.answers,
    readings,
    alone,
    callsBefore,
    callsEver: answered.length,
    ...facts,
  });
}

/** Calls at once until a 429, or so many; then one after the other. */
export async function pour(
  tools: DrainTools,
  readings: RateReading[],
  mostCalls: number,
  workers = WORKERS,
): Promise<void> {
  const { timing } = tools;
  const from = readings.length;
  const until = timing.now() + LONGEST_DRAIN_MS;
  let sent = from;
  const isEnded = () => readings.slice(from).some(({ isRefused, status }) => isRefused || status === 401);
  const worker = async (): Promise<void> => {
    while (sent < mostCalls && timing.now() <= until && !isEnded()) {
      sent += 1;
      await take(tools, readings);
    }
  };
  const { flood } = tools.means;
  if (flood === undefined) await Promise.all(Array.from({ length: workers }, worker));
  else {
    const flooded = await flood(mostCalls - from);
    tools.answers.push(...flooded);
    readings.push(...flooded);
  }
  for (let call = 0; isEnded() && call < MAX_ALONE && (call === 0 || readings.at(-1)?.isRefused !== true); call += 1)
    await take(tools, readings);
}

/** Waits for the next window where the present one ends soon, or would end during the drain. `stated`: an accepted answer, just now. */
export async function untilFresh(
  { clock, timing, means }: DrainTools,
  stated: RateReading,
  limit: number,
  isSpent = false,
): Promise<void> {
  const reset = clock.resetOf(stated);
  if (reset === null) return isSpent ? timing.sleep((means.windowMs ?? 0) + SLACK_MS) : undefined;
  const needMs = ((stated.answeredAt - stated.sentAt) * limit * 2) / WORKERS + SLACK_MS + APART_MS;
  const leftMs = reset.latest - timing.now();
  const isUsed = (stated.remaining ?? 0) < limit - 1;
  const isNear = leftMs <= SOON_MS || (leftMs <= 2 * SOON_MS && (isUsed || leftMs < needMs));
  if (leftMs > 0 && isNear) await timing.sleep(leftMs);
}

/**
 * Calls of other operations while the key has none left, each between two calls of the drained one. The operations take their
 * turns side by side, so that something of the window is left for what follows where answers take their time.
 */
export async function tryElsewhere(tools: DrainTools, drained: Drained): Promise<readonly Elsewhere[]> {
  const refused = drained.refusals.at(-1);
  if (drained.mayRefill || refused === undefined || (refused.remaining ?? 0) >= 1) return [];
  return (await Promise.all(tools.means.others.map((operation) => tryOn(tools, operation)))).flat();
}

async function tryOn(tools: DrainTools, operation: Reached): Promise<readonly Elsewhere[]> {
  const tried: Elsewhere[] = [];
  let isAccepted = true;
  for (let round = 0; round < ROUNDS && isAccepted; round += 1) {
    const before = await tools.call();
    const other = await tools.callOn(operation);
    const after = await tools.call();
    if (before === null || other === null || after === null) break;
    tried.push({ before, other, after });
    isAccepted = !other.isRefused;
  }
  return tried;
}
