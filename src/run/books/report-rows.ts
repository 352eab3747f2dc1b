// The rows of a run's report: one an operation, one a service.

import { isAbsolute, relative } from 'node:path';
import { UNDECLARED_TYPE } from '../../checks/sch/sch-02.ts';
import type { Config } from '../../config/config.ts';
import { skipReason } from '../../config/skip.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { withValues } from '../../contract/code.ts';
import type { Finding, OperationClause, OperationRow, ServiceRow } from '../../contract/report.ts';
import { header } from '../../exchange/body.ts';
import { shortened } from '../../facts/answered.ts';
import { refusalSentence } from '../../facts/refusal-sentence.ts';
import { isUndeclared, operationClause } from '../../grading/rows.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { pathOf } from '../../probes/reach/recipe.ts';
import type { Reached } from '../../probes/world.ts';
import { notServed } from '../../wording/sch.ts';
import { FITTED } from '../perform/fit.ts';
import type { RunInput } from '../perform/input.ts';
import type { RunScope } from '../perform/state.ts';
import { spotKey } from '../plan/clause-target.ts';
import { selectOperations } from '../plan/selection.ts';
import { keyOf, type Unreached } from '../reach/reaching.ts';
import type { Books } from './books.ts';
import type { WhyOpen } from './input-coverage.ts';
import type { RunFacts } from './run-facts.ts';
import { DROPPED, declaredUse, type OperationTraffic } from './traffic.ts';

/** The result of an operation before its clauses are asked. */
interface Fate {
  /** Why it was not tested; null where it was. */
  readonly why: Unreached | null;
  readonly succeeded: boolean;
  /** The reason that is told for input that was not tried. */
  readonly open: WhyOpen;
}

/** How one operation fared. */
export function operationRow(described: Described, facts: RunFacts): OperationRow {
  const { books, reaching, ended } = facts;
  const key = keyOf(described);
  const traffic = books.traffic.get(key);
  const reached = reaching.reached.get(key);
  const why =
    lackOf(reaching.unreached.get(key), traffic, ended) ??
    (reached === undefined || traffic === undefined
      ? (ended ?? { reasonCode: 'budget' as const, reason: 'the budget was spent before it was called' })
      : afterLoss(facts, reached, refusedBecause(facts, described, traffic, { isProven: reached.proof !== null })));
  const open = why === null ? whyOpen(facts, described.operation) : { reason: why.reasonCode, note: why.reason };
  return rowOf(described, facts, { why, succeeded: reached?.proof != null, open });
}

/**
 * Why it was not reached; null where it was, if only by an id that names nothing: what was served, or fails, is tested. What was
 * not called on a target that was lost then is told as that: a value for its path would not have helped.
 */
export function lackOf(
  unreached: Unreached | undefined,
  traffic: OperationTraffic | undefined,
  ended: Unreached | null,
): Unreached | null {
  if (unreached?.reasonCode !== 'no-fixture') return unreached ?? null;
  if (traffic === undefined) return ended?.reasonCode === 'target-lost' ? ended : unreached;
  return traffic.successes > 0 || failsSoundRequests(traffic) ? null : unreached;
}

/** A run, or recorded traffic, as far as the rows of its operations are made of it. */
interface RowFacts {
  readonly scope: Pick<RunScope, 'catalogue' | 'own' | 'expected'>;
  readonly books: Books;
}

/** Rows of the operations that the user left out, with the reason; empty for all shards but the first. */
export function skippedRows(facts: RowFacts & { readonly input: Pick<RunInput, 'options'> }): readonly OperationRow[] {
  const { options } = facts.input;
  if (options.shard !== undefined && options.shard.index > 1) return [];
  const reasonOf = skipReason(options);
  return selectOperations(facts.scope.catalogue, { ...options, skipped: [] }).flatMap((described) => {
    const reason = reasonOf(described.operation.key);
    const why = { reasonCode: 'filtered' as const, reason: reason ?? '' };
    if (reason === null) return [];
    return [rowOf(described, facts, { why, succeeded: false, open: { reason: 'filtered', note: reason } })];
  });
}

/** The row of an operation whose fate is known. */
export function rowOf(
  described: Described,
  { scope: { own, expected }, books }: RowFacts,
  { why, succeeded, open }: Fate,
): OperationRow {
  const { operation } = described;
  const key = keyOf(described);
  const traffic = books.traffic.get(key);
  const clauses: Record<string, OperationClause> = {};
  for (const clause of [...CLAUSES, ...own.clauses]) {
    const tally = books.ledger.tallies(clause.id).get(key);
    if (tally !== undefined && !isUndeclared(tally))
      clauses[clause.id] = operationClause(clause, tally, { judgedAsMust: expected.includes(clause.id) });
  }
  return {
    ...spotOf(operation),
    resource: resourceOf(described),
    tested: why === null && (traffic?.requests ?? 0) > 0,
    succeeded,
    ...(why === null ? {} : { reasonCode: why.reasonCode, reason: why.reason }),
    requests: traffic?.requests ?? 0,
    successes: traffic?.successes ?? 0,
    ...(traffic?.lists === undefined ? {} : { lists: traffic.lists }),
    statuses: Object.fromEntries([...(traffic?.statuses ?? [])].sort(([left], [right]) => (left < right ? -1 : 1))),
    clauses,
    latency: Object.fromEntries(traffic?.latency ?? []),
    declared: declaredUse(operation, traffic),
    inputs: books.inputs.row(described, open),
  };
}

/** The reason, with the sentence of the target's own where the configuration lets it be shown. */
function refusedBecause(
  { input: { config }, reaching }: RunFacts,
  described: Described,
  traffic: OperationTraffic,
  proof: Parameters<typeof refusedAlways>[2],
): Unreached | null {
  const why = refusedAlways(described.operation, traffic, proof);
  const answer = reaching.firstAnswers.get(keyOf(described));
  if (why === null || answer === undefined || config.evidence.errorMessages !== 'keep') return why;
  const sentence = refusalSentence(answer);
  return sentence === null ? why : { ...why, reason: `${why.reason}: "${sentence}"` };
}

/**
 * The finding as it is told where it shows in the 404 of an operation that the target does not serve: that is to be repaired, and its
 * page is that of any path. By an id that nothing served, the 404 may be of the id.
 */
export function ofUnserved({ books, reaching }: Pick<RunFacts, 'books' | 'reaching'>, finding: Finding): Finding {
  const { code, service, operation: key, actual } = finding;
  const traffic = key === null ? undefined : books.traffic.get(spotKey({ service, operation: key }));
  if (code !== UNDECLARED_TYPE || key === null || traffic === undefined || traffic.successes > 0) return finding;
  const first = reaching.firstAnswers.get(spotKey({ service, operation: key }));
  const isOfFirst = actual === shortened(header(first?.response?.headers ?? [], 'content-type') ?? '');
  const isAbsent = isOfFirst && [...traffic.refusals.keys()].every((brief) => brief.startsWith('404'));
  const path = key.slice(key.indexOf(' ') + 1);
  const item = path.slice(0, path.lastIndexOf('}') + 1);
  const isKnown = [...reaching.reached.values()].some(
    ({ operation, proof }) => proof !== null && operation.service === service && operation.path === item,
  );
  if (!isAbsent || (item !== '' && (item === path || !isKnown))) return finding;
  return { ...finding, ...notServed({ actual }), code: withValues(code, 'not-served') };
}

/** The reason, with what was there before and is gone where the calls were answered 404 for that. */
function afterLoss({ books }: RunFacts, { recipe, firstStatus }: Reached, why: Unreached | null): Unreached | null {
  const lost = why === null || firstStatus !== 404 ? null : books.losses.above(pathOf(recipe));
  if (why === null || lost === null) return why;
  return { ...why, reason: `${why.reason}; ${lost} was read before and is gone, and this run did not delete it` };
}

/**
 * Why an operation that was called counts as not tested: nothing but refusals came back, though a refusal is not all that it is
 * described with. Null where it is tested.
 */
export function refusedAlways(
  operation: Operation,
  traffic: OperationTraffic,
  { isProven }: { readonly isProven: boolean },
): Unreached | null {
  const { responses } = operation;
  const mayOnlyRefuse = responses.length > 0 && responses.every(({ status }) => /^[45]/.test(status));
  if (traffic.successes > 0 || isProven || mayOnlyRefuse || failsSoundRequests(traffic)) return null;
  const statuses = [...traffic.statuses.keys()].map((status) => (status === 'failed' ? 'nothing' : status));
  // Requests that are wrong on purpose are refused rightly: their refusals do not tell why the others were refused.
  const answers = traffic.refusals.size > 0 ? [...traffic.refusals.keys()] : statuses;
  return {
    reasonCode: 'precondition',
    reason: `none of its calls succeeded: they were answered ${answers.sort().join(', ')}`,
  };
}

/** Tells whether the server failed on sound requests, or dropped more than one of them: that decides about the operation, too. */
function failsSoundRequests({ refusals }: OperationTraffic): boolean {
  return (refusals.get(DROPPED) ?? 0) > 1 || [...refusals.keys()].some((brief) => /^5(?!03)/.test(brief));
}

/** Why a called operation still has input that was not tried: the run ended early, was narrowed, or nothing made a request of it. */
export function whyOpen({ input: { options }, books, bound, ended }: RunFacts, operation: Operation): WhyOpen {
  if (ended !== null) return { reason: ended.reasonCode };
  if (bound.heldBack.has(spotKey(spotOf(operation))))
    return { reason: 'precondition', note: 'limits.created is reached: what would make more was not sent' };
  if (bound.isSpare(operation))
    return {
      reason: 'precondition',
      note: 'what it makes stays on the target, so little of it is made (limits.created)',
    };
  const isCut = (reasonCode: string): boolean =>
    books.cuts.some((cut) => cut.reasonCode === reasonCode && cut.experiments > 0);
  if (isCut('budget')) return { reason: 'budget' };
  if (isCut('time-limit')) return { reason: 'time-limit' };
  if (isCut('fitted')) return { reason: 'time-limit', note: FITTED };
  if (isCut('held')) return { reason: 'budget', note: 'without --budget a run goes only so deep on each operation' };
  if (options.clauses.length > 0 || options.replay !== undefined) return { reason: 'filtered' };
  return { reason: 'precondition', note: 'no request of this run could carry it' };
}

/** Rows of operations that the run does not answer for, and on which its experiments were judged. */
export function elsewhereRows(facts: RunFacts): readonly OperationRow[] {
  const { catalogue, share, own } = facts.scope;
  const answered = new Set(share.own);
  const judged = new Set([...CLAUSES, ...own.clauses].flatMap(({ id }) => [...facts.books.ledger.tallies(id).keys()]));
  const foreign = catalogue.operations.filter((described) => !answered.has(described) && judged.has(keyOf(described)));
  return foreign.map((described) => ({
    ...operationRow(described, facts),
    tested: false,
    reasonCode: 'sharded' as const,
    reason: 'another shard answers for it',
  }));
}

/** First tag; without tags the first segment of the path after the version. */
function resourceOf({ operation }: Described): string {
  return operation.tags[0] ?? operation.path.replace(/^\/api(\/v\d+)?\//, '').split('/')[0] ?? operation.path;
}

/** How one service fared, given the rows of all operations. */
export function serviceRow(
  name: string,
  { config, descriptions }: Pick<RunInput, 'config' | 'descriptions'>,
  operations: readonly OperationRow[],
): ServiceRow {
  const description = descriptions.find((candidate) => candidate.service === name);
  const own = operations.filter((row) => row.service === name);
  const spec = shownSpec(config, name);
  const reason =
    description === undefined
      ? 'its description is pending'
      : description.operations.length === 0
        ? 'its description shows no operation'
        : null;
  return {
    name,
    spec,
    ...(description === undefined ? {} : { digest: description.digest }),
    openapi: description?.openapi ?? null,
    version: description?.version ?? null,
    testable: reason === null,
    ...(reason === null ? {} : { reason }),
    operations: own.length,
    operationsTested: own.filter((row) => row.tested).length,
    requests: own.reduce((total, row) => total + row.requests, 0),
  };
}

/** The description as the configuration names it: relative to its folder, or a URL. */
function shownSpec({ services, folder }: Config, name: string): string | null {
  const spec = services.find((service) => service.name === name)?.spec ?? null;
  return spec === null || folder === null || !isAbsolute(spec) ? spec : relative(folder, spec);
}
