// Drains one window of a key that ordinary calls do not use, and watches: how many calls are admitted, what the refusals say,
// whether the wait they ask for suffices, whether other keys notice, and how the limit comes back.
import {
  type Drained,
  type DrainTrace,
  dearestOf,
  refusalsOf,
  windowAtLeastMs,
} from '../../checks/rate/drain-model.ts';
import type { TargetClock } from '../../checks/rate/moments.ts';
import type { RateReading } from '../../checks/rate/reading.ts';
import type { Reached } from '../world.ts';
import { type Ask, LONGEST_WAIT_MS, type Timing } from './asking.ts';

const WORKERS = 8;
/** Calls one after the other at the start: they show what a call costs. */
const ALONE = 4;
/** Calls one after the other at the end, until one is refused. */
const MOST_ALONE = 8;
const LONGEST_DRAIN_MS = 45_000;
/** Beyond what the limit allows, to see whether it is kept. */
const OVERSHOOT = 1.5;
const OVERSHOOT_CALLS = 20;
const SLACK_MS = 1000;
const TRIES = 8;
/** The last try comes this long before the reset. ms. */
const JUST_BEFORE_MS = 120;

/** With what a key is drained. */
export interface DrainTools {
  readonly ask: Ask;
  readonly timing: Timing;
  readonly clock: TargetClock;
  readonly key: string;
  /** The operation that is called; further ones show whether a refusal is for all. */
  readonly operations: readonly [Reached, ...Reached[]];
}

/** Drains from a fresh window where one is near. `first` is an accepted answer that states the limit. */
export async function drain(tools: DrainTools, first: RateReading, limit: number): Promise<Drained> {
  const { ask, key, operations, timing, clock } = tools;
  const [cheap] = operations;
  const readings: RateReading[] = [];
  const take = async (): Promise<void> => {
    const reading = await ask(key, cheap);
    if (reading !== null) readings.push(reading);
  };
  await untilFresh(tools, first, limit);
  for (let call = 0; call < ALONE; call += 1) await take();
  const alone = readings.length;
  const mostCalls = Math.ceil(limit * OVERSHOOT) + OVERSHOOT_CALLS;
  const until = timing.now() + LONGEST_DRAIN_MS;
  let sent = ALONE;
  const isDone = () =>
    sent >= mostCalls || timing.now() > until || readings.some(({ status }) => status === 429 || status === 401);
  const worker = async (): Promise<void> => {
    while (!isDone()) {
      sent += 1;
      await take();
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  // A refusal with nothing else under way: what it says of waiting is not overtaken by another call.
  const wasRefused = readings.some(({ status }) => status === 429);
  for (let call = 0; wasRefused && call < MOST_ALONE && (call === 0 || readings.at(-1)?.status !== 429); call += 1)
    await take();
  return { key, limit, clock, readings, alone };
}

/** Waits for the next window where the present one would end during the drain. */
async function untilFresh({ clock, timing }: DrainTools, first: RateReading, limit: number): Promise<void> {
  const reset = clock.resetOf(first);
  if (reset === null) return;
  const needMs = ((first.answeredAt - first.sentAt) * limit * 2) / WORKERS + SLACK_MS;
  const leftMs = reset.latest - timing.now();
  if (leftMs > 0 && reset.earliest - timing.now() < needMs && leftMs <= LONGEST_WAIT_MS) await timing.sleep(leftMs);
}

/** Tries until the reset, where the refusal left calls over; waits as told; and watches the limit come back. */
export async function recover(tools: DrainTools, drained: Drained): Promise<DrainTrace> {
  const refused = refusalsOf(drained).at(-1);
  if (refused === undefined) return { ...drained, tries: [], waited: [], back: null, later: null };
  const hasLeft = (refused.remaining ?? 0) >= dearestOf(drained);
  const tries = hasLeft ? await tryUntilReset(tools, refused) : [];
  const waited = hasLeft || drained.readings.at(-1) !== refused ? [] : await waitAsTold(tools, refused);
  const accepted = waited.at(-1);
  const back = accepted !== undefined && accepted.status !== 429 ? accepted : await afterReset(tools, refused, drained);
  return {
    ...drained,
    tries,
    waited,
    back,
    later: back === null ? null : await someTimeAfter(tools, drained.readings, refused),
  };
}

/** On one operation and another in turn, spread over the time to the reset; ends with the first that is accepted. */
async function tryUntilReset({ ask, key, operations, timing, clock }: DrainTools, refused: RateReading) {
  const tries: RateReading[] = [];
  const reset = clock.resetOf(refused);
  const fromMs = timing.now();
  if (reset === null || reset.earliest - fromMs > LONGEST_WAIT_MS) return tries;
  const spanMs = Math.max(0, (reset.earliest + reset.latest) / 2 - JUST_BEFORE_MS - fromMs);
  for (let turn = 0; turn <= TRIES && tries.every(({ status }) => status === 429); turn += 1) {
    await timing.sleep(Math.max(0, fromMs + (spanMs * turn) / TRIES - timing.now()));
    const reading = await ask(key, operations[turn % operations.length] ?? operations[0]);
    if (reading !== null) tries.push(reading);
  }
  return tries;
}

async function waitAsTold({ ask, key, operations, timing }: DrainTools, refused: RateReading) {
  const waited: RateReading[] = [];
  const toldMs = refused.retryAfterMs;
  if (toldMs === null || toldMs > LONGEST_WAIT_MS) return waited;
  for (const untilMs of [refused.answeredAt + toldMs, refused.answeredAt + toldMs + SLACK_MS]) {
    await timing.sleep(Math.max(0, untilMs - timing.now()));
    const reading = await ask(key, operations[0]);
    if (reading !== null) waited.push(reading);
    if (reading?.status !== 429) break;
  }
  return waited;
}

/**
 * The answer after the stated reset; null when that is not known or too far off. A second try follows a refusal: two calls'
 * share of the window later, as a sliding counter gives its calls back one by one, or as the refusal says.
 */
async function afterReset(
  { ask, key, operations, timing, clock }: DrainTools,
  refused: RateReading,
  drained: Drained,
): Promise<RateReading | null> {
  const reset = clock.resetOf(refused);
  if (reset === null || reset.latest - timing.now() > LONGEST_WAIT_MS) return null;
  await timing.sleep(Math.max(0, reset.latest - timing.now()));
  const reading = await ask(key, operations[0]);
  if (reading?.status !== 429) return reading;
  const shareMs = (2 * dearestOf(drained) * windowAtLeastMs(drained)) / drained.limit;
  const waitMs = SLACK_MS + Math.max(SLACK_MS, shareMs, reading.retryAfterMs ?? 0);
  await timing.sleep(Math.min(waitMs, LONGEST_WAIT_MS));
  return ask(key, operations[0]);
}

/** As long after as the drain took and a little more: by then a sliding log has let all go, a bucket has not. */
async function someTimeAfter(
  { ask, key, operations, timing, clock }: DrainTools,
  readings: readonly RateReading[],
  refused: RateReading,
) {
  const tookMs = Math.min(5000, refused.answeredAt - (readings[0]?.sentAt ?? refused.sentAt));
  const reset = clock.resetOf(refused);
  const toResetMs = reset === null ? 0 : Math.min(5000, Math.max(0, reset.latest - timing.now()));
  await timing.sleep(Math.max(tookMs + SLACK_MS / 2, toResetMs));
  return ask(key, operations[0]);
}
