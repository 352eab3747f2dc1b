// Requests that arrive by the clock, whatever became of those before (an open model): what capacity is measured with. Run
// by k6 itself; its plan is src/load/k6/arrivals-plan.ts, its samples are src/load/samples/line.ts: histograms per VU, flushed
// each second. A line a request would cost the generator what it is to measure, and so does whatever is done between two
// requests: an arrival notes five numbers, and the second counts them. Several instances may share one plan, each with its
// execution segment of it: turns, VUs and the times at which arrivals are due are those of the whole.
import { sleep } from 'k6';
import exec from 'k6/execution';
import http, { type RefinedResponse, type ResponseType } from 'k6/http';
import type { Options } from 'k6/options';
import { type Leg, type LegPart, SLEEPERS, scenarioOf } from '../../src/load/k6/arrivals-plan.ts';
import { longestAnswerSeconds } from '../../src/load/k6/requests-plan.ts';
import { newTraceparent } from '../../src/load/k6/traceparent.ts';
import { count, countedStatus, emptySample } from '../../src/load/samples/counting.ts';
import { lineOf } from '../../src/load/samples/line.ts';
import { concealer, indexOf, type Prepared, plan, prepare, prepared, tagged } from './mix.ts';
import { keep, tlsAuth, wallAheadMs } from './sending.ts';

const isWatched = plan.run === undefined;
/** Answers from which a VU tells that the target broke down: nobody watches an instance of several. */
const TELLING = 50;
const FLUSH_MS = 1000;
/** Sleeps that are told together. */
const [SLEEPS, SLEEP_MS] = [10, 20];
/** So many arrivals tell how late all are. */
const LATE_EVERY = 4;
/** Noted of each arrival. */
const NUMBERS = 5;
/** More than a flush can hold of each, so that one number names what is counted together. */
const [SECONDS, PARTS, KINDS] = [1000, 1000, 10_000];

export const options: Options = {
  scenarios: Object.fromEntries<NonNullable<Options['scenarios']>[string]>([
    [SLEEPERS, sleepers()],
    ...plan.legs.map((leg, at): [string, NonNullable<Options['scenarios']>[string]] => [
      scenarioOf(at),
      {
        executor: 'constant-arrival-rate' as const,
        startTime: `${plan.legs.slice(0, at).reduce((sum, { seconds }) => sum + seconds, 0)}s`,
        rate: leg.perTenSeconds,
        timeUnit: '10s',
        duration: `${leg.seconds}s`,
        preAllocatedVUs: leg.vus,
        maxVUs: leg.vus,
        gracefulStop: `${longestAnswerSeconds(plan) + 1}s`,
      },
    ]),
  ]),
  discardResponseBodies: true,
  maxRedirects: 0,
  tlsAuth,
  userAgent: 'assay (k6)',
  systemTags: tagged ? ['status', 'method', 'name', 'scenario'] : [],
};

// Which answers are failures is judged by Node: k6 need not count them.
http.setResponseCallback(null as unknown as ReturnType<typeof http.expectedStatuses>);

/** What arrived since the last flush, five numbers each: turn, index of what was sent, when, status or less k6's error_code, ms. */
let noted: number[] = [];
/** The leg that the VU is in. */
let leg = plan.legs[0] as Leg;
let legBeganMs = -1;
/** The first turn of each part of the leg but its first. */
let borders: readonly number[] = [];
/** Asked for once: the module makes it anew each time. */
let scenario: typeof exec.scenario | null = null;
/** From then on, from the leg's begin, what is noted is flushed at once. */
let lastMs = 0;
let vu = 0;
let started = 0;
let failed = 0;
let flushedMs = 0;

/** Once in each instance, as `teardown` is: its samples say whose they are, and that they are whole. */
export function setup(): void {
  tell('begin');
}

export function teardown(): void {
  tell('end');
}

function tell(event: 'begin' | 'end' | 'broken'): void {
  const segment = exec.test.options.executionSegment ?? '0:1';
  console.log(lineOf({ kind: 'mark', step: plan.step, event, atMs: epochMs(), run: plan.run ?? '', segment }));
}

/** Epoch ms, by the clock of the run that started k6. */
function epochMs(): number {
  return Date.now() - wallAheadMs;
}

function sleepers() {
  const seconds = plan.legs.reduce((sum, { seconds: one }) => sum + one, 0);
  const vus = plan.sleepers ?? 1;
  return { executor: 'constant-vus' as const, exec: 'oversleep', vus, duration: `${seconds}s`, gracefulStop: '0s' };
}

/** Sleeps a few times, and tells how late it woke: no target can be why. */
export function oversleep(): void {
  const step = stepAt(exec.instance.currentTestRunDuration);
  const wakes = new Map<number, number>();
  for (let turn = 0; turn < SLEEPS; turn += 1) {
    const beganMs = Date.now();
    sleep(SLEEP_MS / 1000);
    count(wakes, Math.max(0, Date.now() - beganMs - SLEEP_MS));
  }
  console.log(lineOf({ kind: 'wakes', step, buckets: wakes }));
}

/** The step that is due at this time of the test. ms. */
function stepAt(testMs: number): string {
  let beganMs = 0;
  for (const { seconds, parts } of plan.legs) {
    const part = parts.find(({ untilMs }) => testMs < beganMs + untilMs);
    if (part !== undefined) return part.step;
    beganMs += seconds * 1000;
  }
  return plan.step;
}

/** One arrival. */
export default function arrive(): void {
  const now = scenario === null || plan.legs.length > 1 ? enterLeg() : scenario;
  const turn = now.iterationInTest;
  const startMs = epochMs();
  started += 1;
  const index = indexOf(turn);
  const { method, url, body, params, traced } = prepared[index] ?? prepare(turn);
  if (traced !== null) traced.traceparent = newTraceparent();
  const isKept = isTurnToKeep(turn, leg.bodyEvery);
  const answer = http.request(method, url, body, isKept ? { ...params, responseType: 'text' } : params);
  const status = countedStatus(answer.status, plan.refusedStatus);
  const durationMs = status === 0 ? epochMs() - startMs : answer.timings.duration;
  noted.push(turn, index, startMs, status === 0 ? -answer.error_code : status, durationMs);
  if (status === 0 || status >= 500) failed += 1;
  if (isKept) keepAnswer(turn, index, startMs, answer);
  const endMs = startMs + durationMs;
  if (endMs - flushedMs >= FLUSH_MS || endMs - legBeganMs >= lastMs) flush(endMs);
  if (!isWatched && started >= TELLING && failed > started / 2) breakOff();
}

/** The scenario of the leg that runs; what was noted in another is flushed before. */
function enterLeg(): typeof exec.scenario {
  scenario ??= exec.scenario;
  const { startTime } = scenario;
  if (startTime - wallAheadMs === legBeganMs) return scenario;
  if (noted.length > 0) flush(flushedMs);
  const { name } = scenario;
  leg = plan.legs.find((_, at) => scenarioOf(at) === name) ?? leg;
  legBeganMs = startTime - wallAheadMs;
  borders = leg.parts.slice(0, -1).map(borderAfter);
  lastMs = lastRoundsMs(leg);
  vu = exec.vu.idInTest;
  flushedMs = epochMs();
  return scenario;
}

function breakOff(): void {
  flush(epochMs());
  tell('broken');
  exec.test.abort("the target's errors ended the instance");
}

/** One turn of so many, each time the next one of them: else operations that come round as often would all or never be kept. */
function isTurnToKeep(turn: number, every: number): boolean {
  const round = Math.floor(turn / every);
  return turn - round * every === round % every;
}

function keepAnswer(turn: number, index: number, startMs: number, answer: RefinedResponse<ResponseType>): void {
  const { request, key, traced } = prepared[index] as Prepared;
  const traceparent = traced?.traceparent;
  if (answer.status !== 0) keep(request, answer, { step: stepOf(partOf(turn)), key, startMs, concealer, traceparent });
}

/** Which part of the leg the turn is due in. */
function partOf(turn: number): number {
  let part = 0;
  while (part < borders.length && turn >= (borders[part] as number)) part += 1;
  return part;
}

/** The first turn that is due when the part is over. */
function borderAfter({ untilMs }: LegPart): number {
  return Math.ceil((untilMs * leg.perTenSeconds) / 10_000);
}

function stepOf(part: number): string {
  return leg.parts[part]?.step ?? plan.step;
}

/**
 * VUs take turns: within two rounds each comes once more, and what it holds must be out by then. Told by the clock, since
 * dropped arrivals take no turn, and an instance has its share of both arrivals and VUs.
 */
function lastRoundsMs({ perTenSeconds, seconds, vus }: Leg): number {
  return seconds * 1000 - (2 * vus * 10_000) / perTenSeconds - FLUSH_MS;
}

/** Counts what was noted and writes it, all lines by one call: calls are what costs, and so do strings. */
function flush(nowMs: number): void {
  const late = new Map<number, Map<number, number>>();
  const held = new Map<number, ReturnType<typeof emptySample>>();
  for (let at = 0; at < noted.length; at += NUMBERS) {
    const turn = noted[at] as number;
    const index = noted[at + 1] as number;
    const startMs = noted[at + 2] as number;
    const kind = noted[at + 3] as number;
    const part = borders.length === 0 ? 0 : partOf(turn);
    if (turn % LATE_EVERY === 0) {
      const lateness = late.get(part) ?? new Map<number, number>();
      late.set(part, lateness);
      const dueMs = (turn * 10_000) / leg.perTenSeconds;
      count(lateness, Math.max(0, startMs - legBeganMs - dueMs));
    }
    const second = Math.floor(startMs / 1000);
    const name = ((index * SECONDS + (second % SECONDS)) * PARTS + part) * KINDS + kind;
    let sample = held.get(name);
    if (sample === undefined) {
      const { request, key } = prepared[index] as Prepared;
      sample = emptySample(stepOf(part), { operation: request.operation, key }, second, kind);
      held.set(name, sample);
    }
    count(sample.buckets, noted[at + 4] as number);
  }
  noted = [];
  flushedMs = nowMs;
  const lines: string[] = [];
  held.forEach((sample) => {
    lines.push(lineOf(sample));
  });
  late.forEach((buckets, part) => {
    lines.push(lineOf({ kind: 'lateness', step: stepOf(part), buckets }));
  });
  const begun = (scenario?.iterationInInstance ?? 0) + 1;
  lines.push(lineOf({ kind: 'started', step: plan.step, vu, started, begun }));
  console.log(lines.join('\n'));
}
