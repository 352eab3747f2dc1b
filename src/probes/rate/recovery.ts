// How a drained limit comes back: at the stated reset, after the wait that a refusal asks for, and how fast where it comes
// back bit by bit: a look soon after the first accepted call, and a refill measured.

import type { Watch } from '../../checks/rate/rate-10-ceiling.ts';
import { algorithmOf, explanationsOf, whenToldApart } from '../../limiters/algorithm.ts';
import type { Drained, Elsewhere, Refill } from '../../limiters/drained-window.ts';
import { algorithmIn } from '../../limiters/models.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import { LONGEST_WAIT_MS, SLACK_MS, TIMER_MS } from './asking.ts';
import { type DrainTools, pour } from './drain.ts';

const TRIES = 8;
/** The last try comes this long before the reset. ms. */
const JUST_BEFORE_MS = 120;
const MAX_WAITS = 2;
/** After so many resets that brought nothing, nothing will. */
const MAX_RESETS = 2;
/** Looks that tell models apart, and the longest time to one. ms. */
const MAX_LOOKS = 3;
const MAX_LOOK_AFTER_MS = 12_000;
/** Refills are measured while this share of the limit comes back, within these bounds. ms. */
const MEASURED_SHARE_OF_LIMIT = 0.4;
const MIN_MEASURE_MS = 500;
const MAX_MEASURE_MS = 25_000;
/** A bucket is not waited for longer until it is full, nor looked at for longer then: one of a minute at a third of its rate. ms. */
const MAX_FILL_MS = 180_000;
const MAX_WATCH_MS = 120_000;
/** More than a full bucket, and what it regains meanwhile. */
const MAX_MEASURING_CALLS_BY_LIMIT = 2;

/** Tries until the reset, where the refusal left calls over; waits as told; and watches the limit come back. */
export async function recover(tools: DrainTools, drained: Drained, elsewhere: readonly Elsewhere[]): Promise<Drained> {
  // Nothing else is under way any more.
  const lone = elsewhere.length === 0 ? null : await tools.call();
  const refused = lone?.isRefused === true ? lone : drained.refusals.at(-1);
  const nothing = { ...drained, elsewhere };
  if (refused === undefined) return nothing;
  const hasLeft = (refused.remaining ?? 0) >= drained.dearest && drained.isMeasure;
  const tries = hasLeft ? await tryUntilReset(tools, refused) : [];
  const back = await comeBack(tools, drained, refused, hasLeft);
  const trace = await explained(tools, { ...nothing, tries, back });
  const [best, ...others] = trace.explanations;
  if (best?.kind !== 'token-bucket' || others.some(({ kind }) => algorithmIn([kind]) === 'fixed-window')) return trace;
  const refill = await measure(tools, trace);
  return { ...trace, refill, explanations: others.length === 0 ? trace.explanations : explanationsOf(trace) };
}

/** With the models that explain how it came back. Where several do, it is looked again when they differ. */
async function explained(tools: DrainTools, drained: Drained): Promise<Drained> {
  let trace: Drained = { ...drained, explanations: explanationsOf(drained) };
  for (let look = 0; look < MAX_LOOKS && trace.back?.isRefused === false; look += 1) {
    const isOpen = trace.explanations.length > 0 && algorithmOf(trace) === 'unknown';
    // Where nothing explains it, or a short window begins below its limit, it tells something that nothing more comes back.
    const isVague = look === 0 && (trace.explanations.length === 0 || trace.mayRefill);
    const toldMs = isOpen ? whenToldApart(trace, tools.timing.now(), MAX_LOOK_AFTER_MS) : null;
    if (toldMs === null && !isVague) break;
    await tools.timing.sleep(toldMs ?? SLACK_MS / 2);
    const seen = await tools.call();
    if (seen === null) break;
    trace = { ...trace, looks: [...trace.looks, seen] };
    trace = { ...trace, explanations: explanationsOf(trace) };
  }
  return trace;
}

/** The first accepted answer, else the last refusal; null where nothing is near enough to wait for. The reset comes first where it is stated to come before the wait is over. */
async function comeBack(
  tools: DrainTools,
  drained: Drained,
  refused: RateReading,
  hasLeft: boolean,
): Promise<RateReading | null> {
  const reset = tools.clock.resetOf(refused);
  const told = refused.answeredAt + (refused.retryAfterMs ?? Number.POSITIVE_INFINITY);
  const isResetFirst = hasLeft || (reset !== null && reset.latest + SLACK_MS < told);
  const early = isResetFirst ? await afterResets(tools, refused) : null;
  if (early?.isRefused === false || hasLeft) return early;
  const waited = await waitAsTold(tools, early ?? refused, drained);
  if (waited?.isRefused === false || isResetFirst) return waited ?? early;
  return (await afterResets(tools, waited ?? refused)) ?? waited;
}

/** On one operation and another in turn, spread over the time to the reset; ends with the first that is accepted. */
async function tryUntilReset(tools: DrainTools, refused: RateReading) {
  const { timing, clock } = tools;
  const tries: RateReading[] = [];
  const reset = clock.resetOf(refused);
  const fromMs = timing.now();
  if (reset === null || reset.earliest - fromMs > LONGEST_WAIT_MS) return tries;
  const spanMs = Math.max(0, (reset.earliest + reset.latest) / 2 - JUST_BEFORE_MS - fromMs);
  for (let turn = 0; turn <= TRIES && tries.every(({ isRefused }) => isRefused); turn += 1) {
    await tools.until(fromMs + (spanMs * turn) / TRIES);
    const reading = await tools.call(turn);
    if (reading !== null) tries.push(reading);
  }
  return tries;
}

/**
 * Another client may take the very call that came back: a second wait is tried, but where the first ended before the stated
 * reset and so contradicts it.
 */
async function waitAsTold(tools: DrainTools, asked: RateReading, drained: Drained): Promise<RateReading | null> {
  let last: RateReading | null = null;
  for (let round = 0; round < MAX_WAITS; round += 1) {
    const refused: RateReading = last ?? asked;
    const toldMs = refused.retryAfterMs;
    if (toldMs === null || toldMs > LONGEST_WAIT_MS) return last;
    const until = refused.answeredAt + toldMs;
    const reset = tools.clock.resetOf(refused);
    for (const untilMs of [until, until + SLACK_MS]) {
      await tools.until(untilMs);
      last = (await tools.call()) ?? last;
      if (last?.isRefused !== true) return last;
    }
    const isContrary = reset !== null && (last?.sentAt ?? 0) < (reset.earliest + reset.latest) / 2;
    if (isContrary && !drained.mayRefill && !drained.isShared) return last;
  }
  return last;
}

/** Tries after one stated reset and the next, until one is accepted; null when none is known or near enough. */
async function afterResets(tools: DrainTools, refused: RateReading): Promise<RateReading | null> {
  const { timing, clock } = tools;
  let last: RateReading | null = null;
  for (let turn = 0; turn < MAX_RESETS && last?.isRefused !== false; turn += 1) {
    const untilMs = clock.resetOf(last ?? refused)?.latest ?? Number.POSITIVE_INFINITY;
    const leftMs = untilMs - timing.now();
    if (leftMs > LONGEST_WAIT_MS || (last !== null && leftMs <= 0)) break;
    await tools.until(untilMs + TIMER_MS);
    const reading = await tools.call();
    if (reading === null) break;
    last = reading;
  }
  return last;
}

/**
 * Measures what comes back in a part of the window: spent to the last call, a pause, and spent again. Null where it cannot be spent.
 */
export async function measure(tools: DrainTools, trace: Drained): Promise<Refill | null> {
  const { limit } = trace;
  const perMs = limit / (trace.explanations[0]?.windowMs ?? MAX_FILL_MS);
  const pauseMs = Math.min(Math.max((limit * MEASURED_SHARE_OF_LIMIT) / perMs, MIN_MEASURE_MS), MAX_MEASURE_MS);
  const mostCalls = Math.ceil(limit * MAX_MEASURING_CALLS_BY_LIMIT);
  const spent = await spend(tools, trace, mostCalls);
  if (spent === null) return null;
  await tools.timing.sleep(pauseMs);
  const again = await spend(tools, trace, mostCalls);
  return again && { from: spent.refused, successes: again.successes, to: again.refused };
}

/** Looks at the bucket when it is full, as often and as far apart as it takes; nothing where that takes too long. */
export async function lookAtFull(
  tools: DrainTools,
  { looks, apartMs, waitMs }: Watch,
): Promise<readonly RateReading[]> {
  const { timing } = tools;
  if (looks * apartMs > MAX_WATCH_MS || waitMs > MAX_FILL_MS) return [];
  await timing.sleep(waitMs);
  const seen: RateReading[] = [];
  for (let look = 0; look < looks; look += 1) {
    const reading = await tools.call();
    if (reading !== null && isSuccessful(reading)) seen.push(reading);
    // Not in step with what others may do at regular times.
    await timing.sleep(apartMs * (1 + ((look * 7) % 11) / 11));
  }
  return seen;
}

/** Calls until less than one is left; null where that does not come about. */
async function spend(tools: DrainTools, trace: Drained, mostCalls: number) {
  const readings: RateReading[] = [];
  await pour(tools, readings, mostCalls);
  const refused = readings.at(-1);
  if (refused?.isRefused !== true || (refused.remaining ?? 0) >= trace.dearest) return null;
  return { refused, successes: readings.filter(isSuccessful).length };
}
