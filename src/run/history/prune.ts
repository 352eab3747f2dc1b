// Takes old runs out of a history, as a policy of count and age says. Folders of reports are no part of it.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { BUSY_MS, openToRead } from './layout.ts';
import { changing } from './record.ts';

/** A run goes where both let it go. */
export interface Policy {
  /** So many of the newest runs of each target, branch and suite stay. */
  readonly newest: number;
  /** Runs that started before this moment are old: "2026-08-25T00:00:00.000Z". */
  readonly before: string;
}

export interface Prunable {
  /** Ids of the runs that may go, the oldest first. */
  readonly runs: readonly string[];
  /** Old runs beyond the count that stay because they were certified. */
  readonly certified: number;
  readonly all: number;
}

const OLD = `WITH placed AS (
    SELECT id, started_at, COALESCE(certified, 0) AS certified, ROW_NUMBER() OVER (
      PARTITION BY host, branch, COALESCE(suite, 'conform') ORDER BY started_at DESC, id DESC
    ) AS place FROM runs LEFT JOIN facts ON facts.run = runs.id
  ) SELECT id, certified FROM placed WHERE place > ? AND started_at < ? ORDER BY started_at, id`;

/**
 * What the policy lets go; certified runs never. `isCertified` is asked too: earlier versions did not record it. Throws an
 * Error where the file cannot be read.
 */
export function prunable(file: string, { newest, before }: Policy, isCertified: (run: string) => boolean): Prunable {
  const database = openToRead(file);
  try {
    const old = database
      .prepare(OLD)
      .all(newest, before)
      .map(({ id, certified }) => ({
        id: String(id),
        stays: certified === 1 || isCertified(String(id)),
      }));
    const all = Number(database.prepare('SELECT COUNT(*) AS n FROM runs').get()?.n);
    const runs = old.flatMap(({ id, stays }) => (stays ? [] : [id]));
    return { runs, certified: old.length - runs.length, all };
  } finally {
    database.close();
  }
}

/** Takes the runs out, with all that is kept of them, and resolves with the room that this freed, in bytes. Throws as `recordRun`. */
export function removeRuns(file: string, runs: readonly string[]): number {
  const bytesBefore = statSync(file).size;
  changing(file, (database) => {
    const remove = database.prepare(
      'DELETE FROM runs WHERE id = ? AND id NOT IN (SELECT run FROM facts WHERE certified = 1)',
    );
    for (const run of runs) remove.run(run);
  });
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    database.exec('VACUUM');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  return Math.max(0, bytesBefore - statSync(file).size);
}
