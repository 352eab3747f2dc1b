// The lines by which k6's scripts tell what they measured. Written in k6, read in Node (reading.ts): this file imports
// nothing and uses only what both know. A line is one kind letter and fields between tabs; no field holds a tab or a line
// break. Older records lack second, error, trace and begun.
//
//   S step key operation status due start duration limit remaining reset retryAfter date error trace     one request
//   H step key operation status bucket:count,bucket:count… second error       many requests begun in one second, by duration
//   L step bucket:count,bucket:count…                                                   how late requests were sent
//   W step bucket:count,bucket:count…                                                   how late a sender woke that only sleeps
//   B step key operation status json                                                    a sampled answer, whole
//   C step vu started begun                                                             how many requests a VU has begun so far
//   T step event atMs run segment                                                       an instance's load began, ended, broke off

/** One request as it was measured. Times are epoch ms of the generator's clock, durations ms; headers as sent, '' where absent. */
export interface RequestSample {
  readonly kind: 'request';
  readonly step: string;
  readonly key: string;
  readonly operation: string;
  /** 0 where no answer came. */
  readonly status: number;
  /** When the schedule wanted it sent. */
  readonly dueMs: number;
  readonly startMs: number;
  readonly durationMs: number;
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
  readonly retryAfter: string;
  readonly date: string;
  /** k6's error_code where no answer came; absent where there is none. */
  readonly errorCode?: number;
  /** The traceparent header that was sent; absent: none. */
  readonly traceparent?: string;
}

/** How many requests of one class took how long: bucket → count. */
export interface HistogramSample {
  readonly kind: 'histogram';
  readonly step: string;
  readonly key: string;
  readonly operation: string;
  readonly status: number;
  readonly buckets: ReadonlyMap<number, number>;
  /** In which they were begun: whole seconds since the epoch. Absent in older records. */
  readonly second?: number;
  /** k6's error_code where no answer came; absent where there is none. */
  readonly errorCode?: number;
}

/**
 * How many requests were sent how long after they were due, or how often a sender that only sleeps woke how late, for which no
 * target can be why: bucket → count.
 */
interface Times<Kind> {
  readonly kind: Kind;
  readonly step: string;
  readonly buckets: ReadonlyMap<number, number>;
}

export type TimesSample = Times<'lateness'> | Times<'wakes'>;

/** An answer kept whole, for the passive checks. */
export interface BodySample {
  readonly kind: 'body';
  readonly step: string;
  readonly key: string;
  readonly operation: string;
  readonly status: number;
  readonly answer: SampledAnswer;
}

export interface SampledAnswer {
  readonly method: string;
  readonly path: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The traceparent header of the request; absent: it had none. */
  readonly traceparent?: string;
  /** Set: it held secrets, or parts of them, which are masked. */
  readonly concealed?: true;
  /** Secrets that it held whole, as in an exchange; absent: none. */
  readonly echoed?: readonly { readonly secret: string; readonly where: string }[];
}

/** How many requests a VU has begun in the step, so far: what was begun and has no sample was lost. */
export interface StartedCount {
  readonly kind: 'started';
  readonly step: string;
  readonly vu: number;
  readonly started: number;
  /** As many the instance had begun with the VU's latest one, by k6's own count; absent where requests are no iterations. */
  readonly begun?: number;
}

/** An instance's load began or ended, or it ended itself for the target's errors. */
export interface StepMark {
  readonly kind: 'mark';
  readonly step: string;
  readonly event: 'begin' | 'end' | 'broken';
  readonly atMs: number;
  /** Name of the plan's run; '' where one instance makes all of it. */
  readonly run: string;
  /** Part of the plan that the instance makes: "0:1/3". */
  readonly segment: string;
}

export type Sample = RequestSample | HistogramSample | TimesSample | BodySample | StartedCount | StepMark;

/** Buckets grow by 1 %: a duration is known to half of that. */
const GROWTH = Math.log(1.01);
/** Shorter durations, ms, share the lowest bucket. */
const MIN_BUCKET_MS = 0.01;

/** The bucket of a duration, ms. */
export function bucketOf(durationMs: number): number {
  return Math.floor(Math.log(Math.max(durationMs, MIN_BUCKET_MS)) / GROWTH);
}

/** The middle of a bucket, ms. */
export function durationOf(bucket: number): number {
  return Math.exp((bucket + 0.5) * GROWTH);
}

/** One line, without a line break. Counts need no cleaning, and in k6 that of long texts is dear. */
export function lineOf(sample: Sample): string {
  if (sample.kind === 'lateness' || sample.kind === 'wakes')
    return `${sample.kind === 'wakes' ? 'W' : 'L'}\t${clean(sample.step)}\t${pairsOf(sample.buckets)}`;
  if (sample.kind !== 'histogram') return fieldsOf(sample).map(clean).join('\t');
  const { step, key, operation, status } = sample;
  const head = ['H', step, key, operation, status].map(clean);
  return [...head, pairsOf(sample.buckets), ...tailOf(sample)].join('\t');
}

function fieldsOf(sample: Exclude<Sample, HistogramSample | TimesSample>): (string | number)[] {
  if (sample.kind === 'mark') return ['T', sample.step, sample.event, sample.atMs, sample.run, sample.segment];
  if (sample.kind === 'started') return ['C', sample.step, sample.vu, sample.started, ...given(sample.begun)];
  const { step, key, operation, status } = sample;
  const shared = [step, key, operation, status];
  if (sample.kind === 'body') return ['B', ...shared, JSON.stringify(sample.answer)];
  const { dueMs, startMs, durationMs, limit, remaining, reset, retryAfter, date } = sample;
  const { errorCode, traceparent } = sample;
  const last = traceparent === undefined ? given(errorCode) : [errorCode ?? '', traceparent];
  return ['S', ...shared, dueMs, startMs, durationMs, limit, remaining, reset, retryAfter, date, ...last];
}

/** The last field of a line; absent where it is not known. */
function given(value: number | undefined): readonly number[] {
  return value === undefined ? [] : [value];
}

function tailOf({ second, errorCode }: HistogramSample): (string | number)[] {
  if (errorCode !== undefined) return [second ?? '', errorCode];
  return [...given(second)];
}

function pairsOf(buckets: ReadonlyMap<number, number>): string {
  const pairs: string[] = [];
  buckets.forEach((count, bucket) => {
    pairs.push(`${bucket}:${count}`);
  });
  return pairs.join(',');
}

/** JSON holds no raw tab or line break; what else does is not worth keeping them. */
function clean(field: string | number): string {
  return String(field).replace(/[\t\r\n]/g, ' ');
}
