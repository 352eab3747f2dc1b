// Defines the load suites' results, as `report.json` tells them: ceilings, requests over time, and a part for each suite.
import type { Latency } from './latency.ts';

/** A value and the bounds within which it is known. */
export interface Interval {
  readonly least: number;
  readonly best: number;
  readonly most: number;
}

/** The ceiling of one plan's key. */
export interface PlanCeiling {
  readonly plan: string;
  readonly key: string;
  /** Units per window; null where it is not known. For a bucket what its header states, else its burst. */
  readonly limit: number | null;
  readonly windowSeconds: number | null;
  readonly algorithm: 'fixed-window' | 'sliding-window' | 'token-bucket' | 'unknown';
  /** Units admitted at once; null where it was not measured. */
  readonly burst: number | null;
  /** "sure", "likely", "not separable: fixed-aligned or fixed-first-hit", "stated" where only headers tell, or why it is unknown. */
  readonly confidence: string;
  /** Operation key → units of one call, where it was measured. */
  readonly costs: Readonly<Record<string, number>>;
  // The members below are absent in reports of older versions.
  /** The limit that answers state; null where they state none. */
  readonly stated?: number | null;
  /** Sustained units a second; null where it is not known. */
  readonly unitsPerSecond?: number | null;
  /** The limiters that explain what was seen, finer than `algorithm`; empty where none does or none was looked for. */
  readonly models?: readonly string[];
  readonly limitBounds?: Interval | null;
  readonly windowSecondsBounds?: Interval | null;
  readonly costBounds?: Readonly<Record<string, Interval>>;
  /** The plan's limit and window in the configuration; absent where it expects nothing of the plan. */
  readonly expected?: { readonly limit?: number; readonly windowSeconds?: number };
  readonly evidence?: readonly string[];
  /** Calls that it took. */
  readonly calls?: number;
}

/** The results of the load suites. */
export interface LoadPart {
  readonly plans: readonly PlanCeiling[];
  readonly capacity?: CapacityPart;
  readonly isolation?: IsolationPart;
  readonly exports?: ExportsPart;
  readonly soak?: SoakPart;
  readonly spike?: SpikePart;
  readonly pressure?: PressurePart;
  // The members below are absent in reports of older versions.
  /** The suite that was run, such as "spike"; absent too where several runs are told as one, and in runs of conformance. */
  readonly suite?: string;
  /** How the run compares with the last one of the same suite on the same target; absent where none is known. */
  readonly since?: LoadChanges;
  /** How each operation fared, in the part of the run that matters most first. */
  readonly operations?: readonly LoadOperations[];
  /** One for every lane that sent something. */
  readonly series?: readonly LoadSeries[];
  readonly conformance?: LoadConformance;
}

/** A load run beside the last one of its suite on the same target. */
export interface LoadChanges {
  /** Id of that run. */
  readonly run: string;
  readonly startedAt: string;
  readonly verdict: 'pass' | 'fail' | 'none';
  /** Its result in one sentence. */
  readonly result: string;
  /** Why no figures are compared: it sent another load; null where they are. */
  readonly differs: string | null;
  readonly figures: readonly LoadChange[];
}

/** One figure of both runs. */
export interface LoadChange {
  /** "p99", "errors", "capacity", "limit of std-1". */
  readonly figure: string;
  readonly unit: 'ms' | 'requests/s' | 'share' | 'calls';
  readonly before: Known;
  readonly now: Known;
  /** Set where the difference may be chance: the bounds overlap, or it is below 10 % or 1 ms. */
  readonly noise: boolean;
}

/** A value and the bounds within which it is known, 95 % sure; null: above it is not known. */
export interface Known {
  readonly value: number;
  readonly least: number;
  readonly most: number | null;
}

/** How the operations fared during a part of the run. */
export interface LoadOperations {
  /** "the peak, 200 requests/s", "the whole run". */
  readonly during: string;
  /** The most frequent first. */
  readonly rows: readonly LoadOperation[];
}

/** One operation under load. Percentiles are those of all its answers but 429, within half a percent. */
export interface LoadOperation {
  /** Operation key, `GET /v1/stores`. */
  readonly operation: string;
  readonly requests: number;
  /** Answered 429. */
  readonly limited: number;
  /** Kind → requests: "connection refused", "HTTP 503". */
  readonly errors: Readonly<Record<string, number>>;
  /** null where the answers are too few to tell it: three of them must lie above. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

/** The requests and answers of one lane of a suite, over time and step by step. */
export interface LoadSeries {
  readonly suite: string;
  readonly lane: string;
  /** Length of a row. */
  readonly everySeconds: number;
  /** In the order of time, at most 600; rows in which nothing was sent are left out. */
  readonly rows: readonly LoadRow[];
  /** In the order of time, at most 200; single calls are left out. */
  readonly steps: readonly LoadStep[];
}

/** Requests by when they were begun. */
export interface LoadRow {
  /** Begin of the row, since the run began. */
  readonly atSeconds: number;
  readonly requests: number;
  /** Median of all answers but 429; null where there were no others. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Errors: without an answer, 5xx, and 4xx but 429. */
  readonly unanswered: number;
  readonly serverErrors: number;
  readonly otherErrors: number;
  /** Answered 429. */
  readonly limited: number;
}

/** One step of load: everything that was sent in it, its ramp among it. */
export interface LoadStep {
  /** As its samples name it: "capacity.3"; "ceiling-std-1.4 – ceiling-std-1.5" for several as one. */
  readonly step: string;
  /** The step in words: "400 requests/s". */
  readonly label?: string;
  /** Requests a second that were to arrive; absent where nothing arrives by the clock, and in reports of older versions. */
  readonly rps?: number;
  /** Since the run began. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly requests: number;
  readonly limited: number;
  /** Kind → requests: "connection refused", "HTTP 503". */
  readonly errors: Readonly<Record<string, number>>;
  /** Durations of all but 429. */
  readonly latency: Latency;
}

/** How the answers that were kept whole under load conformed, step by step in the order of time. */
export interface LoadConformance {
  readonly steps: readonly {
    readonly step: string;
    readonly label?: string;
    /** Answers kept and judged. */
    readonly answers: number;
    /** Clause → answers that violate it. */
    readonly violations: Readonly<Record<string, number>>;
  }[];
  /** The first step with a violation; null: none has. */
  readonly brokenAt: string | null;
}

/** A flood of exports by one user. */
export interface ExportsPart {
  readonly operation: string;
  readonly key: string;
  readonly calls: number;
  readonly accepted: number;
  /** Answered 429. */
  readonly refused: number;
  /** From the first call to the first that was refused; null where none was. */
  readonly refusedAfterMs: number | null;
}

/** How much the platform bears: a bracket of rates, and how it was found. Rates in requests/s. */
export interface CapacityPart {
  /** True where the bracket is as narrow as wanted, and both its ends had the same outcome each time. Absent in reports of older versions. */
  readonly settled?: boolean;
  /** The highest rate that met the objectives; absent where it is not settled. */
  readonly kneeRps?: number;
  /** Where it is not settled: what is known of it all the same, null where nothing is, and why it is no more. */
  readonly atLeastRps?: number | null;
  readonly belowRps?: number | null;
  readonly reason?: string;
  /** At that rate. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errorRate: number;
  /** The bracket: the highest rate that met the objectives each time, the lowest that did not; null: there is none. */
  readonly met: number | null;
  readonly missed: number | null;
  /** Why the bracket is no narrower, or says nothing; null where it is settled. */
  readonly open: string | null;
  readonly confidence: string;
  readonly objectives: { readonly p99Ms: number; readonly errorRate: number };
  /** In the order measured. */
  readonly steps: readonly CapacityStep[];
  /** Sent in all steps together. */
  readonly requests: number;
}

export interface CapacityStep {
  /** As its samples name it; absent in reports of older versions. */
  readonly step?: string;
  readonly rps: number;
  readonly seconds: number;
  /** How many answers the percentiles rest on, 429 left out; absent in reports of older versions. */
  readonly answers?: number;
  readonly p50Ms: number;
  /** Absent in reports of older versions. */
  readonly p95Ms?: number;
  readonly p99Ms: number;
  readonly errorRate: number;
  /** Share answered 429: no error of the platform. */
  readonly limitedRate: number;
  /** Arrivals that found no free sender. */
  readonly dropped: number;
  /** How late requests were sent, at the 99th percentile. */
  readonly lateP99Ms: number;
  /** How late the generator woke from short sleeps, at the 99th percentile; null or absent where it did not tell. */
  readonly wakeP99Ms?: number | null;
  /** Share of all cores that the generator took; null where nobody watched it. */
  readonly generatorCpu: number | null;
  /** Share of all cores that other processes took just before, or that was stolen meanwhile; null or absent where it is not known. */
  readonly othersCpu?: number | null;
  readonly decision: 'met' | 'missed' | 'undecided' | 'void';
  readonly why: string;
}

/** A constant rate over a long time, judged slice by slice. */
export interface SoakPart extends Omit<CapacityStep, 'step'> {
  /** The setting that held rate or time below what was wanted: "load.caps.seconds"; null: none did. */
  readonly heldBy: string | null;
  readonly objectives: { readonly p99Ms: number; readonly errorRate: number };
  /** Parts of equal length, in the order of time. Each is `soak.1`, `soak.2`… among the steps of `series` and `conformance`. */
  readonly slices: readonly SoakSlice[];
  /** How the median and the 99th percentile of the slices went; null where the slices are too few. */
  readonly p50Drift: Drift | null;
  readonly p99Drift: Drift | null;
  /** Since the soak began: from when on more requests fail than before, beyond chance; null: no such time. */
  readonly errorsFromSeconds: number | null;
  readonly requests: number;
}

export interface SoakSlice extends CapacityStep {
  /** Since the soak began. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** How much the last third of the slices lies above the first, as a share, 95 % sure. */
export interface Drift {
  readonly rise: number;
  readonly least: number;
  readonly most: number;
  /** Beyond chance by ranks, and surely above 5 %. */
  readonly drifts: boolean;
}

/** A base rate, a peak of a few seconds, the base rate again. */
export interface SpikePart {
  /** The setting that held the peak below what was wanted; null: none did. */
  readonly heldBy: string | null;
  readonly objectives: { readonly p99Ms: number; readonly errorRate: number };
  /** Why the generator was the limit: then nothing follows for the platform; null: it was not. */
  readonly generator: string | null;
  readonly before: CapacityStep;
  readonly peak: CapacityStep;
  /** Shares of the requests that were due in the peak. */
  readonly shares: SpikeShares;
  /** How long the base rate was sent after the peak. */
  readonly afterSeconds: number;
  /** Seconds from the end of the peak on until the objectives hold again; null: they did not. */
  readonly recovery: Recovery | null;
  readonly requests: number;
}

/** Shares that come to 1. */
export interface SpikeShares {
  readonly succeeded: number;
  /** Answered 429, another 4xx, 5xx, not at all. */
  readonly limited: number;
  readonly refused: number;
  readonly serverErrors: number;
  readonly unanswered: number;
  /** Never sent: every sender waited for an answer. */
  readonly dropped: number;
}

export interface Recovery {
  readonly least: number;
  readonly best: number;
  /** From then on it is beyond doubt; null: too little was sent to tell. */
  readonly most: number | null;
}

/** The load that pressed while guarantees were probed. */
export interface PressurePart {
  /** saturated: other keys called at a high rate. limited: the probing key's own limit was spent over and over. */
  readonly mode: 'saturated' | 'limited';
  /** Requests/s that arrived, and for how long. */
  readonly rps: number;
  readonly seconds: number;
  /** The answers to these requests, in figures. */
  readonly figures: CapacityStep;
  /** Why the generator pressed less than it should have; null: it did not. Absent: nobody looked. */
  readonly generator?: string | null;
  /** Requests of the probes meanwhile; of them answered 429, and of these with an idempotency key. */
  readonly probes: number;
  readonly probesRefused: number;
  readonly keyedRefused: number;
  /** Experiments that were not begun for want of time; null where the run ended before that was known. */
  readonly left: number | null;
  readonly requests: number;
}

/** How other keys fared, one row for each key that was kept at its ceiling. */
export interface IsolationPart {
  /** How many times as slow another key's answers may be (load.isolation.slowdown); null: slowing informs. */
  readonly slowdown: number | null;
  /** One row for each key that was kept at its ceiling. */
  readonly keys: readonly IsolationRow[];
}

export interface IsolationRow {
  readonly plan: string;
  readonly key: string;
  /** Its calls while it was pressed; none refused: it was not brought to its ceiling. */
  readonly admitted: number;
  readonly refused: number;
  readonly others: readonly IsolatedKey[];
}

/** Another key, below its own limit, at rest and while the first was at its ceiling. */
export interface IsolatedKey {
  readonly plan: string;
  readonly key: string;
  readonly callsAtRest: number;
  readonly callsUnderPressure: number;
  readonly refusedAtRest: number;
  readonly refusedUnderPressure: number;
  readonly slowing: Slowing;
}

export interface Slowing {
  /** null: no answers. */
  readonly p50RestMs: number | null;
  readonly p50PressedMs: number | null;
  readonly p90RestMs: number | null;
  readonly p90PressedMs: number | null;
  /** Times as slow under pressure; null where it is not known. */
  readonly factor: { readonly least: number; readonly best: number; readonly most: number } | null;
  /** none: within milliseconds; open: noise may be the reason; sure: even the fastest pressure was slower than the slowest rest. */
  readonly shift: 'none' | 'open' | 'sure';
  /** Why nothing is known; null where it is. */
  readonly unknown: string | null;
}
