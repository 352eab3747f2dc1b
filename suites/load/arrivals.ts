// Requests that arrive by the clock, whatever became of those before (an open model): what capacity is measured with. Run
// by k6 itself; its plan is src/load/k6/arrivals-plan.ts, its samples are src/load/samples/line.ts: histograms per VU, flushed
// each second, since a line a request would cost the generator what it is to measure.

import exec from 'k6/execution';
import http from 'k6/http';
import type { Options } from 'k6/options';
import { type ArrivalsPlan, rampOf } from '../../src/load/k6/arrivals-plan.ts';
import { type ScriptedRequest, SECRET } from '../../src/load/k6/requests-plan.ts';
import { bucketOf, lineOf } from '../../src/load/samples/line.ts';
import { keep, withSecret } from './sending.ts';

const plan: ArrivalsPlan = JSON.parse(open(__ENV.ASSAY_PLAN ?? ''));
const ratePerMs = plan.perTenSeconds / 10_000;
const planned = Math.floor((plan.perTenSeconds * plan.seconds) / 10);
/** VUs take turns: within two rounds each comes once more, and what it holds must be out by then. */
const LAST_ROUNDS = planned - 2 * plan.vus - Math.ceil(ratePerMs * 1000);

export const options: Options = {
  scenarios: {
    arrivals: {
      executor: 'constant-arrival-rate',
      rate: plan.perTenSeconds,
      timeUnit: '10s',
      duration: `${plan.seconds}s`,
      preAllocatedVUs: plan.vus,
      maxVUs: plan.vus,
      gracefulStop: `${plan.answerLimitSeconds + 1}s`,
    },
  },
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
let second = 0;

/** One arrival. */
export default function arrive(): void {
  const turn = exec.scenario.iterationInTest;
  const dueMs = turn / ratePerMs;
  const startMs = Date.now();
  const step = dueMs < plan.rampSeconds * 1000 ? rampOf(plan.step) : plan.step;
  const now = Math.floor(startMs / 1000);
  if (now !== second && started > 0) flush();
  second = now;
  started += 1;
  try {
    send(turn, step, startMs);
  } finally {
    count(late, step, Math.max(0, startMs - exec.scenario.startTime - dueMs));
    if (turn >= LAST_ROUNDS) flush();
  }
}

function send(turn: number, step: string, startMs: number): void {
  const request = plan.requests[plan.order[turn % plan.order.length] ?? 0] as ScriptedRequest;
  const key = plan.keys[turn % Math.max(1, plan.keys.length)] ?? { name: '', variable: '' };
  const secret = __ENV[key.variable] ?? '';
  const isKept = turn % plan.bodyEvery === 0;
  const answer = http.request(request.method, request.url.replace(SECRET, secret), request.body, {
    headers: withSecret(request.headers, secret),
    timeout: `${plan.answerLimitSeconds}s`,
    tags: { name: request.operation },
    responseType: isKept ? 'text' : 'none',
  });
  const error = answer.status === 0 ? answer.error_code : '';
  const name = `${step}\t${key.name}\t${request.operation}\t${answer.status}\t${error}`;
  count(counts, name, answer.status === 0 ? Date.now() - startMs : answer.timings.duration);
  if (isKept && answer.status !== 0) keep(request, answer, { step, key: key.name, startMs });
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
  lines.push(lineOf({ kind: 'started', step: plan.step, vu: exec.vu.idInTest, started }));
  console.log(lines.join('\n'));
  counts.clear();
  late.clear();
}
