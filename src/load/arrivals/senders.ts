// Which keys send a request that arrives. Pure.
import { mutates, type Reached } from '../../probes/world.ts';

interface Owned {
  readonly name: string;
  readonly account: string | null;
}

/**
 * Indexes of the keys that may send the operation; null: all. What a path names, or a body, belongs to the account that it
 * was reached with, and is not there for others.
 */
export function sendersOf(
  { operation, recipe: { credential } }: Pick<Reached, 'operation' | 'recipe'>,
  keys: readonly Owned[],
): readonly number[] | null {
  if (credential.kind !== 'key' || !(operation.path.includes('{') || mutates(operation))) return null;
  const owner = keys.find(({ name }) => name === credential.name);
  if (owner === undefined) return null;
  return keys.flatMap((key, at) =>
    key === owner || (key.account !== null && key.account === owner.account) ? [at] : [],
  );
}
