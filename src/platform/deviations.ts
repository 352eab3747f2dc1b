// All faults and allowed oddities of the reference platform, those of load and of webhooks among them, and how they are chosen
// by their ids.

import { UsageError } from './arguments.ts';
import type { Deviation } from './deviation.ts';
import { FAULTS } from './faults/all.ts';
import { HOOK_FAULTS } from './faults/hook.ts';
import { LOAD_FAULTS } from './faults/load.ts';
import { TOLERANCES } from './tolerances/all.ts';
import { HOOK_TOLERANCES } from './tolerances/hook.ts';

export const ALL_FAULTS: readonly Deviation[] = [...FAULTS, ...LOAD_FAULTS, ...HOOK_FAULTS];
export const ALL_TOLERANCES: readonly Deviation[] = [...TOLERANCES, ...HOOK_TOLERANCES];

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
export function listOf(all: readonly Deviation[], { json }: { readonly json: boolean }): string {
  const rows = all.map(({ id, clause, description, alsoBreaks }) => ({ id, clause, description, alsoBreaks }));
  if (json) return `${JSON.stringify(rows)}\n`;
  return rows.map(({ id, clause, description }) => `${id.padEnd(36)} ${clause.padEnd(10)} ${description}\n`).join('');
}
