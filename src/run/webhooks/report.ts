// From judged deliveries to the report: a row for every clause, of which only those of HOOK are judged here.
import { HOOK_CLAUSES, type HookJudgement } from '../../checks/hook/deliveries.ts';
import type { BroughtCheck } from '../../checks/own-check.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import { VERSION } from '../../config/package-root.ts';
import type { Clause } from '../../contract/clause.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { commandOf } from '../../contract/dossiers.ts';
import type { Report } from '../../contract/report.ts';
import { deliveredExchange } from '../../exchange/delivered-exchange.ts';
import { sealed } from '../../exchange/sealed.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import { type Absence, clauseRow } from '../../grading/rows.ts';
import { verdictOfReport } from '../../grading/verdict.ts';
import { Ledger } from '../books/ledger.ts';
import { OwnChecks } from '../books/own-checks.ts';
import { redactedJudgement } from '../books/redacted-judgement.ts';
import { targetOf } from '../books/report.ts';
import { settingsOf } from '../plan/settings.ts';
import { NOWHERE, scopeOf } from '../plan/shard.ts';
import type { Received } from './receiving.ts';

export interface WebhookFacts {
  readonly config: Config;
  readonly options: RunOptions;
  readonly checks: readonly BroughtCheck[];
  readonly redactor: Redactor;
  readonly received: Received;
  readonly judgements: readonly HookJudgement[];
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

const RECORDING = 'http://recorded.invalid';

/** The report of a run on webhooks. */
export function webhookReport(facts: WebhookFacts): Report {
  const { config, received } = facts;
  const own = new OwnChecks(facts.checks);
  const ledger = booked(facts);
  const rowOf = (clause: Clause) => clauseRow(clause, ledger.tallies(clause.id), absenceOf(clause, facts), false);
  const clauses = [...CLAUSES, ...own.clauses].map(rowOf);
  const run = runOf(facts);
  const counts = {
    requests: received.deliveries.length,
    ...{ operations: 0, operationsTested: 0 },
    ...{ checks: ledger.checks, violations: ledger.violations, advisories: ledger.advisories },
  };
  const report: Report = {
    schemaVersion: 1,
    tool: { name: 'assay', version: VERSION },
    run,
    target: targetOf(config.target),
    verdict: verdictOfReport({ run, counts, clauses }),
    counts,
    clauses,
    // What the platform sent cannot be shown again by sending it.
    findings: ledger.findings().map((finding) => ({ ...finding, curl: null })),
    observations: ledger.observations.rows(),
    ...{ services: [], operations: [], exchanges: ledger.evidence(), leftovers: [] },
  };
  return sealed(report, facts.redactor);
}

/** The judgements that take part, in the books. */
function booked({ config, options, redactor, received, judgements }: WebhookFacts): Ledger {
  const ledger = new Ledger({ promote: config.promote, expected: [] });
  const base = received.url === null ? RECORDING : received.url.replace(/\/$/, '');
  for (const { clause, judgement, evidence } of judgements) {
    if (options.clauses.length > 0 && !options.clauses.includes(clause)) continue;
    const shown = judgement.kind === 'breached' ? evidence : [];
    const exchanges = shown.map((delivery) => deliveredExchange(delivery, base, redactor));
    ledger.book(clause, NOWHERE, redactedJudgement(judgement, redactor), exchanges);
  }
  return ledger;
}

/** Why a clause has no tally. */
function absenceOf(clause: Clause, { options, received }: WebhookFacts): Absence {
  if (!(HOOK_CLAUSES as readonly string[]).includes(clause.id))
    return { reasonCode: 'other-command', reason: `judged by ${commandOf(clause.id) ?? 'assay conform'}` };
  if (options.clauses.length > 0 && !options.clauses.includes(clause.id))
    return { reasonCode: 'filtered', reason: 'left out by --clause' };
  return received.ended ?? { reasonCode: 'precondition', reason: nothingDelivered(received) };
}

function nothingDelivered({ waitedSeconds }: Received): string {
  return `nothing was delivered ${waitedSeconds === null ? 'in the recording' : `within ${Math.round(waitedSeconds)} s`}`;
}

function runOf(facts: WebhookFacts): Report['run'] {
  const { config, options, received } = facts;
  const { ended } = received;
  const { services, operations, clauses } = options;
  const note = noteOf(facts);
  return {
    id: options.runId ?? `run-${facts.startedAtMs.toString(36)}`,
    command: 'webhooks',
    startedAt: new Date(facts.startedAtMs).toISOString(),
    durationMs: Math.round(facts.endedAtMs - facts.startedAtMs),
    seed: options.seed,
    partial: ended !== null,
    ...(ended !== null && ended.reasonCode !== 'time-limit' ? { broken: true } : {}),
    scope: scopeOf([], clauses),
    settings: settingsOf(config),
    ...(services.length + clauses.length > 0 ? { filters: { services, operations, clauses } } : {}),
    ...(note === null ? {} : { note }),
  };
}

/** What is to be said of how the run went; null: nothing. */
function noteOf({ config, received }: WebhookFacts): string | null {
  const notes = [
    ...(received.ended === null ? [] : [received.ended.reason]),
    ...(received.deliveries.length === 0 ? [nothingDelivered(received)] : []),
    ...(config.webhooks === null ? ['no secret is configured (webhooks.secret), so no signature was judged'] : []),
    ...received.notes,
  ];
  return notes.length === 0 ? null : notes.join('; ');
}
