// From tallies to the clause table: one row for every clause of the contract.

import type { Clause } from '../contract/clause.ts';
import { clauseById, isClauseId } from '../contract/clauses.ts';
import { basisOf, rowGrounds } from '../contract/grounds.ts';
import type { Measure } from '../contract/measures.ts';
import { plural } from '../contract/numbers.ts';
import type { ClauseRow, ClauseStatus, OperationClause, ReasonCode } from '../contract/report.ts';

/** Result of one clause on one operation (or on none). */
export interface Tally {
  checks: number;
  /** Checks on answers of the target among them. */
  checksOnAnswers: number;
  /** Judgements, however many checks each made. */
  judgements: number;
  /** Judgements on exactly one answer among them. */
  judgementsOfOne: number;
  violations: number;
  advisories: number;
  /** Grounds of its checks. */
  readonly grounds: Partial<Record<Measure, number>>;
  /** Why it was not judged here; the first reason given stands. */
  reasonCode: ReasonCode | null;
  reason: string | null;
}

export function emptyTally(): Tally {
  return {
    ...{ checks: 0, checksOnAnswers: 0, judgements: 0, judgementsOfOne: 0, violations: 0, advisories: 0 },
    ...{ grounds: {}, reasonCode: null, reason: null },
  };
}

/** Tells whether the clause turned out not to apply where the tally was kept. */
export function isUndeclared(tally: Tally): boolean {
  return tally.checks === 0 && tally.reasonCode === 'not-declared';
}

/** Tallies of one clause by operation; the key '' holds what belongs to no operation. */
export type ClauseTallies = ReadonlyMap<string, Tally>;

/** Why a clause without a single tally was not judged. */
export interface Absence {
  readonly reasonCode: ReasonCode;
  readonly reason: string;
}

/** Nothing that was sent was answered so that the clause could be judged. */
export const NO_OCCASION: Absence = {
  reasonCode: 'precondition',
  reason: 'no answer of this run exercised it',
};

/** The clause's row. `judgedAsMust`: a discover clause with a configured expectation. */
export function clauseRow(
  clause: Clause,
  tallies: ClauseTallies,
  absence: Absence,
  { judgedAsMust }: { readonly judgedAsMust: boolean },
): ClauseRow {
  const all = [...tallies.entries()];
  const sum = (pick: (tally: Tally) => number): number => all.reduce((total, [, tally]) => total + pick(tally), 0);
  const operations = all.filter(([key, tally]) => key !== '' && !isUndeclared(tally));
  const checks = sum((tally) => tally.checks);
  const violations = sum((tally) => tally.violations);
  const numbers = {
    checks,
    violations,
    advisories: sum((tally) => tally.advisories),
    operationsInScope: operations.length,
    operationsTested: operations.filter(([, tally]) => tally.checks > 0).length,
  };
  const { id, level, text } = clause;
  const row = { id, level, ...(isClauseId(id) && clauseById(id).text === text ? {} : { text }) };
  if (checks > 0) {
    const grounds = rowGrounds(all.filter(([, tally]) => tally.checks > 0).map(([, tally]) => tally.grounds));
    const status = testedStatus(clause, violations, judgedAsMust);
    return { ...row, status, ...numbers, basis: basisOf(grounds, numbers.operationsTested), grounds };
  }
  const why = commonReason(all.map(([, tally]) => tally)) ?? absence;
  return { ...row, status: why.reasonCode === 'not-declared' ? 'not-applicable' : 'not-tested', ...why, ...numbers };
}

function testedStatus(clause: Clause, violations: number, judgedAsMust: boolean): ClauseStatus {
  if (violations > 0) return 'fail';
  return clause.level === 'discover' && !judgedAsMust ? 'observed' : 'pass';
}

/** Maximum number of reasons that a row tells. */
const MAX_REASONS = 3;

/** The code that most tallies share, and each reason that they give for it: that of one operation is none of another. */
function commonReason(tallies: readonly Tally[]): Absence | null {
  const untested = tallies.flatMap(({ reasonCode, reason }) =>
    reasonCode === null ? [] : [{ reasonCode, reason: reason ?? reasonCode }],
  );
  const [shared] = mostFirst(untested, ({ reasonCode }) => reasonCode);
  if (shared === undefined) return null;
  const [code, all] = shared;
  const reasons = mostFirst(all, ({ reason }) => reason);
  const more = reasons.length > MAX_REASONS ? [plural(reasons.length - MAX_REASONS, 'further reason')] : [];
  const told = reasons.slice(0, MAX_REASONS).map(([reason]) => reason);
  return { reasonCode: code, reason: [...told, ...more].join('; ') };
}

/** The groups by what they share, the largest first, and of two that are as large the one that came first. */
function mostFirst<T, K>(all: readonly T[], by: (one: T) => K): readonly (readonly [K, readonly T[]])[] {
  return [...Map.groupBy(all, by)].sort(([, left], [, right]) => right.length - left.length);
}

/** The same for one clause on one operation. */
export function operationClause(
  clause: Clause,
  tally: Tally,
  { judgedAsMust }: { readonly judgedAsMust: boolean },
): OperationClause {
  const { checks, violations, advisories } = tally;
  if (checks === 0)
    return { status: 'not-tested', checks, violations, advisories, reasonCode: tally.reasonCode ?? 'precondition' };
  const status = testedStatus(clause, violations, judgedAsMust);
  return {
    status: status === 'not-applicable' || status === 'not-tested' ? 'pass' : status,
    checks,
    violations,
    advisories,
  };
}
