// The contract `openapi`: what a description alone can decide, of any service. Clauses on this platform's envelope, limits,
// versions and paths are not in it; PAG and IDEM are laws that the configuration claims for operations (`laws`).

/** `commerce`: all clauses. `openapi`: those that any description decides. */
export type ContractName = 'commerce' | 'openapi';

/** Clauses that hold for lists which `laws.pagination` names: they page in slices. */
export const PAGINATION_LAWS: readonly string[] = ['PAG-07', 'PAG-08', 'PAG-09'];
/** Clauses that hold for operations which `laws.idempotency` names: a key makes them happen once. */
export const IDEMPOTENCY_LAWS: readonly string[] = ['IDEM-01', 'IDEM-02', 'IDEM-03', 'IDEM-04'];

const DECIDED_BY_DESCRIPTION: ReadonlySet<string> = new Set([
  'SPEC-01',
  ...['SCH-01', 'SCH-02', 'SCH-03', 'SCH-04', 'SCH-05', 'SCH-06', 'SCH-08', 'SCH-09'],
  ...['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-06'],
  ...['REQ-02', 'REQ-03', 'REQ-04', 'REQ-05', 'REQ-06', 'REQ-08', 'REQ-09'],
  ...PAGINATION_LAWS,
  ...IDEMPOTENCY_LAWS,
]);

/** Whether the contract has the clause. */
export function hasClause(contract: ContractName, clause: string): boolean {
  return contract === 'commerce' || DECIDED_BY_DESCRIPTION.has(clause);
}
