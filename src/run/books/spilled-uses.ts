// The memory of ERR-06, which grows with every error that a run is answered with: the latest ids in memory, all others in
// a temporary database of SQLite's own, which is on disk and gone with the run.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { FirstUse, FirstUses } from '../../checks/err/err-06-request-ids.ts';

/** Maximum number of ids that are kept in memory. */
const IN_MEMORY = 20_000;

export interface Store {
  readonly database: DatabaseSync;
  readonly select: StatementSync;
  readonly insert: StatementSync;
}

export class SpilledUses implements FirstUses {
  readonly #latest = new Map<string, FirstUse>();
  readonly #inMemory: number;
  readonly #open: () => Store;
  #store: Store | null = null;
  #isFull = false;

  /** `open` makes the database; tests bring one whose disk is full. */
  constructor(inMemory = IN_MEMORY, open = newStore) {
    this.#inMemory = inMemory;
    this.#open = open;
  }

  get(digest: string): FirstUse | undefined {
    const latest = this.#latest.get(digest);
    if (latest !== undefined || this.#store === null) return latest;
    const row = this.#store.select.get(digest);
    return row === undefined
      ? undefined
      : { exchange: String(row.exchange), replayOf: row.replay_of === null ? null : String(row.replay_of) };
  }

  set(digest: string, use: FirstUse): void {
    this.#latest.set(digest, use);
    if (this.#latest.size >= this.#inMemory && !this.#isFull) this.#spill();
  }

  /** Frees the disk; nothing is remembered from here on. */
  close(): void {
    this.#latest.clear();
    this.#store?.database.close();
    this.#store = null;
  }

  /** Where the disk for temporary files takes no more, all stays in memory from then on: a run does not end for that. */
  #spill(): void {
    try {
      this.#store ??= this.#open();
      const { database, insert } = this.#store;
      database.exec('BEGIN');
      for (const [digest, { exchange, replayOf }] of this.#latest) insert.run(digest, exchange, replayOf);
      database.exec('COMMIT');
      this.#latest.clear();
    } catch {
      // The disk is full or gone: all stays in memory.
      this.#isFull = true;
      if (this.#store?.database.isTransaction) this.#store.database.exec('ROLLBACK');
    }
  }
}

/** An empty name is a database of its own on disk, deleted when it is closed. */
export function newStore(): Store {
  const database = new DatabaseSync('');
  database.exec(
    'CREATE TABLE first_uses (digest TEXT PRIMARY KEY, exchange TEXT NOT NULL, replay_of TEXT) STRICT, WITHOUT ROWID',
  );
  return {
    database,
    select: database.prepare('SELECT exchange, replay_of FROM first_uses WHERE digest = ?'),
    insert: database.prepare('INSERT OR IGNORE INTO first_uses VALUES (?, ?, ?)'),
  };
}
