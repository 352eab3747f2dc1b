// What arrives: the plan of suites/load/arrivals.ts, and its requests under their keys, each made ready once. Run by k6.
import { SharedArray } from 'k6/data';
import type { RefinedParams, ResponseType } from 'k6/http';
import type { ArrivalsPlan } from '../../src/load/k6/arrivals-plan.ts';
import { type ScriptedRequest, SECRET } from '../../src/load/k6/requests-plan.ts';
import { isTraced } from '../../src/load/k6/traceparent.ts';
import { concealerFor, withValues } from './sending.ts';

// An archive carries no environment: its plan is beside the script.
const planText = (): string => open(__ENV.ASSAY_PLAN ?? './plan.json');
// What may be long is there once for all VUs.
const requests = new SharedArray<ScriptedRequest>('requests', () => JSON.parse(planText()).requests);
export const [plan] = new SharedArray<ArrivalsPlan>('plan', () => [
  { ...JSON.parse(planText()), requests: [] },
]) as unknown as [ArrivalsPlan];
const { order, keys, variants } = plan;
export const concealer = concealerFor(keys, plan.headers);
/** Tags are for k6's own outputs, and cost as much as counting does. */
export const { tagged = true } = plan;
const turns = order.length;
const keyCount = Math.max(1, keys.length);

/** One request under one key, made ready once. */
export interface Prepared {
  readonly request: ScriptedRequest;
  readonly key: string;
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly params: RefinedParams<ResponseType>;
  /** Its own, in which each request names its trace; null: it names none of ours. */
  readonly traced: Record<string, string> | null;
}

/** By their index in `requests`, times the keys, plus that of the key. */
export const prepared: Prepared[] = [];
/** Of the request and the key of this turn. */
export function indexOf(turn: number): number {
  return requestAt(turn) * keyCount + (turn % keyCount);
}

function requestAt(turn: number): number {
  const first = order[turn % turns] ?? 0;
  const count = variants?.[first];
  return count === undefined ? first : first + ((turn + Math.floor(turn / turns)) % count);
}

/** Makes what this turn sends ready. */
export function prepare(turn: number): Prepared {
  const request = requests[requestAt(turn)] as ScriptedRequest;
  const slot = turn % keyCount;
  // Of the keys that may send it.
  const sender = request.keys === undefined ? slot : request.keys[slot % request.keys.length];
  const { name, variable } = keys[sender ?? 0] ?? { name: '', variable: '' };
  const secret = __ENV[variable] ?? '';
  const { method, body, operation } = request;
  const headers = withValues(request.headers, secret);
  const traced = plan.trace === 'none' || isTraced(headers) ? null : headers;
  const params = {
    headers,
    timeout: (request.answerLimitSeconds ?? plan.answerLimitSeconds) * 1000,
    ...(tagged ? { tags: { name: operation } } : {}),
  };
  const made = { request, key: name, method, url: request.url.replace(SECRET, secret), body, params, traced };
  prepared[indexOf(turn)] = made;
  return made;
}
