// The result of a run as data: findings, clause rows, the report. `report.json` is exactly `Report`;
// its published JSON Schema is report.schema.json beside this file. Fields may be added, never changed.

import type { Level } from './clause.ts';
import type { RowGrounds } from './grounds.ts';
import type { Latency } from './latency.ts';
import type { Sensitivity } from './sensitivity.ts';
import type { Contract } from './terms.ts';

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

/**
 * Which operations an experiment calls beside its own. siblings: what lists and creates at its path. keyed: these, what reads an
 * item, and every operation that takes an idempotency key. item: these, and what changes and deletes an item.
 */
export type Companions = 'none' | 'siblings' | 'keyed' | 'item';

/** An experiment of a run: its probe, and the operation it is about (null: none). Performed again, it sends the same. */
export interface ExperimentName {
  readonly probe: string;
  /** Absent in reports of versions that did not say it. */
  readonly companions?: Companions;
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
  /** Operation key, `POST /v1/stores`, or null. */
  readonly operation: string | null;
  /**
   * The kind of breach, as programs know it: "err-04.differs". Findings with one code are one group. Absent in reports
   * of versions without codes.
   */
  readonly code?: string;
  /** The code in words. */
  readonly cause: string;
  readonly message: string;
  readonly expected: string;
  /** Acceptable values, where the code says what they are: names of JSON types, values of the member, media types. Absent where words alone tell, and in older reports. */
  readonly wanted?: readonly (string | number | boolean | null)[];
  readonly actual: string;
  readonly pointer: string | null;
  /** Stable over runs: clause, service, operation, code and pointer, digested. */
  readonly fingerprint: string;
  /** Ids of the exchanges that are the evidence; their records are in `exchanges`. */
  readonly exchanges: readonly string[];
  /** The traces that these requests named (W3C Trace Context), in their order: the server's own record of them. Absent: none. */
  readonly traceIds?: readonly string[];
  /** Reproduces the last exchange of the evidence; the token stands as the variable that the configuration takes it from, else as $ASSAY_TOKEN. null for findings without an exchange. */
  readonly curl: string | null;
  /** How often it was seen in this run, and of how many times it was looked at on this operation. */
  readonly occurrences: number;
  readonly looks: number;
  /**
   * How many answers of the operation showed it, of how many that the clause was judged on; judgements, where some rest on
   * several answers or on none. Of what the same request showed each time again those that showed it: others need not be able to.
   * Absent in older reports.
   */
  readonly seen?: { readonly times: number; readonly of: number; readonly what: 'answers' | 'judgements' };
  /** True when sending again showed it only sometimes; it still counts. */
  readonly intermittent: boolean;
  /** Set: a request of the evidence names something that the run made, which is gone when it ends: sent by itself it shows nothing. */
  readonly namesMade?: true;
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
 * A waiver, and whether the run had a use for it. unused: its clause was judged there, and nothing is broken.
 * not-judged: the run did not look. expired: what it waived counts again.
 */
export interface WaiverRow extends Waiver {
  readonly status: 'used' | 'unused' | 'not-judged' | 'expired';
  /** Violations that match it. */
  readonly violations: number;
}

/** Where the project stood when the run was started; null: it is in no repository of git, or on no branch. */
export interface Revision {
  readonly branch: string | null;
  readonly commit: string | null;
  /** The page of the pipeline's run; absent: no pipeline ran it, or none that is known. */
  readonly url?: string;
}

/** The breaches that people had accepted before the run, and what became of them. */
export interface Acceptance {
  /** `new`: violations of the baseline do not decide. */
  readonly failOn: 'new' | 'any';
  /** Set where the baseline accepts violations of security clauses, too. */
  readonly allowsSecurity?: true;
  /** The run compared with, with its start and revision where its report says them; null: none. `resolved` are fingerprints of its violations that were judged again and are gone. */
  readonly baseline: {
    readonly run: string;
    readonly startedAt?: string;
    readonly revision?: Revision;
    /** The contract that it was judged against, where that was another one. */
    readonly contract?: NonNullable<Report['contract']>;
    readonly resolved: readonly string[];
  } | null;
  readonly waivers: readonly WaiverRow[];
}

/** The outcome of looking again at one finding of an earlier run. */
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
  /** Operation key, `GET /v1/themes`, or null. */
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

/** The differences from the last run with the same operations and clauses on the same target. */
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
  /** The contract that it was judged against, where that was another one. */
  readonly contract?: NonNullable<Report['contract']>;
  /** Clauses whose status differs. */
  readonly clauses: readonly { readonly id: string; readonly before: ClauseStatus; readonly now: ClauseStatus }[];
}

/** The results of earlier runs with the same operations and clauses on the same target, and of this run as the last one. */
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
  readonly p50Ms?: number | null;
  readonly p99Ms?: number | null;
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

export type GoneFinding = Pick<Finding, 'fingerprint' | 'clause' | 'kind' | 'service' | 'operation' | 'code' | 'cause'>;

export interface ClauseRow {
  readonly id: string;
  /** The clause's sentence; set where a contract file words it, and for the user's own clauses, whose rows stand after all others. */
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
  /** The grounds of the row, in words: "5 lists of 3 to 57 items". Absent where nothing was judged, and in older reports. */
  readonly basis?: string;
  /** The same as numbers. */
  readonly grounds?: RowGrounds;
  /** Violations among them that do not decide the verdict: waived, or in the baseline; absent: none. */
  readonly accepted?: number;
}

/** One operation's row: whether it was reached, and how each clause in scope fared on it. */
export interface OperationRow {
  readonly service: string;
  /** Operation key, `POST /v1/stores`. */
  readonly operation: string;
  /** First tag, or the path's first segment after the prefix. */
  readonly resource: string;
  /** True where it succeeded at least once, or was called and is described to refuse alone. */
  readonly tested: boolean;
  /** True where a valid call succeeded; absent in reports of older versions. */
  readonly succeeded?: boolean;
  readonly reasonCode?: ReasonCode;
  readonly reason?: string;
  readonly requests: number;
  /** Answers with a 2xx status that arrived whole; absent in reports of older versions. */
  readonly successes?: number;
  /** `empty`: each list that it answered was empty; absent where it answered none, and in reports of older versions. */
  readonly lists?: 'empty' | 'filled';
  /** HTTP status → how often it was answered ("failed" for no answer). */
  readonly statuses: Readonly<Record<string, number>>;
  /** Clause id → how the clause fared here; clauses that do not apply are left out. */
  readonly clauses: Readonly<Record<string, OperationClause>>;
  /** How long its answers took; absent in reports of older versions. */
  readonly latency?: Latency;
  /** Each use that the description declares → how often it was sent, or answered; absent in reports of older versions. */
  readonly declared?: DeclaredUse;
  /** Which input the description spans, and how much of it was sent and answered; absent in reports of older versions. */
  readonly inputs?: InputCoverage;
}

export interface InputCoverage {
  readonly targets: number;
  readonly exercised: number;
  readonly open: readonly OpenInput[];
}

/** Input that no answered request of the run carried. */
export interface OpenInput {
  /** "/query/limit", "/header/X-Trace", "/body/items/0/price" with "*" for the index. */
  readonly at: string;
  /** "absent", "minimum", "branch 2", "breaks maxLength", "hostile nul". */
  readonly kind: string;
  readonly reason: ReasonCode;
  /** The reason in words, where the code does not say it all. */
  readonly note?: string;
}

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

/**
 * An error of Assay itself. What it was judging or probing counts for nothing, violations aside, and a run with one has
 * no verdict unless something is violated.
 */
export interface HarnessError {
  /** Clauses whose judgement rests on what failed; empty where it is done for no clause in particular. */
  readonly clauses: readonly string[];
  /** "check", "probe auth/no-token", "stage reach". */
  readonly where: string;
  /** Class of the error: "RangeError". */
  readonly error: string;
  /** File and line in the package: "src/checks/idem/difference.ts:27"; null where the error does not tell. */
  readonly at: string | null;
  /** Id of the exchange that caused it; null where there is none. */
  readonly exchange: string | null;
  /** How often it happened. */
  readonly times: number;
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
  /** The trace that the request named in its traceparent header: 32 hex digits. Absent: it named none. */
  readonly traceId?: string;
}

/** The objects that a run made on its target, in numbers. */
export interface Created {
  readonly made: number;
  readonly deleted: number;
  /** As many as `leftovers` has lines. */
  readonly left: number;
  /** Requests that were not answered, and of which nobody can tell whether something came of them; absent: none. */
  readonly unknown?: number;
  /** Things that the run changed, did not make and could not put back: a line each, with the reason; absent: none. */
  readonly changed?: readonly string[];
  /** limits.created, as the run kept them. */
  readonly limits: { readonly perOperation: number; readonly total: number };
  readonly operations: readonly CreatedByOperation[];
}

export interface CreatedByOperation {
  readonly service: string | null;
  /** Operation key, `POST /v1/stores`. */
  readonly operation: string;
  readonly made: number;
  readonly deleted: number;
  readonly left: number;
  /** True where a DELETE is described for the objects that the operation makes. */
  readonly deletable: boolean;
  /** Why something is left, each reason once. */
  readonly reasons: readonly string[];
  /** How many requests were not sent because limits.created was reached; absent: none. */
  readonly heldBack?: number;
}

/** The options that a run without a configuration was started with, as `assay conform` takes them; of secrets, their sources. */
export interface DescribedRun {
  /** A file, from where the run was started or absolute, or a URL. */
  readonly description: string;
  readonly baseUrl: string;
  /** "X-Gate: env:GATE" each. */
  readonly headers: readonly string[];
  /** "api_key=env:PETS_KEY" each. */
  readonly keys: readonly string[];
  /** Absent: as the kind of the target says. */
  readonly mutations?: 'allow' | 'deny';
  /** A file, from where the run was started or absolute, or a contract that ships; absent: the description alone. */
  readonly contract?: string;
}

export interface Report {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: 'assay'; readonly version: string };
  readonly run: {
    readonly id: string;
    /** The command that judged, where its findings cannot be shown again by `assay conform`; absent where they can. */
    readonly command?: 'webhooks' | 'client' | 'check' | 'proxy';
    readonly startedAt: string;
    readonly durationMs: number;
    readonly seed: number;
    readonly partial: boolean;
    /** The configuration, from where the run was started; absent where there was none, or where it lies elsewhere. */
    readonly config?: string;
    /** Set for a run by a description alone; absent where a configuration named the target. */
    readonly described?: DescribedRun;
    /** Set for a shard: it judged only its part of the operations. */
    readonly shard?: { readonly index: number; readonly count: number };
    /** The filters that narrowed the run (`--service`, `--operation`, `--clause`, `--changed-since`); absent where none did. */
    readonly filters?: {
      readonly services: readonly string[];
      readonly operations: readonly string[];
      readonly clauses: readonly string[];
      /** The revision of git; absent where it does not narrow. */
      readonly changedSince?: readonly string[];
      /** The operations that `skip` and `--exclude` left out, each with its reason; absent where there were none. */
      readonly excluded?: readonly string[];
    };
    /** keep: the texts of `error.message` stand in the evidence; absent: they are redacted. */
    readonly errorMessages?: 'keep';
    /** Names of the user's hooks around requests, which may have added headers to them; absent where there were none. */
    readonly hooks?: readonly string[];
    /** Digest of all operations and clauses of the run, its shards together: only parts of one scope can be joined. */
    readonly scope: string;
    /** Digest of what the configuration says of requests and judgements, tokens and addresses aside; absent in older reports. */
    readonly settings?: string;
    /** The overlay of the configuration that `--env` chose; absent where none was. */
    readonly env?: string;
    /** Where a trace is looked at: a URL that holds `{traceId}`; absent: the configuration names none. */
    readonly traceUrl?: string;
    /** Absent in older reports, and where neither git nor a pipeline tells it. */
    readonly revision?: Revision;
    /** Id of the run that this one went on from; its results are in this report. */
    readonly resumes?: string;
    /** Fewest operations that the run, or all its shards together, must have tested (`gate.minOperations`). */
    readonly minOperations?: number;
    /** Set where the run ended in a way that leaves no verdict without a violation: interrupted, target lost, an error. */
    readonly broken?: true;
    /** Why the run is partial or has no verdict: one sentence; absent for a whole run. */
    readonly note?: string;
  };
  readonly target: {
    readonly baseUrl: string;
    readonly environment: string;
    /** Set where the target was the embedded reference platform, started for the run. */
    readonly embedded?: true;
    /** The command of the client that was judged; the platform was played for it. Absent where a platform was judged. */
    readonly client?: string;
    /** The environment variables from which the configuration takes tokens: "key ent-1" → "ASSAY_ENTERPRISE". Absent: none. */
    readonly tokenVariables?: Readonly<Record<string, string>>;
  };
  /** The contract by which the target was judged; absent in older reports, and where a client was. */
  readonly contract?: Pick<Contract, 'name' | 'file' | 'digest'>;
  readonly verdict: Verdict;
  readonly counts: {
    readonly requests: number;
    readonly operations: number;
    readonly operationsTested: number;
    /** Operations that answered with a success; absent in reports of older versions, and of load runs. */
    readonly operationsSucceeded?: number;
    readonly checks: number;
    /** Checks of must clauses on answers of the target; absent in reports of older versions, and of load runs. */
    readonly checksOnAnswers?: number;
    readonly violations: number;
    readonly advisories: number;
    /** Violations among them that do not decide the verdict; absent: none. */
    readonly accepted?: number;
  };
  readonly clauses: readonly ClauseRow[];
  readonly findings: readonly Finding[];
  /** Behaviour that the source does not show and this platform does, in the order of the clauses; absent in older reports. */
  readonly observations?: readonly Observation[];
  readonly services: readonly ServiceRow[];
  readonly operations: readonly OperationRow[];
  /** The rows of operations that the run does not answer for, another shard's above all; absent: it saw none. */
  readonly elsewhere?: readonly OperationRow[];
  readonly exchanges: readonly ReportedExchange[];
  /** Errors of Assay itself; absent: none. */
  readonly harnessErrors?: readonly HarnessError[];
  /** The objects that the run created on the target and could not delete: method and path of the creating request, id. */
  readonly leftovers: readonly string[];
  /** The objects that the run made on the target, and how many of them are left; absent in reports of older versions. */
  readonly created?: Created;
  /** How many planted defects the run would have noticed; absent where that was not asked. */
  readonly sensitivity?: Sensitivity;
  /** The results of the load suites, a `LoadPart`; absent where none ran. Readers take other shapes for absent. */
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
