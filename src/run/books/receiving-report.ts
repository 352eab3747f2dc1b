// The report of a run that judges what others send (webhooks, a client's requests): a row for every clause, of which it judges some.
import type { BroughtCheck } from '../../checks/own-check.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import type { Clause } from '../../contract/clause.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { commandOf } from '../../contract/judged-by.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { VERSION } from '../../contract/package-root.ts';
import type { ClauseRow, Report } from '../../contract/report.ts';
import { sealed } from '../../exchange/sealed.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import type { Absence } from '../../grading/rows.ts';
import { verdictOfReport } from '../../grading/verdict.ts';
import { settingsOf } from '../plan/settings.ts';
import { scopeOf } from '../plan/shard.ts';
import type { Ledger } from './ledger.ts';
import { OwnChecks } from './own-checks.ts';
import { spanOf } from './report.ts';

export interface ReceivingFacts {
  readonly config: Config;
  readonly options: RunOptions;
  readonly checks: readonly BroughtCheck[];
  readonly redactor: Redactor;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface ReceivingCourse {
  readonly command: 'webhooks' | 'client';
  readonly ledger: Ledger;
  readonly target: Report['target'];
  /** Requests that were received. */
  readonly requests: number;
  /** Set where the run ended before its time. */
  readonly ended: Absence | null;
  /** Sentences on how the run went. */
  readonly notes: readonly string[];
  rowOf(clause: Clause): ClauseRow;
}

/** The report. What was received cannot be shown again by sending it, so that no finding has a command. */
export function receivingReport(facts: ReceivingFacts, course: ReceivingCourse): Report {
  const { ledger, target, requests, rowOf } = course;
  const clauses = [...CLAUSES, ...new OwnChecks(facts.checks).clauses].map(rowOf);
  const run = runOf(facts, course);
  const counts = {
    requests,
    ...{ operations: 0, operationsTested: 0 },
    ...{ checks: ledger.checks, violations: ledger.violations, advisories: ledger.advisories },
  };
  const report: Report = {
    schemaVersion: 1,
    tool: { name: 'assay', version: VERSION },
    run,
    target,
    verdict: verdictOfReport({ run, counts, clauses }),
    counts,
    clauses,
    findings: ledger.findings().map((finding) => ({ ...finding, curl: null })),
    observations: ledger.observations.rows(),
    ...{ services: [], operations: [], exchanges: ledger.evidence(), leftovers: [] },
  };
  return sealed(report, facts.redactor);
}

/** A judgement without secrets: it may quote what came over the wire, and anybody may write anything there. */
export function redactedJudgement(judgement: Judgement, redactor: Redactor): Judgement {
  return JSON.parse(JSON.stringify(judgement), (_key, value) =>
    typeof value === 'string' ? redactor.redact(value) : value,
  );
}

/** Why a clause that the run does not judge, or was told to leave out, has no tally; null for any other. */
export function notJudged(clause: Clause, judged: readonly string[], { clauses }: RunOptions): Absence | null {
  if (!judged.includes(clause.id))
    return { reasonCode: 'other-command', reason: `judged by ${commandOf(clause.id) ?? 'assay conform'}` };
  return clauses.length > 0 && !clauses.includes(clause.id)
    ? { reasonCode: 'filtered', reason: 'left out by --clause' }
    : null;
}

function runOf(facts: ReceivingFacts, { command, ended, notes }: ReceivingCourse): Report['run'] {
  const { config, options, startedAtMs, endedAtMs } = facts;
  const { services, operations, clauses } = options;
  return {
    ...spanOf({ runId: options.runId ?? `run-${startedAtMs.toString(36)}`, startedAtMs, endedAtMs }),
    command,
    seed: options.seed,
    partial: ended !== null,
    ...(ended !== null && ended.reasonCode !== 'time-limit' ? { broken: true } : {}),
    scope: scopeOf([], clauses),
    settings: settingsOf(config),
    ...(services.length + clauses.length > 0 ? { filters: { services, operations, clauses } } : {}),
    ...(notes.length === 0 ? {} : { note: notes.join('; ') }),
  };
}
