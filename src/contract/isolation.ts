// What a load run tells of isolation: who felt whose ceiling.
/** Whether one key at its ceiling is felt by others. */
export interface IsolationPart {
  /** How many times as slow another key's answers may be (load.isolation.slowdown); null: slowing informs. */
  readonly slowdown: number | null;
  /** One row for each key that was kept at its ceiling. */
  readonly keys: readonly IsolationRow[];
}

export interface IsolationRow {
  readonly plan: string;
  readonly key: string;
  /** Its calls while it was pressed; none refused: it was not brought to its ceiling. */
  readonly admitted: number;
  readonly refused: number;
  readonly others: readonly IsolatedKey[];
}

/** Another key, below its own limit, at rest and while the first was at its ceiling. */
export interface IsolatedKey {
  readonly plan: string;
  readonly key: string;
  readonly callsAtRest: number;
  readonly callsUnderPressure: number;
  readonly refusedAtRest: number;
  readonly refusedUnderPressure: number;
  readonly slowing: Slowing;
}

export interface Slowing {
  /** null: no answers. */
  readonly p50RestMs: number | null;
  readonly p50PressedMs: number | null;
  readonly p90RestMs: number | null;
  readonly p90PressedMs: number | null;
  /** Times as slow under pressure; null where it is not known. */
  readonly factor: { readonly least: number; readonly best: number; readonly most: number } | null;
  /** none: within milliseconds; open: noise may be the reason; sure: even the fastest pressure was slower than the slowest rest. */
  readonly shift: 'none' | 'open' | 'sure';
  /** Why nothing is known; null where it is. */
  readonly unknown: string | null;
}
