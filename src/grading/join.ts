// Reports of parts of one run joined into the report of the whole: the clause table from the operations' rows, what
// several parts saw alike once. Pure. Which parts belong together is for the caller to know.
import { basisOf, joinedGrounds } from '../contract/grounds.ts';
import type {
  ClauseRow,
  ClauseStatus,
  Finding,
  OperationClause,
  OperationRow,
  Report,
  ServiceRow,
} from '../contract/report.ts';
import { unaccepted } from './acceptance.ts';
import { CUT_SHORT, isOwnMatter, joinedCreated, joinedOperations, joinedSensitivity, sum } from './join-parts.ts';
import { ObservationTable } from './observations.ts';
import { type Absence, NO_OCCASION } from './rows.ts';

/** The whole as a join can tell it; run and verdict are the caller's. */
export type Joined = Omit<Report, 'run' | 'verdict'>;

/**
 * Joins the parts, in their order. `names` tell the parts' exchanges apart, which count from one in every part; `words`
 * are those of the part that says why a clause was judged in none of them.
 */
export function joinReports(
  reports: readonly [Report, ...Report[]],
  names: readonly string[],
  words: 'first' | 'last' = 'last',
): Joined {
  const parts = reports.map((report, at) => withNamedExchanges(unaccepted(report), names[at] ?? `${at}`));
  const findings = joinedFindings(parts);
  const { operations, elsewhere } = joinedOperations(parts, findings);
  const harnessErrors = parts.flatMap((part) => part.harnessErrors ?? []);
  const failed = new Set(harnessErrors.flatMap(({ clauses }) => clauses));
  const {
    since: _since,
    elsewhere: _elsewhere,
    created: _created,
    sensitivity: _sensitivity,
    ...first
  } = unaccepted(reports[0]);
  return {
    ...first,
    counts: joinedCounts(parts, operations, findings),
    clauses: first.clauses.map(({ id }) =>
      joinedRow(
        parts.flatMap(({ clauses }) => clauses.filter((row) => row.id === id)),
        [...operations, ...elsewhere].flatMap(({ clauses }) => clauses[id] ?? []),
        findings.filter(({ clause }) => clause === id),
        failed.has(id),
        words,
      ),
    ),
    findings,
    ...joinedObservations(parts),
    services: first.services.map((service) => joinedService(service, parts, operations)),
    operations,
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
    exchanges: parts.flatMap(({ exchanges }) => exchanges),
    ...(harnessErrors.length === 0 ? {} : { harnessErrors }),
    leftovers: parts.flatMap(({ leftovers }) => leftovers),
    ...joinedCreated(parts),
    ...joinedSensitivity(parts),
  };
}

function joinedCounts(
  parts: readonly Report[],
  operations: Report['operations'],
  findings: Report['findings'],
): Report['counts'] {
  return {
    requests: sum(parts, ({ counts }) => counts.requests),
    operations: operations.length,
    operationsTested: operations.filter(({ tested }) => tested).length,
    ...(parts.every(({ counts }) => counts.operationsSucceeded === undefined)
      ? {}
      : { operationsSucceeded: operations.filter(({ successes = 0 }) => successes > 0).length }),
    checks: sum(parts, ({ counts }) => counts.checks),
    ...(parts.every(({ counts }) => counts.checksOnAnswers === undefined)
      ? {}
      : { checksOnAnswers: sum(parts, ({ counts }) => counts.checksOnAnswers ?? 0) }),
    violations: findings.filter(({ kind }) => kind === 'violation').length,
    advisories: findings.filter(({ kind }) => kind === 'advisory').length,
  };
}

function withNamedExchanges(report: Report, name: string): Report {
  const named = (id: string): string => `${name}-${id}`;
  return {
    ...report,
    findings: report.findings.map((finding) => ({ ...finding, exchanges: finding.exchanges.map(named) })),
    ...(report.harnessErrors === undefined
      ? {}
      : {
          harnessErrors: report.harnessErrors.map((error) => ({
            ...error,
            exchange: error.exchange === null ? null : named(error.exchange),
          })),
        }),
    ...(report.observations === undefined
      ? {}
      : { observations: report.observations.map((row) => ({ ...row, exchanges: row.exchanges.map(named) })) }),
    exchanges: report.exchanges.map((exchange) => ({ ...exchange, id: named(exchange.id) })),
  };
}

/** Findings that two parts saw alike are one, with the evidence of the first. */
function joinedFindings(parts: readonly Report[]): readonly Finding[] {
  const byPrint = Map.groupBy(
    parts.flatMap(({ findings }) => findings),
    ({ fingerprint }) => fingerprint,
  );
  const kinds = ['violation', 'advisory', 'observation'];
  return [...byPrint.values()]
    .map((same) => ({
      ...same[0]!,
      occurrences: sum(same, ({ occurrences }) => occurrences),
      looks: sum(same, ({ looks }) => looks),
      ...seenIn(same),
      intermittent: same.some(({ intermittent }) => intermittent),
    }))
    .sort((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind));
}

/** In how many answers all parts saw it; nothing where a part of an older version does not say. */
function seenIn(same: readonly Finding[]): Pick<Finding, 'seen'> {
  const seen = same.flatMap((one) => one.seen ?? []);
  if (seen.length < same.length) return {};
  const what = seen.every((one) => one.what === 'answers') ? 'answers' : 'judgements';
  return { seen: { times: sum(seen, ({ times }) => times), of: sum(seen, (one) => one.of), what } };
}

/** One table; nothing where no part has one. */
function joinedObservations(parts: readonly Report[]): Pick<Report, 'observations'> {
  if (parts.every(({ observations }) => observations === undefined)) return {};
  const table = new ObservationTable();
  for (const row of parts.flatMap(({ observations }) => observations ?? [])) table.note(row);
  return { observations: table.rows() };
}

function joinedRow(
  rows: readonly ClauseRow[],
  operations: readonly OperationClause[],
  findings: readonly Finding[],
  hasFailed: boolean,
  words: 'first' | 'last',
): ClauseRow {
  const { id, level, text } = rows[0]!;
  const named = { id, level, ...(text === undefined ? {} : { text }) };
  const violations = findings.filter(({ kind }) => kind === 'violation').length;
  const numbers = {
    checks: sum(rows, ({ checks }) => checks),
    violations,
    advisories: findings.filter(({ kind }) => kind === 'advisory').length,
    operationsInScope: operations.length,
    operationsTested: operations.filter(({ checks }) => checks > 0).length,
  };
  const judgedWrong = hasFailed || text !== undefined;
  const failed = judgedWrong ? rows.find(({ reasonCode }) => reasonCode === 'harness-error') : undefined;
  if (numbers.checks > 0 && (failed === undefined || violations > 0)) {
    const grounds = joinedGrounds(
      rows.flatMap((row) => row.grounds ?? []),
      numbers.operationsTested,
    );
    const basis = basisOf(grounds, numbers.operationsTested);
    return {
      ...named,
      status: testedStatus(rows, violations),
      ...numbers,
      ...(basis === '' ? {} : { basis, grounds }),
    };
  }
  const why =
    failed === undefined ? absence(words === 'first' ? rows.toReversed() : rows, operations) : absence([failed], []);
  return { ...named, status: why.reasonCode === 'not-declared' ? 'not-applicable' : 'not-tested', ...why, ...numbers };
}

function testedStatus(rows: readonly ClauseRow[], violations: number): ClauseStatus {
  if (violations > 0) return 'fail';
  return rows.some(({ status }) => status === 'observed') ? 'observed' : 'pass';
}

/** The reason that most operations share, in the words of the last part that gives it; that the matter was another part's is none. */
function absence(rows: readonly ClauseRow[], operations: readonly OperationClause[]): Absence {
  // A clause that another command judges is none of any part's.
  const isOthers = rows.every(({ reasonCode }) => reasonCode === 'other-command');
  const telling = rows
    .filter((row) => isOthers || isOwnMatter(row))
    .flatMap(({ reasonCode, reason = reasonCode }) =>
      reasonCode === undefined || reason === undefined ? [] : [{ reasonCode, reason }],
    );
  const codes = [...Map.groupBy(operations, ({ reasonCode }) => reasonCode)];
  const [most] = codes.toSorted(([, left], [, right]) => right.length - left.length)[0] ?? [];
  const apt = telling.filter(({ reasonCode }) => reasonCode === most);
  const words = apt.length > 0 ? apt : telling;
  // One part had no occasion: another that had one, and lacked something, says more.
  const isLack = ({ reasonCode, reason }: Absence): boolean =>
    reason !== NO_OCCASION.reason && !CUT_SHORT.has(reasonCode);
  const last = words.at(-1) ?? NO_OCCASION;
  return last.reason === NO_OCCASION.reason ? (words.findLast(isLack) ?? last) : last;
}

function joinedService(first: ServiceRow, parts: readonly Report[], operations: readonly OperationRow[]): ServiceRow {
  const own = operations.filter(({ service }) => service === first.name);
  const rows = parts.flatMap(({ services }) => services.filter(({ name }) => name === first.name));
  return {
    ...first,
    operations: own.length,
    operationsTested: own.filter(({ tested }) => tested).length,
    requests: sum(rows, ({ requests }) => requests),
  };
}
