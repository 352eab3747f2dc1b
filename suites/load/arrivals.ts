// Requests that arrive by the clock, whatever became of those before (an open model): what capacity is measured with. Run
// by k6 itself; its plan is src/load/k6/arrivals-plan.ts, its samples are src/load/samples/line.ts: histograms per VU, flushed
// each second, since a line a request would cost the generator what it is to measure. Several instances may share one plan,
// each with its execution segment of it: turns, VUs and the times at which arrivals are due are those of the whole.

import exec from 'k6/execution';
import http from 'k6/http';
import type { Options } from 'k6/options';
import { type ArrivalsPlan, type Leg, scenarioOf } from '../../src/load/k6/arrivals-plan.ts';
import { type ScriptedKey, type ScriptedRequest, SECRET } from '../../src/load/k6/requests-plan.ts';
import { bucketOf, lineOf } from '../../src/load/samples/line.ts';
import { keep, withSecret } from './sending.ts';

// An archive carries no environment: its plan is beside the script.
const plan: ArrivalsPlan = JSON.parse(open(__ENV.ASSAY_PLAN ?? './plan.json'));
/** Legs by the scenarios that run them. */
const legs = new Map(plan.legs.map((leg, at) => [scenarioOf(at), leg]));
/** Answers from which a VU tells that the target broke down: nobody watches an instance of several. */
const TELLING = 50;

export const options: Options = {
  scenarios: Object.fromEntries(
    plan.legs.map((leg, at) => [
      scenarioOf(at),
      {
        executor: 'constant-arrival-rate' as const,
        startTime: `${plan.legs.slice(0, at).reduce((sum, { seconds }) => sum + seconds, 0)}s`,
        rate: leg.perTenSeconds,
        timeUnit: '10s',
        duration: `${leg.seconds}s`,
        preAllocatedVUs: leg.vus,
        maxVUs: leg.vus,
        gracefulStop: `${plan.answerLimitSeconds + 1}s`,
      },
    ]),
  ),
  discardResponseBodies: true,
  maxRedirects: 0,
  userAgent: 'assay (k6)',
  systemTags: ['status', 'method', 'name', 'scenario'],
};

/** What was begun in this second: step, key, operation, status and error → bucket → requests. */
const counts = new Map<string, Map<number, number>>();
/** How late arrivals were sent: step → bucket → requests. */
const late = new Map<string, Map<number, number>>();
let started = 0;
let failed = 0;
let second = 0;

/** Once in each instance, as `teardown` is: its samples say whose they are, and that they are whole. */
export function setup(): void {
  tell('begin');
}

export function teardown(): void {
  tell('end');
}

function tell(event: 'begin' | 'end' | 'broken'): void {
  const segment = exec.test.options.executionSegment ?? '0:1';
  console.log(lineOf({ kind: 'mark', step: plan.step, event, atMs: Date.now(), run: plan.run ?? '', segment }));
}

/** One arrival. */
export default function arrive(): void {
  const leg = legs.get(exec.scenario.name) as Leg;
  const ratePerMs = leg.perTenSeconds / 10_000;
  const turn = exec.scenario.iterationInTest;
  const dueMs = turn / ratePerMs;
  const startMs = Date.now();
  const step = stepAt(leg, dueMs);
  const now = Math.floor(startMs / 1000);
  if (now !== second && started > 0) flush();
  second = now;
  started += 1;
  try {
    send(leg, turn, step, startMs);
  } finally {
    count(late, step, Math.max(0, startMs - exec.scenario.startTime - dueMs));
    if (Date.now() - exec.scenario.startTime >= lastRoundsMs(leg)) flush();
  }
  if (plan.run !== undefined && started >= TELLING && failed > started / 2) {
    flush();
    tell('broken');
    exec.test.abort("the target's errors ended the instance");
  }
}

function stepAt({ parts }: Leg, dueMs: number): string {
  const part = parts.find(({ untilMs }) => dueMs < untilMs) ?? parts[parts.length - 1];
  return part === undefined ? plan.step : part.step;
}

/**
 * VUs take turns: within two rounds each comes once more, and what it holds must be out by then. Told by the clock, since
 * dropped arrivals take no turn, and an instance has its share of both arrivals and VUs.
 */
function lastRoundsMs({ perTenSeconds, seconds, vus }: Leg): number {
  return seconds * 1000 - (2 * vus * 10_000) / perTenSeconds - 1000;
}

function send(leg: Leg, turn: number, step: string, startMs: number): void {
  const request = plan.requests[plan.order[turn % plan.order.length] ?? 0] as ScriptedRequest;
  const key = senderOf(request, turn);
  const secret = __ENV[key.variable] ?? '';
  const isKept = isTurnToKeep(turn, leg.bodyEvery);
  const answer = http.request(request.method, request.url.replace(SECRET, secret), request.body, {
    headers: withSecret(request.headers, secret),
    timeout: `${plan.answerLimitSeconds}s`,
    tags: { name: request.operation },
    responseType: isKept ? 'text' : 'none',
  });
  if (answer.status === 0 || answer.status >= 500) failed += 1;
  const error = answer.status === 0 ? answer.error_code : '';
  const name = `${step}\t${key.name}\t${request.operation}\t${answer.status}\t${error}`;
  count(counts, name, answer.status === 0 ? Date.now() - startMs : answer.timings.duration);
  if (isKept && answer.status !== 0) keep(request, answer, { step, key: key.name, startMs });
}

/** The keys that may send the request take turns. */
function senderOf({ keys }: ScriptedRequest, turn: number): ScriptedKey {
  const at = keys === undefined ? turn % Math.max(1, plan.keys.length) : keys[turn % keys.length];
  return plan.keys[at ?? 0] ?? { name: '', variable: '' };
}

/** One turn of so many, each time the next one of them: else operations that come round as often would all or never be kept. */
function isTurnToKeep(turn: number, every: number): boolean {
  const round = Math.floor(turn / every);
  return turn - round * every === round % every;
}

function count(into: Map<string, Map<number, number>>, name: string, durationMs: number): void {
  let buckets = into.get(name);
  if (buckets === undefined) {
    buckets = new Map();
    into.set(name, buckets);
  }
  const bucket = bucketOf(durationMs);
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
}

/** All lines by one call: calls are what costs. */
function flush(): void {
  const lines: string[] = [];
  for (const [name, buckets] of counts) {
    const [step = '', key = '', operation = '', status = '', error = ''] = name.split('\t');
    const shared = { step, key, operation, status: Number(status), second };
    const failed = error === '' ? {} : { errorCode: Number(error) };
    lines.push(lineOf({ kind: 'histogram', ...shared, buckets, ...failed }));
  }
  for (const [step, buckets] of late) lines.push(lineOf({ kind: 'lateness', step, buckets }));
  const begun = exec.scenario.iterationInInstance + 1;
  lines.push(lineOf({ kind: 'started', step: plan.step, vu: exec.vu.idInTest, started, begun }));
  console.log(lines.join('\n'));
  counts.clear();
  late.clear();
}
