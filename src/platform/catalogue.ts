// Faults and tolerance cases by id.
import { UsageError } from './arguments.ts';
import type { Deviation } from './deviation.ts';

/** The deviations of these ids, in their order. Throws `UsageError` for an id that none has. */
export function selectDeviations(all: readonly Deviation[], ids: readonly string[], kind: string): Deviation[] {
  return ids.map((id) => {
    const found = all.find((one) => one.id === id);
    if (found === undefined)
      throw new UsageError(
        `there is no ${kind} "${id}"; --list-${kind === 'fault' ? 'faults' : 'tolerances'} shows them`,
      );
    return found;
  });
}

/** The list as text: one a line, or as JSON `[{id, clause, description, alsoBreaks?}]`. */
export function listOf(all: readonly Deviation[], json: boolean): string {
  const rows = all.map(({ id, clause, description, alsoBreaks }) => ({ id, clause, description, alsoBreaks }));
  if (json) return `${JSON.stringify(rows)}\n`;
  return rows.map(({ id, clause, description }) => `${id.padEnd(36)} ${clause.padEnd(10)} ${description}\n`).join('');
}
