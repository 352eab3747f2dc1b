// The lines of line.ts, read back.
import { parsedJson } from '../../exchange/decoded.ts';
import type {
  BodySample,
  HistogramSample,
  RequestSample,
  Sample,
  SampledAnswer,
  StartedCount,
  StepMark,
  TimesSample,
} from './line.ts';

/** The sample that the line tells; null for what is none: k6's own words, a line cut by a kill. */
export function sampleIn(line: string): Sample | null {
  const [kind, step, ...fields] = line.split('\t');
  if (step === undefined) return null;
  if (kind === 'T') return markIn(step, fields);
  if (kind === 'C') return startedIn(step, fields);
  if (kind === 'L' || kind === 'W') return timesIn(kind === 'L' ? 'lateness' : 'wakes', step, fields);
  const [key, operation, status] = fields;
  if (key === undefined || operation === undefined || !isWhole(status)) return null;
  const shared = { step, key, operation, status: Number(status) };
  const rest = fields.slice(3);
  if (kind === 'S') return requestIn(shared, rest);
  if (kind === 'H') return histogramIn(shared, rest);
  return kind === 'B' && rest.length === 1 ? bodyIn(shared, rest[0] ?? '') : null;
}

type Shared = Pick<RequestSample, 'step' | 'key' | 'operation' | 'status'>;

function requestIn(shared: Shared, fields: string[]): RequestSample | null {
  const [due, start, duration, limit = '', remaining = '', reset = '', retryAfter = '', date, ...last] = fields;
  const [error, traceparent] = last[0] === '' ? [undefined, last[1]] : last;
  if (date === undefined || last.length > 2 || !isAbsentOrWhole(error)) return null;
  const [dueMs, startMs, durationMs] = [due, start, duration].map(Number) as [number, number, number];
  if (![dueMs, startMs, durationMs].every(Number.isFinite)) return null;
  const headers = { limit, remaining, reset, retryAfter, date };
  const traced = traceparent === undefined ? {} : { traceparent };
  return { kind: 'request', ...shared, dueMs, startMs, durationMs, ...headers, ...errorOf(error), ...traced };
}

function histogramIn(shared: Shared, [text, second, error, ...rest]: string[]): HistogramSample | null {
  const buckets = text === undefined || rest.length > 0 ? null : bucketsIn(text);
  if (buckets === null || !(isAbsentOrWhole(second) || second === '') || !isAbsentOrWhole(error)) return null;
  const begun = second === undefined || second === '' ? {} : { second: Number(second) };
  return { kind: 'histogram', ...shared, buckets, ...begun, ...errorOf(error) };
}

function errorOf(text: string | undefined): { readonly errorCode?: number } {
  return text === undefined ? {} : { errorCode: Number(text) };
}

function timesIn(kind: TimesSample['kind'], step: string, [text, ...rest]: string[]): TimesSample | null {
  const buckets = text === undefined || rest.length > 0 ? null : bucketsIn(text);
  return buckets === null ? null : { kind, step, buckets };
}

function bucketsIn(text: string): ReadonlyMap<number, number> | null {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split(':').map(Number));
  const sound = pairs.every(([bucket, count]) => Number.isInteger(bucket) && Number.isInteger(count));
  return sound ? new Map(pairs as [number, number][]) : null;
}

function bodyIn(shared: Shared, text: string): BodySample | null {
  // Nothing is left of a line that is cut short.
  const answer = parsedJson(text);
  return isAnswer(answer) ? { kind: 'body', ...shared, answer } : null;
}

function isAnswer(value: unknown): value is SampledAnswer {
  const { method, path, startMs, durationMs, headers, body } = Object(value);
  return (
    [method, path, body].every((text) => typeof text === 'string') &&
    [startMs, durationMs].every(Number.isFinite) &&
    typeof headers === 'object' &&
    Object.values(Object(headers)).every((header) => typeof header === 'string')
  );
}

function markIn(step: string, [event, at, run, segment]: string[]): StepMark | null {
  if (event !== 'begin' && event !== 'end' && event !== 'broken') return null;
  if (!isWhole(at) || run === undefined || segment === undefined) return null;
  return { kind: 'mark', step, event, atMs: Number(at), run, segment };
}

function startedIn(step: string, [vu, started, begun, ...rest]: string[]): StartedCount | null {
  if (!isWhole(vu) || !isWhole(started) || !isAbsentOrWhole(begun) || rest.length > 0) return null;
  const own = { kind: 'started', step, vu: Number(vu), started: Number(started) } as const;
  return begun === undefined ? own : { ...own, begun: Number(begun) };
}

function isWhole(text: string | undefined): boolean {
  return text !== undefined && /^\d+$/.test(text);
}

function isAbsentOrWhole(text: string | undefined): boolean {
  return text === undefined || isWhole(text);
}
