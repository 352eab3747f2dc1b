// Defines the entry of a clause, which holds all that is known of it, and the values that several clauses share. A fact
// about a clause stands in its entry, and nowhere else.
import type { Clause, ClauseFamily } from '../clause.ts';
import type { Grounds } from '../measures.ts';

/** The worst first. */
export const SEVERITIES = ['security', 'data', 'availability', 'schema', 'form'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The load suites, by the names that the command knows, in the order of its help. */
export const EVERY_SUITE = [
  ...(['ratelimit', 'ceiling', 'isolation', 'exports', 'capacity'] as const),
  ...(['soak', 'spike', 'distributed', 'pressure'] as const),
] as const;
export type SuiteName = (typeof EVERY_SUITE)[number];

/**
 * On what a clause is judged: descriptions, every exchange, the run as a whole, experiments, delivered webhooks, or the
 * scenarios that a client meets.
 */
export type Basis = 'description' | 'exchange' | 'run' | 'experiment' | 'delivery' | 'scenario';

export interface ClauseEntry extends Clause {
  /** How much harm a breach does: what to repair first, where the level says whether it fails the run. */
  readonly severity: Severity;
  /** The least that a pass rests on. */
  readonly needs: Grounds;
  /** How a breach is usually repaired, in a sentence. */
  readonly repair: string;
  readonly on: readonly Basis[];
  /** The files whose functions decide: below src/, without their ending. */
  readonly judges: readonly string[];
  /** The files of the experiments that are sent for it. Absent: ordinary calls or the descriptions give occasion enough. */
  readonly experiments?: readonly string[];
  /**
   * How it takes part under `contract: openapi`: the description alone decides it, or the configuration claims it for
   * operations (`laws.pagination`, `laws.idempotency`). Absent: a contract has to state it.
   */
  readonly openapi?: 'description' | 'pagination' | 'idempotency';
  /** The load suites that judge it, too. Absent: none. */
  readonly load?: readonly SuiteName[];
  /** Families and clauses whose experiments bring about answers that this clause is judged on. */
  readonly occasions?: readonly string[];
  /**
   * Recorded traffic shows a breach of it by itself, though it takes several calls: the judge is asked where it can. In words what traffic lacked
   * where nothing was judged of it.
   */
  readonly shownByTraffic?: true | string;
}

/** Under pressure another client uses the same keys, so a key's whole series shows more than one client's calls. */
export const ALL_BUT_PRESSURE: readonly SuiteName[] = EVERY_SUITE.filter((suite) => suite !== 'pressure');
/** Experiments that the target refuses bring about errors. */
export const REFUSALS = ['REQ', 'AUTH', 'ERR-10'];

export const A_DESCRIPTION: Grounds = { descriptions: 1 };
export const AN_ANSWER: Grounds = { answers: 1 };
export const TWO_ANSWERS: Grounds = { answers: 2 };
export const A_COMPARISON: Grounds = { comparisons: 1 };
/** One success is needed: a service that refuses every request shows nothing by refusing one more. */
export const A_REFUSAL: Grounds = { answers: 1, successes: 1 };
/** Is lacking in traffic that shows nothing of the life of items. */
export const NO_LIFE = 'no item was made, and looked at once the target had had the time to show what was done';
export const TWO_PAGES: Grounds = { items: 3, pages: 2 };
export const ONE_WINDOW: Grounds = { windows: 1 };
export const A_SCENARIO: Grounds = { scenarios: 1 };
export const TWO_SCENARIOS: Grounds = { scenarios: 2 };

/** Holds for every clause that says nothing else: a breach is a violation, and nothing is left open. */
const USUAL = { level: 'must', tolerance: '' } as const;

/** The entries of a family. `usual`: what holds for each of its clauses that does not say otherwise. */
export function entries<Usual extends Partial<ClauseEntry>>(
  family: ClauseFamily,
  usual: Usual,
  clauses: readonly (Omit<ClauseEntry, 'family' | keyof typeof USUAL | keyof Usual> & Partial<ClauseEntry>)[],
): readonly ClauseEntry[] {
  // The compiler cannot see that what one half lacks the other has.
  return clauses.map((clause) => ({ ...USUAL, ...usual, ...clause, family }) as unknown as ClauseEntry);
}
