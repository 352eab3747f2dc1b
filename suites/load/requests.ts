// Requests that were planned beforehand, sent at their times by VUs that are all there from the begin on: what limits are
// measured with. Run by k6 itself; its plan is src/load/k6/requests-plan.ts, its samples are src/load/samples/line.ts.
import { sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import type { Options } from 'k6/options';
import {
  asInAnswer,
  type CallGroup,
  type RequestsPlan,
  type ScriptedRequest,
  SECRET,
} from '../../src/load/k6/requests-plan.ts';
import { isTraced, newTraceparent } from '../../src/load/k6/traceparent.ts';
import { lineOf } from '../../src/load/samples/line.ts';
import { concealerFor, keep, tlsAuth, wallAheadMs, withValues } from './sending.ts';

const plan: RequestsPlan = JSON.parse(open(__ENV.ASSAY_PLAN ?? ''));
const concealer = concealerFor(plan.keys, plan.headers);
const total = plan.calls.reduce((sum, { count }) => sum + count, 0);
/** Time for all VUs to be under way before the first call is due. ms. */
const HEAD_START_MS = 50;

export const options: Options = {
  scenarios: {
    requests: {
      executor: 'per-vu-iterations',
      vus: plan.vus,
      iterations: 1,
      maxDuration: `${plan.timeLimitSeconds}s`,
      gracefulStop: '0s',
    },
  },
  discardResponseBodies: true,
  maxRedirects: 0,
  tlsAuth,
  userAgent: 'assay (k6)',
  systemTags: ['status', 'method', 'name', 'scenario'],
};

/** What all VUs count time from: a wall clock that is set meanwhile sets none of them back or forth. */
interface Times {
  /** Epoch ms at the begin of the test, by the clock of the run that started it. */
  readonly epochMs: number;
  /** When the first call is due. Epoch ms. */
  readonly beginMs: number;
}

/** The module makes it anew each time that it is asked for, and that takes long. */
let instance: typeof exec.instance | null = null;
let epochMs = 0;

/** Epoch ms. */
function now(): number {
  instance ??= exec.instance;
  return Math.floor(epochMs + instance.currentTestRunDuration);
}

export function setup(): Times {
  const begun = Date.now() - wallAheadMs - exec.instance.currentTestRunDuration;
  return { epochMs: begun, beginMs: Date.now() - wallAheadMs + HEAD_START_MS };
}

/** One VU's share of the calls; says at its end how many it began. */
export default function takeShare({ epochMs: begun, beginMs }: Times): void {
  epochMs = begun;
  const vu = exec.vu.idInTest;
  const known = new Set<number>();
  let started = 0;
  try {
    for (const { group, dueMs } of shareOf(vu - 1, beginMs)) {
      waitUntil(dueMs);
      started += 1;
      const status = send(group, dueMs, vu <= plan.bodyVus ? known : null);
      if (status === plan.refusedStatus && plan.endsAtRefusal) break;
    }
  } finally {
    console.log(lineOf({ kind: 'started', step: plan.step, vu, started }));
  }
}

/** Every `vus`-th call from the VU's own on, with when it is due. */
function* shareOf(first: number, beginMs: number): Generator<{ readonly group: CallGroup; readonly dueMs: number }> {
  let passed = 0;
  let at = 0;
  for (let call = first; call < total; call += plan.vus) {
    let group = plan.calls[at] as CallGroup;
    while (call >= passed + group.count) {
      passed += group.count;
      at += 1;
      group = plan.calls[at] as CallGroup;
    }
    yield { group, dueMs: beginMs + group.afterMs + (call - passed) * group.everyMs };
  }
}

function waitUntil(dueMs: number): void {
  const leftMs = dueMs - now();
  if (leftMs > 0) sleep(leftMs / 1000);
}

/** Sends one call and writes its sample; `known` are the statuses whose answer was kept, null where none is. */
function send(group: CallGroup, dueMs: number, known: Set<number> | null): number {
  const request = plan.requests[group.request] as ScriptedRequest;
  const key = plan.keys[group.key] ?? { name: '', variable: '' };
  const secret = __ENV[key.variable] ?? '';
  const headers = withValues(request.headers, secret);
  const traceparent = plan.trace === 'none' || isTraced(headers) ? undefined : newTraceparent();
  const startMs = now();
  const answer = http.request(request.method, request.url.replace(SECRET, secret), request.body, {
    headers: traceparent === undefined ? headers : { ...headers, traceparent },
    timeout: `${request.answerLimitSeconds ?? plan.answerLimitSeconds}s`,
    tags: { name: request.operation },
    responseType: known === null ? 'none' : 'text',
  });
  // By the same clock as its start, so that what was answered before another call was sent surely was.
  const durationMs = now() - startMs;
  const { status } = answer;
  const shared = { step: plan.step, key: key.name, operation: request.operation, status };
  const header = (name: string | null): string =>
    name === null ? '' : concealer.value(answer.headers[asInAnswer(name)] ?? '');
  console.log(
    lineOf({
      kind: 'request',
      ...shared,
      dueMs,
      startMs,
      durationMs,
      limit: header(plan.limits.limit),
      remaining: header(plan.limits.remaining),
      reset: header(plan.limits.reset),
      retryAfter: header('Retry-After'),
      date: header('Date'),
      ...(status === 0 ? { errorCode: answer.error_code } : {}),
      ...(traceparent === undefined ? {} : { traceparent }),
    }),
  );
  if (known !== null && status !== 0 && !known.has(status)) {
    known.add(status);
    keep(request, answer, { step: plan.step, key: key.name, startMs, concealer, traceparent });
  }
  return status;
}
