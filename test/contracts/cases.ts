// The defects and the oddities of somebody else's API that show the clauses which a contract file alone binds. Those of other clauses are
// the reference platform's (src/platform/).

export interface ContractCase<Ways> {
  /** The clause that is broken, or whose tolerance is used. */
  readonly clause: string;
  readonly is: 'defect' | 'oddity';
  /** What the server does, in words. */
  readonly text: string;
  readonly ways: Ways;
  /** The preset that the server keeps, or the form of its headers; absent: it has one alone. */
  readonly style?: string;
  /** Lines of the contract file in place of the usual ones. */
  readonly contract?: readonly string[];
}
