// From the run's books to the report: one row a clause, one row an operation, the verdict.

import { computeAtOnce, type Pieces } from '../../clock/pieces.ts';
import type { Config, Replayed, RunOptions } from '../../config/config.ts';
import { skipWords } from '../../config/skip.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { wordedBy } from '../../contract/contract.ts';
import { plural } from '../../contract/numbers.ts';
import { VERSION } from '../../contract/package-root.ts';
import type {
  ClauseRow,
  Created,
  OperationRow,
  ReplayOutcome,
  Report,
  ReportedExchange,
} from '../../contract/report.ts';
import { MISSED_REASONS } from '../../contract/sensitivity.ts';
import { sealInPieces } from '../../exchange/sealed.ts';
import { growInputs } from '../../generate/targets/operation-inputs.ts';
import { type Absence, clauseRow, type Tally } from '../../grading/rows.ts';
import { verdictOfReport, verdictOnReplay } from '../../grading/verdict.ts';
import { isUnlike } from '../perform/replay.ts';
import { DEPTH_SECONDS } from '../perform/stages.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import { depthPerOperation } from '../plan/depth.ts';
import { absenceOf, selectOperations } from '../plan/selection.ts';
import { settingsOf } from '../plan/settings.ts';
import { scopeOf } from '../plan/shard.ts';
import type { Why } from '../sensitivity/plant-book.ts';
import type { Books } from './books.ts';
import type { Ledger } from './ledger.ts';
import { elsewhereRows, ofUnserved, operationRow, serviceRow, skippedRows } from './report-rows.ts';
import type { RunFacts } from './run-facts.ts';

/** The report of a run, whole or ended early: without any secret, whoever renders it. */
export function buildReport(facts: RunFacts): Report {
  return computeAtOnce(buildInPieces(facts));
}

/** The same, a row at a time: operations first, and the rest of what the run found at one moment. */
export function* buildInPieces(facts: RunFacts): Pieces<Report> {
  const { input, books, ended } = facts;
  const { config, options, redactor } = input;
  const { ledger, errors } = books;
  const rows: OperationRow[] = [];
  for (const described of facts.scope.share.own) {
    yield* growInputs(described.description, described.operation);
    rows.push(operationRow(described, facts));
    yield;
  }
  const operations = [...rows, ...skippedRows(facts)];
  const clauses = clauseRows(facts);
  const run = runOf(facts);
  const elsewhere = elsewhereRows(facts);
  const counts = countsOf(facts.session.sent, ledger, operations);
  const report: Report = {
    schemaVersion: 1,
    tool: { name: 'assay', version: VERSION },
    run,
    target: targetOf(config.target, config.tokenVariables),
    contract: namedContract(config),
    verdict:
      options.replay === undefined
        ? verdictOfReport({ run, counts, clauses })
        : verdictOnReplay(clauses, { isBroken: ended !== null || isUnlike(facts, options.replay) }),
    counts,
    clauses,
    findings: ledger.findings().map((one) => ofUnserved(facts, one)),
    observations: ledger.observations.rows(),
    services: config.services.map((service) => serviceRow(service.name, input, operations)),
    operations,
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
    exchanges: evidenceIn(books),
    ...(errors.rows().length === 0 ? {} : { harnessErrors: errors.rows() }),
    leftovers: books.creations.lines(),
    created: createdOf(facts),
    ...sensitivityOf(facts),
    ...(options.replay === undefined ? {} : { replay: replayOutcome(facts, options.replay) }),
  };
  return yield* sealInPieces(report, redactor);
}

/** A row for each clause, in the words of the contract. */
function clauseRows({ input: { config, options }, scope, books: { ledger }, ended }: RunFacts): readonly ClauseRow[] {
  const { expected, own, selected, catalogue } = scope;
  const unskipped = selectOperations(catalogue, { ...options, skipped: [] });
  return [...CLAUSES, ...own.clauses].map((clause) => {
    const absence = absenceOf(clause, config, options, ended, selected, unskipped);
    const worded = wordedBy(config.stated, clause);
    return clauseRow(worded, ledger.tallies(clause.id), absence, { judgedAsMust: expected.includes(clause.id) });
  });
}

/** The counts of the whole run. */
export function countsOf(requests: number, ledger: Ledger, operations: readonly OperationRow[]): Report['counts'] {
  return {
    requests,
    operations: operations.length,
    operationsTested: operations.filter((row) => row.tested).length,
    operationsSucceeded: operations.filter(({ successes = 0 }) => successes > 0).length,
    checks: ledger.checks,
    checksOnAnswers: ledger.checksOnAnswers,
    violations: ledger.violations,
    advisories: ledger.advisories,
  };
}

/** The contract as reports name it. */
export function namedContract({ stated: { name, file, digest } }: Config): NonNullable<Report['contract']> {
  return { name, file, digest };
}

/** The target as reports name it. */
export function targetOf(
  { baseUrl, environment, embedded }: Config['target'],
  tokenVariables: Config['tokenVariables'] = {},
): Report['target'] {
  return {
    ...{ baseUrl, environment },
    ...(embedded === undefined ? {} : { embedded }),
    ...(Object.keys(tokenVariables).length === 0 ? {} : { tokenVariables }),
  };
}

/** Every exchange that the report points to, once. */
export function evidenceIn({ ledger, errors }: Pick<Books, 'ledger' | 'errors'>): readonly ReportedExchange[] {
  const all = [...ledger.evidence(), ...errors.evidence()];
  return [...new Map(all.map((exchange) => [exchange.id, exchange])).values()];
}

/** The objects that the run made, and the number that limits.created kept it from making. */
function createdOf({ input: { config }, books: { creations }, bound, originals, ended }: RunFacts): Created {
  const untried = ended?.reasonCode === 'target-lost' ? 'the target was lost before it was deleted' : undefined;
  const operations = creations.byOperation(untried).map((row) => {
    const heldBack = bound.heldBack.get(spotKey(row)) ?? 0;
    return heldBack === 0 ? row : { ...row, heldBack };
  });
  const sum = (of: 'made' | 'deleted' | 'left'): number => operations.reduce((total, row) => total + row[of], 0);
  const { unknown } = creations.requests;
  const changed = originals.stays();
  return {
    ...{ made: sum('made'), deleted: sum('deleted'), left: sum('left'), limits: config.limits.created },
    ...(unknown === 0 ? {} : { unknown }),
    ...(changed.length === 0 ? {} : { changed }),
    operations,
  };
}

/** How much the run would have noticed, where that was asked. */
function sensitivityOf(facts: RunFacts): Pick<Report, 'sensitivity'> {
  const { reaching, books, ended } = facts;
  if (books.sensing === null) return {};
  const whyNot = (spot: Spot, clause: string): Why | null => {
    if (spot.operation === null || books.traffic.get(spotKey(spot)) !== undefined)
      return untestedBy(books.ledger.tallies(clause).get(spotKey(spot)));
    return missedBy(reaching.unreached.get(spotKey(spot)) ?? ended ?? UNCALLED);
  };
  const cut = ended ?? (cutBy(facts, 'budget') > 0 ? BUDGET_SPENT : null);
  return { sensitivity: books.sensing.result({ whyNot, cutShort: cut === null ? null : missedBy(cut) }) };
}

/** Why the clause was not judged there, where the run says so. */
function untestedBy(tally: Tally | undefined): Why | null {
  if (tally === undefined || tally.checks > 0 || tally.reasonCode === null) return null;
  const reason =
    tally.reasonCode === 'precondition' ? 'floor' : missedBy({ ...UNCALLED, reasonCode: tally.reasonCode }).reason;
  return { reason, detail: tally.reason ?? tally.reasonCode };
}

const UNCALLED: Absence = { reasonCode: 'budget', reason: 'the budget was spent before it was called' };

const BUDGET_SPENT: Absence = { reasonCode: 'budget', reason: 'the budget was spent before an answer could show it' };

function missedBy({ reasonCode, reason: detail }: Absence): Why {
  return { reason: MISSED_REASONS.find((one) => one === reasonCode) ?? 'not-reached', detail };
}

function replayOutcome({ books: { ledger } }: RunFacts, { run, finding }: Replayed): ReplayOutcome {
  const { fingerprint, clause, service, operation } = finding;
  const shown = ledger.occurrences(fingerprint) > 0;
  return { fingerprint, run, clause, service, operation, shown, others: ledger.others };
}

/** Which run it was, and when. */
export function spanOf({ runId, startedAtMs, endedAtMs }: Pick<RunFacts, 'runId' | 'startedAtMs' | 'endedAtMs'>) {
  const durationMs = Math.max(0, Math.round(endedAtMs - startedAtMs));
  return { id: runId, startedAt: new Date(startedAtMs).toISOString(), durationMs };
}

function runOf(facts: RunFacts): Report['run'] {
  const { input, scope, books, ended } = facts;
  const { config, options } = input;
  const { minOperations } = config.gate;
  const isCutShort = ended !== null && ended.reasonCode !== 'budget' && ended.reasonCode !== 'time-limit';
  const errors = books.errors.rows();
  const smokeCut = ended !== null && books.answers.isHolding;
  const broken =
    isCutShort || smokeCut || scope.own.failures.size > 0 || errors.length > 0 || books.unjudged.reason !== null;
  return {
    ...spanOf(facts),
    seed: options.seed,
    partial: ended !== null || cutBy(facts, 'budget') + cutBy(facts, 'fitted') > 0,
    ...(broken ? { broken } : {}),
    scope: scopeOf(scope.selected, options.clauses),
    settings: settingsOf(config),
    ...filtersOf(options),
    ...(config.evidence.errorMessages === 'keep' ? { errorMessages: 'keep' as const } : {}),
    ...(config.env === null ? {} : { env: config.env }),
    ...(config.traceUrl === undefined ? {} : { traceUrl: config.traceUrl }),
    ...(options.shard === undefined ? {} : { shard: options.shard }),
    ...(minOperations === null ? {} : { minOperations }),
    ...noteOf(facts),
  };
}

/** The filters that narrow the run; nothing where none does. */
export function filtersOf({
  services,
  operations,
  clauses,
  changed,
  skipped = [],
}: RunOptions): Pick<Report['run'], 'filters'> {
  const excluded = skipped.length === 0 ? {} : { excluded: skipped.map(skipWords) };
  const since = changed === undefined ? {} : { changedSince: [changed.since] };
  const isNarrowed = services.length + operations.length + clauses.length + skipped.length > 0 || changed !== undefined;
  return isNarrowed ? { filters: { services, operations, clauses, ...since, ...excluded } } : {};
}

/** Experiments that were cut for this reason. */
function cutBy({ books: { cuts } }: RunFacts, reasonCode: 'budget' | 'time-limit' | 'held' | 'fitted'): number {
  return cuts.reduce((total, cut) => total + (cut.reasonCode === reasonCode ? cut.experiments : 0), 0);
}

function noteOf(facts: RunFacts): { readonly note?: string } {
  const notes = [
    ...facts.scope.own.failures.values(),
    errorsOf(facts),
    facts.books.unjudged.reason,
    courseOf(facts),
    ...(facts.session.sender.replacements?.told ?? []),
  ].filter((note) => note !== null);
  return notes.length === 0 ? {} : { note: notes.join('; ') };
}

/** That Assay itself failed, and on what; null: it did not. */
function errorsOf({ books }: RunFacts): string | null {
  const rows = books.errors.rows();
  if (rows.length === 0) return null;
  const clauses = [...new Set(rows.flatMap((row) => row.clauses))];
  const lost =
    clauses.length === 0 ? '' : `; what was judged of ${clauses.join(', ')} counts for nothing, violations aside`;
  return `Assay itself failed in ${plural(rows.length, 'place')}${lost}`;
}

/** Maximum number of probes left out by depth that are not worth a note under a verdict. */
const MAX_HELD_UNTOLD = 20;

/** The sentence on how the run went; null: there is nothing to say. */
function courseOf(facts: RunFacts): string | null {
  if (facts.ended !== null) return facts.ended.reason;
  const { replay } = facts.input.options;
  const shown = replay !== undefined && facts.books.ledger.occurrences(replay.finding.fingerprint) > 0;
  if (replay !== undefined && !shown && isUnlike(facts, replay))
    return `${replay.finding.operation} could not be called with success this time`;
  const unsent = cutBy(facts, 'budget');
  if (unsent > 0)
    return `the request budget ended the run: ${plural(unsent, 'planned probe was', 'planned probes were')} not sent`;
  const fitted = cutBy(facts, 'fitted');
  if (fitted > 0)
    return `the run fitted itself to its time: ${plural(fitted, 'planned probe was', 'planned probes were')} not sent; --full sends all`;
  const late = cutBy(facts, 'time-limit');
  if (late > 0)
    return `depth ended after ${DEPTH_SECONDS} s: ${plural(late, 'further probe was', 'further probes were')} not sent`;
  const held = cutBy(facts, 'held');
  const most = depthPerOperation(facts.scope.selected.length);
  return held > MAX_HELD_UNTOLD
    ? `the run stopped at ${plural(most, 'request')} per operation; with --time-limit it sends ${plural(held, 'more probe')}`
    : null;
}
