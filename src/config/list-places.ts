// Where lists keep their items, as the configuration says it: `lists: { "GET /v1/things": { items: /data/rows } }`.

import { operationMatcher } from '../contract/operation-glob.ts';
import type { ListConfig } from './config.ts';
import { UsageError } from './errors.ts';
import { suggestion } from './nearest.ts';

/** The configured JSON pointer of an operation's items, by the first entry that matches; null where none does. */
export function listPlaces(lists: readonly ListConfig[]): (operationKey: string) => string | null {
  const entries = lists.map(({ operations, items }) => ({ matches: operationMatcher([operations]), items }));
  return (key) => entries.find(({ matches }) => matches(key))?.items ?? null;
}

/** Throws UsageError that names every entry which matches none of the described operations that read. */
export function checkListPlaces(lists: readonly ListConfig[], operationKeys: readonly string[]): void {
  const reads = operationKeys.filter((key) => key.startsWith('GET '));
  const idle = lists.filter(({ operations }) => !reads.some(operationMatcher([operations])));
  if (idle.length === 0) return;
  const named = idle.map(({ operations }) => `lists[${JSON.stringify(operations)}]${suggestion(operations, reads)}`);
  throw new UsageError(
    'ASSAY_OPERATION_UNKNOWN',
    `${named.join(', ')}: no match among the ${reads.length} GET operations described`,
    'name an operation or a glob, such as "GET /v1/stores*"; `assay specs` names the descriptions',
  );
}
