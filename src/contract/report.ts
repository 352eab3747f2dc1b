// The result of a run as data: findings, clause rows, the report. `report.json` is exactly `Report`;
// its published JSON Schema is report.schema.json beside this file. Fields may be added, never changed.

import type { Level } from './clause.ts';
import type { IsolationPart } from './isolation.ts';

export type Verdict = 'pass' | 'fail' | 'none';
export type FindingKind = 'violation' | 'advisory' | 'observation';
export type ClauseStatus = 'pass' | 'fail' | 'not-applicable' | 'not-tested' | 'observed';

/** Why a clause or an operation was not tested. `not-declared` goes with not-applicable, the others with not-tested. */
export const REASON_CODES = [
  'not-implemented',
  'service-pending',
  'no-credential',
  'no-fixture',
  'mutations-denied',
  'not-declared',
  'precondition',
  'filtered',
  'sharded',
  'budget',
  'time-limit',
  'interrupted',
  'target-lost',
  'tool-missing',
  'other-command',
  'harness-error',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** An experiment of a run: its probe, and the operation it is about (null: none). Performed again, it sends the same. */
export interface ExperimentName {
  readonly probe: string;
  readonly service: string | null;
  readonly operation: string | null;
}

/** A case of a property, in fast-check's terms: the same seed and path give the same case again. */
export interface PropertyCase {
  /** The experiment that holds the property: "idempotency/near-keys". */
  readonly probe: string;
  readonly seed: number;
  readonly path: string;
  /** The case itself where path alone would lead elsewhere once a list has grown: pages by their limit and an index they hold. */
  readonly pages?: readonly { readonly limit: number; readonly at: number }[];
}

export interface Finding {
  readonly clause: string;
  readonly kind: FindingKind;
  /** null for findings on a description as a whole, an unknown path, or the whole target. */
  readonly service: string | null;
  /** Operation key, `POST /api/v1/stores`, or null. */
  readonly operation: string | null;
  /** Constant per kind of breach; findings with one clause and cause are one group. */
  readonly cause: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string | null;
  /** Stable over runs: clause, service, operation, cause and pointer, digested. */
  readonly fingerprint: string;
  /** Ids of the exchanges that are the evidence; their records are in `exchanges`. */
  readonly exchanges: readonly string[];
  /** Reproduces the last exchange of the evidence; the token stands as $ASSAY_TOKEN. null for findings without an exchange. */
  readonly curl: string | null;
  /** How often it was seen in this run, and of how many times it was looked at on this operation. */
  readonly occurrences: number;
  readonly looks: number;
  /** True when sending again showed it only sometimes; it still counts. */
  readonly intermittent: boolean;
  /** The experiments that sent the evidence: what `--replay` performs. Empty where every run sends it, or nothing was sent; absent in older reports. */
  readonly experiments?: readonly ExperimentName[];
  /** The smallest case of the property that showed it; absent where none did. */
  readonly property?: PropertyCase;
  /** Where it belongs in a description: the file from where the run was started, and the line, where known. */
  readonly location?: { readonly file: string; readonly line?: number };
  /** The waiver that accepts it. */
  readonly waiver?: Waiver;
  /** Set where the baseline has the same violation. */
  readonly known?: true;
}

/** A violation that somebody answers for until a day: told, and no part of the verdict. */
export interface Waiver {
  readonly clause: string;
  /** Glob over operation keys, or null where a fingerprint says it all. */
  readonly operation: string | null;
  readonly fingerprint: string | null;
  readonly reason: string;
  readonly owner: string;
  readonly ticket: string | null;
  /** The last day on which it holds, in UTC: 2026-03-31. */
  readonly expires: string;
}

/**
 * What became of a waiver. unused: its clause was judged there, and nothing is broken. not-judged: the run did not look.
 * expired: what it waived counts again.
 */
export interface WaiverRow extends Waiver {
  readonly status: 'used' | 'unused' | 'not-judged' | 'expired';
  /** Violations that match it. */
  readonly violations: number;
}

/** What people had accepted before the run, and what that came to. */
export interface Acceptance {
  /** `new`: violations of the baseline do not decide. */
  readonly failOn: 'new' | 'any';
  /** The run compared with; null: none. `resolved` are fingerprints of its violations that were judged again and are gone. */
  readonly baseline: { readonly run: string; readonly resolved: readonly string[] } | null;
  readonly waivers: readonly WaiverRow[];
}

/** What came of looking at one finding of an earlier run again. */
export interface ReplayOutcome {
  readonly fingerprint: string;
  /** Id of the run whose report holds the finding. */
  readonly run: string;
  readonly clause: string;
  readonly service: string | null;
  readonly operation: string | null;
  readonly shown: boolean;
  /** Other findings of the clause that were met on the way: they are not judged here. */
  readonly others: number;
}

/**
 * How sure something is that was found out. sure: the platform says so itself, or several calls show it and nothing else
 * explains them. likely: the best explanation of what was seen, or seen once. cannot-tell: what was seen does not decide.
 */
export type Confidence = 'sure' | 'likely' | 'cannot-tell';

/** One thing that the source does not show, and what this platform does. Never judged. */
export interface Observation {
  readonly clause: string;
  /** null, with `operation`, for what concerns no single operation. */
  readonly service: string | null;
  /** Operation key, `GET /api/v1/themes`, or null. */
  readonly operation: string | null;
  /** Name and plan of the configured key that it is about; null for what holds for any key. */
  readonly key: string | null;
  readonly plan: string | null;
  /** Constant, so that operations can be compared: "maximum page size". */
  readonly subject: string;
  /** "100"; for what cannot be told a bound, "at least 100", or "unknown". */
  readonly value: string;
  readonly confidence: Confidence;
  /** How many calls it rests on; 0 for what a description says. */
  readonly calls: number;
  /** How it was found out: "a limit of 1000 is answered with so many items". */
  readonly basis: string;
  /** Ids of exchanges that show it; their records are in `exchanges`. */
  readonly exchanges: readonly string[];
  /** Fingerprint of the finding that tells the same; null where there is none. */
  readonly finding: string | null;
}

/** What differs from the last run with the same operations and clauses on the same target. */
export interface Changes {
  /** Id of that run. */
  readonly run: string;
  readonly startedAt: string;
  readonly verdict: Verdict;
  /** Fingerprints of violations and advisories that it did not have. */
  readonly appeared: readonly string[];
  /** Violations and advisories that it had, and that this run looked for and did not find. */
  readonly gone: readonly GoneFinding[];
  /** How many more it had, of which this run cannot tell: what they are on was not tested this time. */
  readonly unknown: number;
  /** Clauses whose status differs. */
  readonly clauses: readonly { readonly id: string; readonly before: ClauseStatus; readonly now: ClauseStatus }[];
}

/** What earlier runs with the same operations and clauses on the same target came to, this run the last of them. */
export interface History {
  /** Oldest first. */
  readonly runs: readonly HistoricRun[];
  /** Where judgement changed back and forth while the descriptions stayed the same. */
  readonly flaky: readonly Flaky[];
}

export interface HistoricRun {
  readonly id: string;
  readonly startedAt: string;
  readonly verdict: Verdict;
  readonly partial: boolean;
  readonly requests: number;
  readonly operationsTested: number;
  readonly violations: number;
  readonly advisories: number;
  /** Median and 99th percentile of all answers, in ms; null without an answer. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

export interface Flaky {
  readonly fingerprint: string;
  readonly clause: string;
  readonly service: string | null;
  readonly operation: string | null;
  readonly cause: string;
  /** In how many of the runs that judged it, it was seen. */
  readonly seen: number;
  readonly judged: number;
}

export type GoneFinding = Pick<Finding, 'fingerprint' | 'clause' | 'kind' | 'service' | 'operation' | 'cause'>;

export interface ClauseRow {
  readonly id: string;
  /** What the clause says; set for clauses of the user's own alone, whose rows stand after those of the contract. */
  readonly text?: string;
  readonly level: Level;
  readonly status: ClauseStatus;
  readonly reasonCode?: ReasonCode;
  readonly reason?: string;
  readonly checks: number;
  readonly violations: number;
  readonly advisories: number;
  readonly operationsInScope: number;
  readonly operationsTested: number;
  /** Violations among them that do not decide the verdict: waived, or in the baseline; absent: none. */
  readonly accepted?: number;
}

/** One operation's row: whether it was reached, and how each clause in scope fared on it. */
export interface OperationRow {
  readonly service: string;
  /** Operation key, `POST /api/v1/stores`. */
  readonly operation: string;
  /** First tag, or the path's first segment after the prefix. */
  readonly resource: string;
  readonly tested: boolean;
  /** Whether a valid call succeeded; absent in reports of older versions. */
  readonly succeeded?: boolean;
  readonly reasonCode?: ReasonCode;
  readonly reason?: string;
  readonly requests: number;
  /** HTTP status → how often it was answered ("failed" for no answer). */
  readonly statuses: Readonly<Record<string, number>>;
  /** Clause id → how the clause fared here; clauses that do not apply are left out. */
  readonly clauses: Readonly<Record<string, OperationClause>>;
  /** How long its answers took; absent in reports of older versions. */
  readonly latency?: Latency;
  /** What the description declares → how often it was sent, or answered; absent in reports of older versions. */
  readonly declared?: DeclaredUse;
}

/**
 * Durations in classes of a twelfth: class n counts those above 2^((n-1)/8) ms and up to 2^(n/8) ms, so that shares of
 * many operations can be added and still tell any percentile within 5 %.
 */
export type Latency = Readonly<Record<string, number>>;

export interface DeclaredUse {
  /** "query limit", "path storeId", "header Idempotency-Key", "body" → in how many requests. */
  readonly parameters: Readonly<Record<string, number>>;
  /** "200", "2XX", "default" → in how many answers. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface OperationClause {
  readonly status: 'pass' | 'fail' | 'not-tested' | 'observed';
  readonly checks: number;
  readonly violations: number;
  readonly advisories: number;
  readonly reasonCode?: ReasonCode;
}

export interface ServiceRow {
  readonly name: string;
  /** File or URL of the description; null when pending or absent. */
  readonly spec: string | null;
  /** SHA-256 of the description and the files it refers to; absent where there is none, and in reports of older versions. */
  readonly digest?: string;
  readonly openapi: string | null;
  readonly version: string | null;
  readonly testable: boolean;
  readonly reason?: string;
  readonly operations: number;
  readonly operationsTested: number;
  readonly requests: number;
}

/** An exchange as the report keeps it: secrets already redacted, long bodies cut (the cut is said). */
export interface ReportedExchange {
  readonly id: string;
  readonly probe: string;
  readonly credential: string;
  readonly sentAt: string;
  readonly durationMs: number;
  readonly attempt: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
  } | null;
  readonly failure: string | null;
}

/** A value and the bounds within which it is known. */
export interface Bounds {
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
  // What follows is absent in reports of older versions.
  /** What X-RateLimit-Limit says; null where it is absent. */
  readonly stated?: number | null;
  /** Sustained units a second; null where it is not known. */
  readonly unitsPerSecond?: number | null;
  /** The limiters that explain what was seen, finer than `algorithm`; empty where none does or none was looked for. */
  readonly models?: readonly string[];
  readonly limitBounds?: Bounds | null;
  readonly windowSecondsBounds?: Bounds | null;
  readonly costBounds?: Readonly<Record<string, Bounds>>;
  /** What the configuration expects of the plan; absent where it expects nothing. */
  readonly expected?: { readonly limit?: number; readonly windowSeconds?: number };
  readonly evidence?: readonly string[];
  /** Calls that it took. */
  readonly calls?: number;
}

/** What the load suites measured. */
export interface LoadPart {
  readonly plans: readonly PlanCeiling[];
  readonly capacity?: CapacityPart;
  readonly isolation?: IsolationPart;
  readonly exports?: ExportsPart;
  readonly soak?: SoakPart;
  readonly spike?: SpikePart;
  readonly pressure?: PressurePart;
  // What follows is absent in reports of older versions.
  /** Of every lane that sent something. */
  readonly series?: readonly LoadSeries[];
  readonly conformance?: LoadConformance;
}

/** What one lane of a suite sent and was answered over time, and step by step. */
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
  /** Of all but 429; null where there was nothing else. */
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
  /** What it did: "400 requests/s". */
  readonly label?: string;
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
  /** The highest rate that met the objectives; 0 where none did. */
  readonly kneeRps: number;
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
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errorRate: number;
  /** Share answered 429: no error of the platform. */
  readonly limitedRate: number;
  /** Arrivals that found no free sender. */
  readonly dropped: number;
  /** How late requests were sent, at the 99th percentile. */
  readonly lateP99Ms: number;
  /** Share of all cores that the generator took; null where nobody watched it. */
  readonly generatorCpu: number | null;
  readonly decision: 'met' | 'missed' | 'undecided' | 'void';
  readonly why: string;
}

/** A constant rate over a long time, judged slice by slice. */
export interface SoakPart extends Omit<CapacityStep, 'step'> {
  /** What held rate or time below what was wanted: "load.caps.seconds"; null: nothing did. */
  readonly heldBy: string | null;
  readonly objectives: { readonly p99Ms: number; readonly errorRate: number };
  /** Of equal length, in the order of time. Each is `soak.1`, `soak.2`… among the steps of `series` and `conformance`. */
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
  /** What held the peak below what was wanted; null: nothing did. */
  readonly heldBy: string | null;
  readonly objectives: { readonly p99Ms: number; readonly errorRate: number };
  /** Why the generator was the limit: then nothing follows for the platform; null: it was not. */
  readonly generator: string | null;
  readonly before: CapacityStep;
  readonly peak: CapacityStep;
  /** Of what was due in the peak. */
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

/** What pressed while guarantees were probed. */
export interface PressurePart {
  /** saturated: other keys called at a high rate. limited: the probing key's own limit was spent over and over. */
  readonly mode: 'saturated' | 'limited';
  /** Requests/s that arrived, and for how long. */
  readonly rps: number;
  readonly seconds: number;
  /** What became of them. */
  readonly figures: CapacityStep;
  /** Requests of the probes meanwhile; of them answered 429, and of these with an idempotency key. */
  readonly probes: number;
  readonly probesRefused: number;
  readonly keyedRefused: number;
  /** Experiments that were not begun for want of time; null where the run ended before that was known. */
  readonly left: number | null;
  readonly requests: number;
}

export interface Report {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: 'assay'; readonly version: string };
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly seed: number;
    readonly partial: boolean;
    /** The configuration, from where the run was started; absent where there was none, or where it lies elsewhere. */
    readonly config?: string;
    /** Set for a shard: it judged only its part of the operations. */
    readonly shard?: { readonly index: number; readonly count: number };
    /** What narrowed the run (`--service`, `--operation`, `--clause`, `--changed-since`); absent where nothing did. */
    readonly filters?: {
      readonly services: readonly string[];
      readonly operations: readonly string[];
      readonly clauses: readonly string[];
      /** The revision of git; absent where it does not narrow. */
      readonly changedSince?: readonly string[];
    };
    /** Digest of all operations and clauses of the run, its shards together: only parts of one scope can be joined. */
    readonly scope: string;
    /** Id of the run that this one went on from; its results are in this report. */
    readonly resumes?: string;
    /** Fewest operations that the run, or all its shards together, must have tested (`gate.minOperations`). */
    readonly minOperations?: number;
    /** Set where the run ended in a way that leaves no verdict without a violation: interrupted, target lost, an error. */
    readonly broken?: true;
    /** Why the run is partial or has no verdict: one sentence; absent for a whole run. */
    readonly note?: string;
  };
  readonly target: { readonly baseUrl: string; readonly environment: string };
  readonly verdict: Verdict;
  readonly counts: {
    readonly requests: number;
    readonly operations: number;
    readonly operationsTested: number;
    readonly checks: number;
    readonly violations: number;
    readonly advisories: number;
    /** Violations among them that do not decide the verdict; absent: none. */
    readonly accepted?: number;
  };
  readonly clauses: readonly ClauseRow[];
  readonly findings: readonly Finding[];
  /** What the source does not show and this platform does, in the order of the clauses; absent in reports of older versions. */
  readonly observations?: readonly Observation[];
  readonly services: readonly ServiceRow[];
  readonly operations: readonly OperationRow[];
  readonly exchanges: readonly ReportedExchange[];
  /** What the run created on the target and could not delete: method and path of the creating request, id. */
  readonly leftovers: readonly string[];
  /** What the load suites measured, a `LoadPart`; absent where none ran. Readers take other shapes for absent. */
  readonly load?: unknown;
  /** Absent where no such run is known. */
  readonly since?: Changes;
  /** Absent where no history is kept. */
  readonly history?: History;
  /** Set where the run was held against a baseline or waivers. */
  readonly acceptance?: Acceptance;
  /** Set where the run looked at one finding only. */
  readonly replay?: ReplayOutcome;
}
