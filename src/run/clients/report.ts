// From judged scenarios to the report: of all clauses only those of CLIENT are judged here.

import { CLIENT_JUDGES, OF_FIGURES } from '../../checks/client/judges.ts';
import { idleReason, type ScenarioJudgement } from '../../checks/client/scenario-judgement.ts';
import type { Clause } from '../../contract/clause.ts';
import type { Scenario } from '../../contract/client.ts';
import { withValues } from '../../contract/code.ts';
import { holds, type Judgement, resting } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { ClauseRow, Report } from '../../contract/report.ts';
import { clientExchange } from '../../exchange/client-run.ts';
import { type Absence, clauseRow } from '../../grading/rows.ts';
import { Ledger } from '../books/ledger.ts';
import { notJudged, type ReceivingFacts, receivingReport, redactedJudgement } from '../books/receiving-report.ts';
import { NOWHERE } from '../plan/shard.ts';
import type { ClientCommand, PlayedRun } from './playing.ts';

export interface ClientFacts extends ReceivingFacts {
  readonly client: ClientCommand;
  readonly runs: readonly PlayedRun[];
  readonly judgements: readonly (ScenarioJudgement & { readonly clause: string })[];
  /** Set where the run ended before its time. */
  readonly ended: Absence | null;
}

/** The report of a run with a client. */
export function clientReport(facts: ClientFacts): Report {
  const { config, client, runs, ended } = facts;
  const ledger = booked(facts);
  return receivingReport(facts, {
    command: 'client',
    ledger,
    target: {
      baseUrl: 'http://127.0.0.1',
      environment: config.target.environment,
      client: client.command.map(quoted).join(' '),
    },
    requests: runs.reduce((sum, { requests }) => sum + requests.length, 0),
    ended,
    notes: notesOf(facts),
    rowOf: (clause) => rowOf(clause, ledger, facts),
  });
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

/** The judgements that take part, in the books: each breach by itself, and together all scenarios in which a clause holds. */
function booked({ config, options, redactor, client, judgements }: ClientFacts): Ledger {
  const ledger = new Ledger({ promote: config.promote, expected: [] });
  for (const clause of Object.keys(CLIENT_JUDGES)) {
    if (options.clauses.length > 0 && !options.clauses.includes(clause)) continue;
    const own = judgements.filter((one) => one.clause === clause);
    for (const { run, judgement, evidence } of own) {
      if (judgement.kind === 'holds') continue;
      const base = (run as PlayedRun).baseUrl;
      const exchanges = evidence.map((request) => clientExchange(request, base, redactor));
      const told = naming(redactedJudgement(judgement, redactor), client.name);
      ledger.book(clause, NOWHERE, resting(told, { scenarios: 1 }), exchanges);
    }
    const held = own.flatMap(({ judgement }) => (judgement.kind === 'holds' ? [judgement.assertions] : []));
    const assertions = held.reduce((sum, one) => sum + one, 0);
    if (held.length > 0) ledger.book(clause, NOWHERE, resting(holds(assertions), { scenarios: held.length }), []);
  }
  return ledger;
}

/** The judgement, told of the client of this name: a certificate may speak of several, which break a clause alike. */
function naming(judgement: Judgement, name: string | null): Judgement {
  if (name === null || judgement.kind !== 'breached') return judgement;
  const breaches = judgement.breaches.map((breach) => ({
    ...breach,
    code: withValues(breach.code, name),
    cause: `the client ${name}: ${breach.cause}`,
    message: `the client ${name}: ${breach.message}`,
  }));
  return { ...judgement, breaches };
}

function rowOf(clause: Clause, ledger: Ledger, facts: ClientFacts): ClauseRow {
  const row = clauseRow(clause, ledger.tallies(clause.id), absenceOf(clause, facts), { judgedAsMust: false });
  if (row.checks === 0) return cutShort(row, facts);
  const told = facts.judgements.filter((one) => one.clause === clause.id && one.judgement.kind !== 'cannot-tell');
  return { ...row, basis: basisIn(told.map(({ run }) => run.scenario)) };
}

/** The row; scenarios that were too few because the run ended before its time say so. */
function cutShort(row: ClauseRow, { judgements, ended }: ClientFacts): ClauseRow {
  const isShort = judgements.some(({ clause, judgement }) => clause === row.id && judgement.kind === 'holds');
  if (ended === null || !isShort) return row;
  return { ...row, reasonCode: ended.reasonCode, reason: `${ended.reason}: ${row.reason}` };
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
function absenceOf(clause: Clause, { config, options, runs, ended }: ClientFacts): Absence {
  const { name, terms } = config.stated;
  if (terms.clients === null && OF_FIGURES.includes(clause.id))
    return { reasonCode: 'not-declared', reason: `the contract ${name} does not state it (clients)` };
  const reasons = new Set(runs.flatMap((run) => idleReason(run) ?? []));
  const reason = [...reasons].join('; ');
  const idle: Absence = {
    reasonCode: 'precondition',
    reason: reason === '' ? 'no scenario exercised it' : reason,
  };
  return notJudged(clause, Object.keys(CLIENT_JUDGES), options) ?? ended ?? idle;
}

const MOST_LINES = 3;

/** The sentences on how the run went. */
function notesOf({ runs, ended }: ClientFacts): readonly string[] {
  const idle = runs.find(({ scenario, requests }) => scenario.trouble === null && requests.length === 0);
  const isSilent = idle !== undefined && runs.every(({ requests }) => requests.length === 0);
  const refused = runs.reduce((sum, run) => sum + run.refused, 0);
  const left = runs.reduce((sum, run) => sum + run.leftBehind, 0);
  return [
    ...(ended === null ? [] : [ended.reason]),
    ...(isSilent ? [`the command sent nothing: ${idle.ended}${lastLines(idle.errors)}`] : []),
    ...(refused === 0 ? [] : [`${plural(refused, 'request')} could not be read, or were too large, and were refused`]),
    ...(left === 0
      ? []
      : [`ended ${plural(left, 'process', 'processes')} that the command had left behind in the background`]),
    ...(runs.some(({ ending }) => ending === 'flooded') ? ['the command was ended because it wrote too much'] : []),
  ];
}

function lastLines(errors: string): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? '' : ` (${lines.slice(-MOST_LINES).join(' | ')})`;
}
