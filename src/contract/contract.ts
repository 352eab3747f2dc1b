// Which clauses a contract has: `commerce` all, `openapi` those that a description alone decides, and either those that its terms state.
// PAG and IDEM are also laws that the configuration claims for operations (`laws`).
import { CLIENT_BINDINGS } from './bindings/client.ts';
import { ERR_BINDINGS } from './bindings/err.ts';
import { IDEM_BINDINGS } from './bindings/idem.ts';
import { PAG_BINDINGS } from './bindings/pag.ts';
import { RATE_BINDINGS } from './bindings/rate.ts';
import { REST_BINDINGS } from './bindings/rest.ts';
import type { Clause } from './clause.ts';
import { entryOf } from './clauses.ts';
import type { Binding, Bindings, Contract, IdempotencyTerms } from './terms.ts';

/** `commerce`: the platform's. `openapi`: what descriptions say. */
export type ContractName = Contract['base'];

const BINDINGS: Bindings = {
  ...{ ...ERR_BINDINGS, ...PAG_BINDINGS, ...IDEM_BINDINGS, ...RATE_BINDINGS, ...REST_BINDINGS, ...CLIENT_BINDINGS },
};

/** The contract with what the configuration claims beside it for operations (`laws`). */
export function withLaws(contract: Contract, laws: { readonly idempotency: readonly string[] }): Contract {
  const { idempotency } = contract.terms;
  if (contract.base === 'commerce' || laws.idempotency.length === 0) return contract;
  const operations = [...(idempotency?.operations ?? []), ...laws.idempotency];
  return { ...contract, terms: { ...contract.terms, idempotency: { ...(idempotency ?? NO_KEYS), operations } } };
}

const NO_KEYS: IdempotencyTerms = {
  header: null,
  keys: null,
  operations: [],
  never: [],
  elsewhere: null,
  otherBody: null,
};

/** Tells whether the contract has the clause. */
export function hasClause({ base, terms }: Contract, clause: string): boolean {
  const binding = BINDINGS[clause];
  if (binding?.isBound(terms) === true) return true;
  if (base === 'commerce') return binding?.isOfTermsAlone !== true;
  return entryOf(clause)?.openapi !== undefined;
}

/** Tells whether the contract's terms state the clause. */
export function isBound({ terms }: Contract, clause: string): boolean {
  return boundBy(terms, clause) !== null;
}

/** The clause in the words of the contract: where its terms bind it, in the names that they give. */
export function wordedBy({ base, terms }: Contract, clause: Clause): Clause {
  const binding = boundBy(terms, clause.id);
  if (base === 'commerce' && binding?.isOfTermsAlone !== true) return clause;
  const usual = entryOf(clause.id) ?? clause;
  const made =
    binding === null
      ? { text: BINDINGS[clause.id]?.unbound ?? usual.text, tolerance: usual.tolerance }
      : { text: binding.text(terms), tolerance: binding.tolerance ?? usual.tolerance };
  return { ...clause, ...made };
}

/** Tells whether no contract has the clause unless its terms state it. */
export function isOfTermsAlone(clause: string): boolean {
  return BINDINGS[clause]?.isOfTermsAlone === true;
}

/** The line of a contract file that would bind the clause; null for a clause that no line binds. */
export function lineThatBinds(clause: string): string | null {
  return BINDINGS[clause]?.by ?? null;
}

/** A clause as a contract has it. */
export interface ContractClause extends Clause {
  /** The origin of the clause in this contract: a line of its file, the descriptions or the platform's own contract; null: it has none. */
  readonly from: 'file' | 'descriptions' | 'commerce' | null;
  /** The line of a contract file that binds it, or would; null: none does. */
  readonly line: string | null;
}

/** The clauses, each in the words of the contract where it is one of its own. */
export function clausesUnder(contract: Contract, clauses: readonly Clause[]): readonly ContractClause[] {
  return clauses.map((clause) => ({
    ...wordedBy(contract, clause),
    ...{ from: sourceOf(contract, clause.id), line: lineThatBinds(clause.id) },
  }));
}

function sourceOf(contract: Contract, clause: string): ContractClause['from'] {
  const { base, terms, file } = contract;
  const isOfCommerce = base === 'commerce' && hasClause(contract, clause);
  if (isOfCommerce && file === null) return 'commerce';
  if (boundBy(terms, clause) !== null) return 'file';
  if (entryOf(clause)?.openapi === 'description') return 'descriptions';
  return isOfCommerce ? 'commerce' : null;
}

function boundBy(terms: Contract['terms'], clause: string): Binding | null {
  const binding = BINDINGS[clause];
  return binding?.isBound(terms) === true ? binding : null;
}
