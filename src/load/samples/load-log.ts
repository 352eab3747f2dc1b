// Records the requests of a load run, over time and by step, and how its answers conformed: every sample of every lane
// passes here. Its size is bounded however long the run is.
import type {
  LoadConformance,
  LoadOperation,
  LoadOperations,
  LoadPart,
  LoadSeries,
  LoadStep,
} from '../../contract/load-part.ts';
import { latencyClass, tellsPercentile } from '../../grading/latency.ts';
import { Counts, percentiles, Series } from './counts.ts';
import { bucketOf, durationOf, type Sample } from './line.ts';

/** Steps of one lane; more are told by two. */
const MAX_STEPS = 200;
const RAMP = '/ramp';

/** Answers and the kinds of errors among them. */
class Told {
  readonly counts = new Counts();
  readonly errors = new Map<string, number>();

  add(status: number, errorCode: number | undefined, buckets: Iterable<readonly [number, number]>): void {
    const before = this.counts.requests;
    this.counts.add(status, buckets);
    const kind = errorKind(status, errorCode);
    if (kind !== null) this.errors.set(kind, (this.errors.get(kind) ?? 0) + this.counts.requests - before);
  }

  merge(other: Told): void {
    this.counts.merge(other.counts);
    for (const [kind, count] of other.errors) this.errors.set(kind, (this.errors.get(kind) ?? 0) + count);
  }
}

interface StepLog {
  readonly told: Told;
  readonly operations: Map<string, Told>;
  /** Name of the last step, where several are told as one. */
  last: string | null;
  /** Seconds since the epoch, the last one included. */
  firstSecond: number;
  lastSecond: number;
}

interface LaneLog {
  readonly series: Series;
  /** In the order in which they began. */
  steps: Map<string, StepLog>;
}

interface Judged {
  answers: number;
  readonly violations: Map<string, number>;
}

export class LoadLog {
  readonly #suite: string;
  readonly #lanes = new Map<string, LaneLog>();
  readonly #labels = new Map<string, string>();
  readonly #rates = new Map<string, number>();
  readonly #judged = new Map<string, Judged>();
  #arrived = 0;
  #awaited = 0;

  constructor(suite: string) {
    this.#suite = suite;
  }

  /** Takes in what one lane measured. */
  add(lane: string, sample: Sample): void {
    if (sample.kind === 'request') {
      const { startMs, durationMs } = sample;
      this.#count(lane, sample, Math.floor(startMs / 1000), [[bucketOf(durationMs), 1]]);
    } else if (sample.kind === 'histogram' && sample.second !== undefined) {
      for (const count of sample.buckets.values()) this.#arrived += count;
      this.#count(lane, sample, sample.second, sample.buckets);
    }
  }

  /** Requests told by histograms, and those told one by one that are not among the exchanges yet. */
  get arrived(): number {
    return this.#arrived + this.#awaited;
  }

  /** Adds requests that were told one by one, and takes away those that are among the exchanges now. */
  await(requests: number): void {
    this.#awaited += requests;
  }

  /** Says in words what a step is, "400 requests/s", and how many requests a second arrive in it. */
  label(step: string, words: string, ratePerSecond?: number): void {
    this.#labels.set(step, words);
    if (ratePerSecond !== undefined) this.#rates.set(step, ratePerSecond);
  }

  /** An answer of the step was judged, and these clauses were violated by it. */
  judged(step: string, violated: readonly string[]): void {
    const judged = this.#judged.get(step) ?? { answers: 0, violations: new Map() };
    judged.answers += 1;
    for (const clause of violated) judged.violations.set(clause, (judged.violations.get(clause) ?? 0) + 1);
    this.#judged.set(step, judged);
  }

  /** The part of the report. Times count from `beganAtMs` since the epoch; null: from the first sample on. */
  part(beganAtMs: number | null): Pick<LoadPart, 'series' | 'conformance'> {
    const firsts = [...this.#lanes.values()].flatMap(({ series }) => series.firstSecond ?? []);
    const beganAt = beganAtMs === null ? Math.min(...firsts) : Math.floor(beganAtMs / 1000);
    const series = [...this.#lanes].map(
      ([lane, log]): LoadSeries => ({
        suite: this.#suite,
        lane,
        ...log.series.rows(beganAt),
        steps: [...log.steps].flatMap(([step, one]) => this.#stepRow(step, one, beganAt)),
      }),
    );
    return { series, conformance: this.#conformance() };
  }

  /** How each operation fared in the steps of these names, in all of them unless some are given; the most frequent first. */
  operations(steps?: ReadonlySet<string>): readonly LoadOperation[] {
    const sums = new Map<string, Told>();
    for (const { steps: known } of this.#lanes.values())
      for (const [name, { operations }] of known) {
        if (steps !== undefined && !steps.has(name)) continue;
        for (const [operation, told] of operations) toldOf(sums, operation).merge(told);
      }
    return [...sums]
      .map(([operation, told]) => operationRow(operation, told))
      .sort((left, right) => right.requests - left.requests || (left.operation < right.operation ? -1 : 1));
  }

  #count(
    lane: string,
    { step: name, operation, status, errorCode }: Sample & { kind: 'request' | 'histogram' },
    second: number,
    buckets: Iterable<readonly [number, number]>,
  ): void {
    const log = this.#lanes.get(lane) ?? { series: new Series(), steps: new Map() };
    this.#lanes.set(lane, log);
    log.series.add(second, status, buckets);
    const step = stepIn(log, stepOf(name), second);
    step.told.add(status, errorCode, buckets);
    toldOf(step.operations, operation).add(status, errorCode, buckets);
    step.firstSecond = Math.min(step.firstSecond, second);
    step.lastSecond = Math.max(step.lastSecond, second);
  }

  /** None for a single call: that is no load. */
  #stepRow(step: string, { told, last, firstSecond, lastSecond }: StepLog, beganAt: number): LoadStep[] {
    const { counts, errors } = told;
    if (counts.requests < 2) return [];
    const label = this.#labels.get(step);
    const rps = this.#rates.get(step);
    const latency: Record<string, number> = {};
    for (const [bucket, count] of counts.durations) {
      const index = latencyClass(durationOf(bucket));
      latency[index] = (latency[index] ?? 0) + count;
    }
    return [
      {
        step: last === null ? step : `${step} – ${last}`,
        ...(label === undefined ? {} : { label }),
        ...(rps === undefined ? {} : { rps }),
        fromSeconds: firstSecond - beganAt,
        toSeconds: lastSecond + 1 - beganAt,
        requests: counts.requests,
        limited: counts.limited,
        errors: Object.fromEntries(errors),
        latency,
      },
    ];
  }

  #conformance(): LoadConformance {
    const steps = [...this.#judged].map(([step, { answers, violations }]) => {
      const label = this.#labels.get(step);
      return { step, ...(label === undefined ? {} : { label }), answers, violations: Object.fromEntries(violations) };
    });
    const first = steps.find(({ violations }) => Object.keys(violations).length > 0);
    return { steps, brokenAt: first?.step ?? null };
  }
}

/** Arrivals of a step's ramp are the step's, too. */
export function stepOf(name: string): string {
  return name.endsWith(RAMP) ? name.slice(0, -RAMP.length) : name;
}

function stepIn(lane: LaneLog, name: string, second: number): StepLog {
  const known = lane.steps.get(name) ?? [...lane.steps.values()].findLast(({ last }) => last === name);
  if (known !== undefined) return known;
  if (lane.steps.size >= MAX_STEPS) lane.steps = halved(lane.steps);
  const step = { told: new Told(), operations: new Map(), last: null, firstSecond: second, lastSecond: second };
  lane.steps.set(name, step);
  return step;
}

function toldOf(all: Map<string, Told>, operation: string): Told {
  const told = all.get(operation) ?? new Told();
  all.set(operation, told);
  return told;
}

function operationRow(operation: string, { counts, errors }: Told): LoadOperation {
  const { requests, limited, durations } = counts;
  const shares = [0.5, 0.95, 0.99] as const;
  const [p50Ms, p95Ms, p99Ms] = percentiles(durations, shares).map((ms, at) =>
    tellsPercentile(requests - limited, shares[at] ?? 1) ? ms : null,
  ) as [number | null, number | null, number | null];
  return { operation, requests, limited, errors: Object.fromEntries(errors), p50Ms, p95Ms, p99Ms };
}

/** Every two neighbours as one. */
function halved(steps: ReadonlyMap<string, StepLog>): Map<string, StepLog> {
  const all = [...steps];
  return new Map(
    all
      .filter((_, at) => at % 2 === 0)
      .map(([name, one], index) => {
        const [otherName, other] = all[2 * index + 1] ?? [name, null];
        if (other === null) return [name, one];
        one.told.merge(other.told);
        for (const [operation, told] of other.operations) toldOf(one.operations, operation).merge(told);
        const firstSecond = Math.min(one.firstSecond, other.firstSecond);
        const lastSecond = Math.max(one.lastSecond, other.lastSecond);
        return [name, { ...one, last: other.last ?? otherName, firstSecond, lastSecond }];
      }),
  );
}

/** Kinds by the error_code that k6 gives (https://grafana.com/docs/k6/latest/javascript-api/error-codes/). */
const KINDS: Readonly<Record<number, string>> = {
  1050: 'timed out',
  1101: 'host not found',
  1201: 'connection broken',
  1211: 'connecting timed out',
  1212: 'connection refused',
  1220: 'connection reset',
};
/** For the other codes of a hundred. */
const FAMILIES: Readonly<Record<number, string>> = {
  11: 'host not found',
  12: 'connection failed',
  13: 'TLS failed',
  16: 'HTTP/2 failed',
};

/** The kind of error that an answer is, or its absence; null for a success and for 429, which is a class of its own. */
function errorKind(status: number, errorCode = 0): string | null {
  if (status === 0) return KINDS[errorCode] ?? FAMILIES[Math.floor(errorCode / 100)] ?? 'no answer';
  return status < 400 || status === 429 ? null : `HTTP ${status}`;
}

/**
 * The parts of a load run that its operations are told of: the operations in the peak of a spike, or in the steps of a search at the rate that met the objectives, and in the whole run.
 * Empty where nothing was sent.
 */
export function operationsUnder(
  log: Pick<LoadLog, 'operations'>,
  { spike, capacity }: Pick<LoadPart, 'spike' | 'capacity'>,
): readonly LoadOperations[] {
  const parts: LoadOperations[] = [{ during: 'the whole run', rows: log.operations() }];
  if (spike?.peak.step !== undefined)
    parts.unshift({
      during: `the peak, ${spike.peak.rps} requests/s`,
      rows: log.operations(new Set([spike.peak.step])),
    });
  const met = (capacity?.steps ?? []).filter(({ rps, decision }) => rps === capacity?.met && decision === 'met');
  if (met.length > 0 && met.length < (capacity?.steps.length ?? 0))
    parts.unshift({
      during: `steps that met the objectives at ${Math.floor(10 * (capacity?.met ?? 0)) / 10} requests/s`,
      rows: log.operations(new Set(met.flatMap(({ step }) => step ?? []))),
    });
  return parts.filter(({ rows }) => rows.length > 0);
}
