// Operations that a run never calls: `skip` of the configuration and `--exclude`, each with the reason that reports give.

import { plural } from '../contract/numbers.ts';
import { operationMatcher } from '../contract/operation-glob.ts';
import type { Config, RunOptions, SkipConfig } from './config.ts';
import { UsageError } from './errors.ts';
import { suggestion } from './nearest.ts';

/** The options with all that is left out; `excluded` are the globs of `--exclude`. */
export function withSkips<O extends RunOptions>(
  options: O,
  { skip }: Pick<Config, 'skip'>,
  excluded: readonly string[],
): O {
  const skipped = [...skip, ...excluded.map((operations) => ({ operations, reason: 'left out by --exclude' }))];
  return skipped.length === 0 ? options : { ...options, skipped };
}

/** Why the operation is never called, by the first entry that matches; null where it may be. */
export function skipReason({ skipped = [] }: Pick<RunOptions, 'skipped'>): (operationKey: string) => string | null {
  const entries = skipped.map(({ operations, reason }) => ({ matches: operationMatcher([operations]), reason }));
  return (key) => entries.find(({ matches }) => matches(key))?.reason ?? null;
}

/** Throws UsageError for an entry that matches none of the described operations: it would leave out what nobody meant. */
export function checkSkips(
  { skip }: Pick<Config, 'skip'>,
  excluded: readonly string[],
  operationKeys: readonly string[],
): void {
  const stated = skip.map(({ operations }, at) => ({
    operations,
    where: `skip[${at}].operation (/skip/${at}/operation)`,
  }));
  const given = excluded.map((operations) => ({ operations, where: '--exclude' }));
  const idle = [...stated, ...given].filter(({ operations }) => !operationKeys.some(operationMatcher([operations])));
  if (idle.length === 0) return;
  const named = idle.map(
    ({ operations, where }) => `${where}: "${operations}"${suggestion(operations, operationKeys)}`,
  );
  throw new UsageError(
    'ASSAY_OPERATION_UNKNOWN',
    `${named.join(', ')} matches none of the ${plural(operationKeys.length, 'operation')} described`,
    'name an operation or a glob, such as "DELETE /v1/stores/*"; `assay specs` names the descriptions',
  );
}

/** `DELETE /v1/stores/*: shared stores`, as a report's filters name what is left out. */
export function skipWords({ operations, reason }: SkipConfig): string {
  return `${operations}: ${reason}`;
}
