// From judged scenarios to the report: a row for every clause, of which only those of CLIENT are judged here.
import { CLIENT_JUDGES } from '../../checks/client/judges.ts';
import { idleReason, type ScenarioJudgement } from '../../checks/client/scenario-judgement.ts';
import type { BroughtCheck } from '../../checks/own-check.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import { VERSION } from '../../config/package-root.ts';
import type { Clause } from '../../contract/clause.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import type { Scenario } from '../../contract/client.ts';
import { commandOf } from '../../contract/dossiers.ts';
import { holds, resting } from '../../contract/judgement.ts';
import type { ClauseRow, Report } from '../../contract/report.ts';
import { clientExchange } from '../../exchange/client-run.ts';
import { sealed } from '../../exchange/sealed.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import { type Absence, clauseRow } from '../../grading/rows.ts';
import { verdictOfReport } from '../../grading/verdict.ts';
import { Ledger } from '../books/ledger.ts';
import { OwnChecks } from '../books/own-checks.ts';
import { redactedJudgement } from '../books/redacted-judgement.ts';
import { settingsOf } from '../plan/settings.ts';
import { NOWHERE, scopeOf } from '../plan/shard.ts';
import type { ClientCommand, PlayedRun } from './playing.ts';

export interface ClientFacts {
  readonly config: Config;
  readonly options: RunOptions;
  readonly checks: readonly BroughtCheck[];
  readonly client: ClientCommand;
  readonly runs: readonly PlayedRun[];
  readonly judgements: readonly (ScenarioJudgement & { readonly clause: string })[];
  readonly redactor: Redactor;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Set where the run ended before its time. */
  readonly ended: Absence | null;
}

/** The report of a run with a client. */
export function clientReport(facts: ClientFacts): Report {
  const { config, client, runs } = facts;
  const own = new OwnChecks(facts.checks);
  const ledger = booked(facts);
  const clauses = [...CLAUSES, ...own.clauses].map((clause) => rowOf(clause, ledger, facts));
  const run = runOf(facts);
  const counts = {
    requests: runs.reduce((sum, { requests }) => sum + requests.length, 0),
    ...{ operations: 0, operationsTested: 0 },
    ...{ checks: ledger.checks, violations: ledger.violations, advisories: ledger.advisories },
  };
  const report: Report = {
    schemaVersion: 1,
    tool: { name: 'assay', version: VERSION },
    run,
    target: {
      baseUrl: 'http://127.0.0.1',
      environment: config.target.environment,
      client: client.command.map(quoted).join(' '),
    },
    verdict: verdictOfReport({ run, counts, clauses }),
    counts,
    clauses,
    // What a client sent cannot be shown again by sending it.
    findings: ledger.findings().map((finding) => ({ ...finding, curl: null })),
    observations: [],
    ...{ services: [], operations: [], exchanges: ledger.evidence(), leftovers: [] },
  };
  return sealed(report, facts.redactor);
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

/** The judgements that take part, in the books: each breach by itself, and together all scenarios in which a clause holds. */
function booked({ config, options, redactor, judgements }: ClientFacts): Ledger {
  const ledger = new Ledger({ promote: config.promote, expected: [] });
  for (const clause of Object.keys(CLIENT_JUDGES)) {
    if (options.clauses.length > 0 && !options.clauses.includes(clause)) continue;
    const own = judgements.filter((one) => one.clause === clause);
    for (const { run, judgement, evidence } of own) {
      if (judgement.kind === 'holds') continue;
      const base = (run as PlayedRun).baseUrl;
      const exchanges = evidence.map((request) => clientExchange(request, base, redactor));
      const scenarios = { scenarios: 1 };
      ledger.book(clause, NOWHERE, resting(redactedJudgement(judgement, redactor), scenarios), exchanges);
    }
    const held = own.flatMap(({ judgement }) => (judgement.kind === 'holds' ? [judgement.assertions] : []));
    const assertions = held.reduce((sum, one) => sum + one, 0);
    if (held.length > 0) ledger.book(clause, NOWHERE, resting(holds(assertions), { scenarios: held.length }), []);
  }
  return ledger;
}

function rowOf(clause: Clause, ledger: Ledger, facts: ClientFacts): ClauseRow {
  const row = clauseRow(clause, ledger.tallies(clause.id), absenceOf(clause, facts), false);
  if (row.checks === 0) return row;
  const told = facts.judgements.filter((one) => one.clause === clause.id && one.judgement.kind !== 'cannot-tell');
  return { ...row, basis: basisIn(told.map(({ run }) => run.scenario)) };
}

const MOST_NAMED = 12;

/** "5 scenarios: read-store (400, 404), create-store (400, 409)". */
function basisIn(scenarios: readonly Scenario[]): string {
  const byTask = [...Map.groupBy(scenarios, ({ task }) => task)];
  const count = `${scenarios.length} ${scenarios.length === 1 ? 'scenario' : 'scenarios'}`;
  if (scenarios.length > MOST_NAMED) return `${count} of ${byTask.map(([task]) => task).join(', ')}`;
  const named = byTask.map(([task, all]) => `${task} (${all.map(({ title }) => title).join(', ')})`);
  return `${count}: ${named.join('; ')}`;
}

/** Why a clause has no tally. */
function absenceOf(clause: Clause, facts: ClientFacts): Absence {
  const { options, runs, ended } = facts;
  if (!Object.hasOwn(CLIENT_JUDGES, clause.id))
    return { reasonCode: 'other-command', reason: `judged by ${commandOf(clause.id) ?? 'assay conform'}` };
  if (options.clauses.length > 0 && !options.clauses.includes(clause.id))
    return { reasonCode: 'filtered', reason: 'left out by --clause' };
  if (ended !== null) return ended;
  const reasons = new Set(runs.flatMap((run) => idleReason(run) ?? []));
  const reason = [...reasons].join('; ');
  return { reasonCode: 'precondition', reason: reason === '' ? 'no scenario gave occasion to judge it' : reason };
}

function runOf(facts: ClientFacts): Report['run'] {
  const { config, options, ended } = facts;
  const { services, operations, clauses } = options;
  const note = noteOf(facts);
  return {
    id: options.runId ?? `run-${facts.startedAtMs.toString(36)}`,
    command: 'client',
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

const MOST_LINES = 3;

/** What is to be said of how the run went; null: nothing. */
function noteOf({ runs, ended }: ClientFacts): string | null {
  const idle = runs.find(({ scenario, requests }) => scenario.trouble === null && requests.length === 0);
  const isSilent = idle !== undefined && runs.every(({ requests }) => requests.length === 0);
  const refused = runs.reduce((sum, run) => sum + run.refused, 0);
  const notes = [
    ...(ended === null ? [] : [ended.reason]),
    ...(isSilent ? [`the command sent nothing: ${idle.ended}${lastLines(idle.errors)}`] : []),
    ...(refused === 0 ? [] : [`${refused} requests could not be read, or were too large, and were refused`]),
    ...(runs.some(({ ending }) => ending === 'flooded') ? ['the command was ended because it wrote too much'] : []),
  ];
  return notes.length === 0 ? null : notes.join('; ');
}

function lastLines(errors: string): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? '' : ` (${lines.slice(-MOST_LINES).join(' | ')})`;
}
