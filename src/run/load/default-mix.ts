// Which operations arrive where the configuration names no mix: reads that clients send most. Pure.

import type { Described } from '../../openapi/model/catalogue.ts';
import { needsNoValue, requiresToken } from '../../probes/world.ts';

const maxReads = 12;

/**
 * At most twelve reads, in the order of the descriptions: those that take a key, where one is configured; else those that take none.
 * Reads that need no value come alone where there are such, for values of items may be gone while the load is sent.
 */
export function readsToSend(
  operations: readonly Described[],
  { hasKeys }: { readonly hasKeys: boolean },
): readonly Described[] {
  const reads = operations.filter(({ operation }) => operation.method === 'GET' && operation.unsupported === null);
  const keyed = hasKeys ? reads.filter(({ operation }) => requiresToken(operation)) : [];
  const sendable = keyed.length > 0 ? keyed : reads.filter(({ operation }) => !requiresToken(operation));
  const plain = sendable.filter(({ operation }) => needsNoValue(operation));
  return (plain.length > 0 ? plain : sendable).slice(0, maxReads);
}
