// Selects the operations of a run by service and glob and its clauses by id, and says why the rest does not take part.
import type { Config, RunOptions } from '../../config/config.ts';
import { skipReason } from '../../config/skip.ts';
import type { Clause } from '../../contract/clause.ts';
import { entryOf } from '../../contract/clauses.ts';
import { hasClause, isBound, lineThatBinds } from '../../contract/contract.ts';
import { commandOf, givesOccasion, JUDGED_BY_CONFORM } from '../../contract/judged-by.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import { OWN_FAMILY } from '../../contract/own-clauses.ts';
import type { Contract } from '../../contract/terms.ts';
import { type Absence, NO_OCCASION } from '../../grading/rows.ts';
import { lacksThrottled, throttleOf } from '../../limiters/throttles.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { conditionalUndeclared } from '../../probes/conditional/family.ts';
import { idempotencyUndeclared } from '../../probes/idempotency/family.ts';
import { lifeUndeclared } from '../../probes/life/family.ts';
import { paginationUndeclared } from '../../probes/pagination/family.ts';
import { requiresToken } from '../../probes/world.ts';
import { type Claims, type Law, lawfulBy } from './claims.ts';
import { NO_PAYMENTS } from './consent.ts';

/** Tells whether the clause takes part: the user's own, or one of the contract that something judges, and not filtered out. */
export function clauseFilter(
  options: RunOptions,
  contract: Contract,
  own: readonly Clause[] = [],
): (clause: string) => boolean {
  const all = [...own.map(({ id }) => id), ...[...JUDGED_BY_CONFORM].filter((clause) => hasClause(contract, clause))];
  const { clauses } = options;
  const taking = new Set(clauses.length === 0 ? all : all.filter((clause) => clauses.includes(clause)));
  return (clause) => taking.has(clause);
}

/** The operations that take part, in the order of the descriptions. */
export function selectOperations(catalogue: Catalogue, options: RunOptions): readonly Described[] {
  const matches = operationMatcher(options.operations);
  const skipped = skipReason(options);
  const changed = options.changed === undefined ? null : new Set(options.changed.operations);
  return catalogue.operations.filter(
    ({ operation: { service, key } }) =>
      (options.services.length === 0 || options.services.includes(service)) &&
      (changed === null || changed.has(`${service} ${key}`)) &&
      skipped(key) === null &&
      matches(key),
  );
}

/** Clauses that no reading request gives occasion to judge. */
const NEEDS_CHANGES = /^(IDEM-|COND-01|LIFE-0[1-578]|REQ-0[3-578]|RATE-09|AUTH-08)/;

/** Why a clause has no tally at all. `unskipped`: the operations that would take part if nothing were skipped. */
export function absenceOf(
  clause: Clause,
  config: Config,
  options: RunOptions,
  ended: Absence | null,
  selected: readonly Described[],
  unskipped: readonly Described[] = selected,
): Absence {
  const outside = clause.family === OWN_FAMILY ? null : outsideOf(clause, config);
  if (outside !== null) return outside;
  if (options.clauses.length > 0 && !options.clauses.includes(clause.id))
    return { reasonCode: 'filtered', reason: `left out by ${options.replay === undefined ? '--clause' : '--replay'}` };
  if (config.services.every((service) => service.spec === null)) {
    return { reasonCode: 'service-pending', reason: 'no service has a description yet' };
  }
  if (options.changed !== undefined && ended === null)
    return {
      reasonCode: 'filtered',
      reason: `nothing that changed since ${options.changed.since} exercised it`,
    };
  const missing = options.changed === undefined ? undeclared(clause.id, selected, config) : null;
  if (missing !== null && undeclared(clause.id, unskipped, config) === null)
    return { reasonCode: 'filtered', reason: 'excluded by skip or --exclude' };
  if (missing !== null) return { reasonCode: 'not-declared', reason: missing };
  if (ended !== null) return ended;
  if (clause.id === 'AUTH-08' && !hasTwoAccounts(config))
    return { reasonCode: 'no-credential', reason: 'needs keys of two accounts (keys[].account)' };
  if ((clause.id === 'RATE-07' || clause.id === 'RATE-08') && config.keys.length < 2) {
    return { reasonCode: 'no-credential', reason: 'needs keys of two plans' };
  }
  if (clause.id === 'IDEM-05' && config.payments.consent === 'deny')
    return { reasonCode: 'mutations-denied', reason: NO_PAYMENTS };
  if (config.mutations === 'deny' && NEEDS_CHANGES.test(clause.id))
    return { reasonCode: 'mutations-denied', reason: 'needs requests that may change something; mutations are denied' };
  if (options.shard !== undefined) return { reasonCode: 'sharded', reason: 'no operation of this shard exercised it' };
  return NO_OCCASION;
}

/** Tells whether some key is of another account than the first one, with which a run makes what it makes. */
export function hasTwoAccounts({ keys: [main, ...others] }: Pick<Config, 'keys'>): boolean {
  return main?.account != null && others.some(({ account }) => account !== null && account !== main.account);
}

/** Why a clause of the contract takes no part in any run with this configuration. */
function outsideOf(clause: Clause, config: Config): Absence | null {
  if (!hasClause(config.stated, clause.id)) return { reasonCode: 'not-declared', reason: unstated(clause, config) };
  const command = commandOf(clause.id);
  if (command !== null) return { reasonCode: 'other-command', reason: `judged by ${command}` };
  const unclaimed = unclaimedLaw(clause, config);
  return unclaimed === null ? null : { reasonCode: 'not-declared', reason: unclaimed };
}

/** Why the contract does not have the clause. */
function unstated(clause: Clause, config: Config): string {
  if (hasExpectation(clause, config)) return PLANS_UNJUDGED;
  const { file, name } = config.stated;
  const line = lineThatBinds(clause.id);
  if (file === null && config.contract === 'openapi') return NOT_BY_DESCRIPTION;
  return line === null ? `the contract ${name} does not state it` : `the contract ${name} does not state it (${line})`;
}

/** Tells whether the configuration states what RATE-10 would hold the target to. */
function hasExpectation({ id }: Clause, { expect }: Config): boolean {
  return id === 'RATE-10' && Object.keys(expect.plans).length > 0;
}

const NOT_BY_DESCRIPTION = 'a description alone does not decide it (contract: openapi)';
/** Why expectations of limits decide nothing by a description alone. */
export const PLANS_UNJUDGED = 'expect.plans is not judged under contract: openapi, which has no clause on limits';

/** The claim of the configuration that the clause waits for; null when it is made, or when none is needed. */
function unclaimedLaw(clause: Clause, config: Config): string | null {
  const { contract, laws } = config;
  const openapi = entryOf(clause.id)?.openapi;
  if (isBound(config.stated, clause.id)) return null;
  if (contract === 'commerce' || openapi === undefined || openapi === 'description') return null;
  const claimed = openapi === 'idempotency' ? (config.stated.terms.idempotency?.operations ?? []) : laws[openapi];
  if (claimed.length > 0) return null;
  return config.stated.file === null ? `laws.${openapi} names no operation` : unstated(clause, config);
}

/** The statements of the configuration for which descriptions are looked at. */
type Stated = Claims & Pick<Config, 'stated'>;

/** Declarations that clauses need: one operation at least that has it; else the reason why they do not apply. */
const NEEDED: readonly (readonly [clauses: readonly string[], has: (operation: Operation) => boolean, lack: string])[] =
  [
    [
      ['RED-01'],
      ({ responses }) => responses.some(({ status }) => status.startsWith('3')),
      'no operation declares a redirect',
    ],
    [
      ['SCH-04'],
      ({ responses }) => responses.some(({ headers }) => headers.length > 0),
      'no response header is declared',
    ],
    [['REQ-02', 'AUTH-07'], ({ path }) => path.includes('{'), 'no operation has a path parameter'],
    [['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-04'], requiresToken, 'no operation requires a token'],
    [['AUTH-06'], (operation) => !requiresToken(operation), 'no operation is public'],
    [
      ['REQ-03', 'REQ-04', 'REQ-05', 'REQ-08', 'ERR-10'],
      ({ requestBody }) => requestBody !== null,
      'no operation takes a body',
    ],
  ];

/** The declaration that the descriptions lack for the clause to apply; null where they have it, or where none is needed. */
function undeclared(clause: string, selected: readonly Described[], claims: Stated): string | null {
  const { terms } = claims.stated;
  const none = (has: (operation: Operation) => boolean): boolean => !selected.some(({ operation }) => has(operation));
  if (clause === 'RATE-09')
    return none(({ key }) => throttleOf(terms, key) !== null) ? lacksThrottled(terms.rateLimits) : null;
  if (clause === 'REQ-07')
    return none(({ key }) => key === terms.registration?.operation)
      ? `no description has ${terms.registration?.operation ?? 'a registration that the contract states'}`
      : null;
  const needed = NEEDED.find(([clauses]) => clauses.includes(clause));
  if (needed === undefined) return undeclaredLaw(clause, selected, claims);
  const [, has, lack] = needed;
  return none(has) ? lack : null;
}

/** Tells whether the clause speaks also of lists of which nothing is stated. */
function isOfAnyList(clause: string, { contract }: Claims): boolean {
  return contract === 'openapi' && entryOf(clause)?.family === 'PAG' && entryOf(clause)?.openapi === 'description';
}

/** Laws that are claimed are looked for among the operations that they are claimed for. */
function undeclaredLaw(clause: string, selected: readonly Described[], claims: Stated): string | null {
  const stating = { contract: claims.contract, terms: claims.stated.terms };
  const lawful = lawfulBy(claims);
  const claimed = (law: Law): readonly Described[] => selected.filter(({ operation }) => lawful(operation, law));
  return (
    paginationUndeclared(clause, isOfAnyList(clause, claims) ? selected : claimed('pagination'), stating) ??
    idempotencyUndeclared(
      clause,
      (clause === 'IDEM-06' ? selected : claimed('idempotency')).map(({ operation }) => operation),
      claims.stated.terms,
    ) ??
    lifeUndeclared(
      clause,
      selected.map(({ operation }) => operation),
    ) ??
    conditionalUndeclared(
      clause,
      selected.map(({ operation }) => operation),
    )
  );
}

// The clauses by which a run decides what it sends: some are judged on answers that experiments of others bring about,
// and without those there would be no occasion to judge them.

export interface Taking {
  /** Clauses that this run judges. */
  readonly inRun: readonly string[];
  /** Tells whether a run that nothing narrows would judge the clause. */
  readonly possible: (clause: string) => boolean;
  /** True where a check that may want any answer takes part. */
  readonly wantsAll: boolean;
}

/**
 * Makes a function that tells whether an experiment for these clauses is to be performed. One for none brings about
 * what others rest on.
 */
export function wantedBy({ inRun, possible, wantsAll }: Taking): (clauses: readonly string[]) => boolean {
  const taken = new Set(inRun);
  const isWanted = (clause: string): boolean =>
    taken.has(clause) || (possible(clause) && (wantsAll || inRun.some((judged) => givesOccasion(clause, judged))));
  return (clauses) => clauses.length === 0 || clauses.some(isWanted);
}
