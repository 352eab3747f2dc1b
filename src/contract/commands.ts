// Which command judges a clause: some laws bind what calls the platform, or what the platform calls, and need a run of
// their own.
import type { Clause } from './clause.ts';

const COMMANDS: Readonly<Record<string, string>> = { HOOK: 'assay webhooks' };

/** The command that judges the clause, where that is not `assay conform`; null where it is. */
export function commandOf({ family }: Pick<Clause, 'family'>): string | null {
  return COMMANDS[family] ?? null;
}
