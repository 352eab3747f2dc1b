// Defines a clause: a normative sentence with a fixed id, a level and its tolerance.

/** must: a breach is a violation. should: an advisory. discover: found out and reported, never judged. */
export type Level = 'must' | 'should' | 'discover';

export type ClauseFamily =
  | 'SPEC'
  | 'SCH'
  | 'ERR'
  | 'AUTH'
  | 'REQ'
  | 'PAG'
  | 'IDEM'
  | 'RATE'
  | 'VER'
  | 'RED'
  | 'HEALTH'
  | 'INT'
  | 'LIFE'
  | 'COND'
  | 'HOOK'
  | 'CLIENT'
  /** Clauses of the user's own, which the configuration brings. */
  | 'X';

export interface Clause {
  readonly id: string;
  readonly family: ClauseFamily;
  readonly level: Level;
  /** The normative sentence. */
  readonly text: string;
  /** The verdict rule, and all that the source leaves open; may be empty. */
  readonly tolerance: string;
}
