// The contract `openapi`: what a description alone can decide, of any service. Clauses on this platform's envelope, limits,
// versions and paths are not in it; PAG and IDEM are laws that the configuration claims for operations (`laws`).
import { dossierOf } from './dossiers.ts';

/** `commerce`: all clauses. `openapi`: those that any description decides. */
export type ContractName = 'commerce' | 'openapi';

/** Whether the contract has the clause. */
export function hasClause(contract: ContractName, clause: string): boolean {
  return contract === 'commerce' || dossierOf(clause).openapi !== undefined;
}
