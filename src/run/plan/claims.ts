// What is claimed of operations beyond their descriptions: by the contract `commerce` the laws of its lists and of its two operations with
// keys, by the configuration (`laws`) those that it names.
import type { Config } from '../../config/config.ts';
import { operationMatcher } from '../../config/operation-glob.ts';
import { isIdempotent } from '../../contract/platform.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';

export type Law = keyof Config['laws'];
export type Claims = Pick<Config, 'contract' | 'laws'>;

/** Whether the experiments on the law are for the operation: always under `commerce`, else by the globs of `laws`. */
export function lawfulBy({ contract, laws }: Claims): (operation: Pick<Operation, 'key'>, law: Law) => boolean {
  if (contract === 'commerce') return () => true;
  const matches = { pagination: operationMatcher(laws.pagination), idempotency: operationMatcher(laws.idempotency) };
  return ({ key }, law) => laws[law].length > 0 && matches[law](key);
}

/** Whether the laws of keys bind the operation: the two that the contract `commerce` names, else those that the configuration claims. */
export function keysBoundBy(claims: Claims): (operation: string) => boolean {
  if (claims.contract === 'commerce') return isIdempotent;
  const lawful = lawfulBy(claims);
  return (key) => lawful({ key }, 'idempotency');
}

/** The descriptions, in which each operation whose keys are bound is marked as one that takes them. */
export function withClaims(claims: Claims, descriptions: readonly Description[]): readonly Description[] {
  const bindsKeys = keysBoundBy(claims);
  return descriptions.map((description) => {
    if (!description.operations.some(({ key }) => bindsKeys(key))) return description;
    const operations = description.operations.map((one) =>
      bindsKeys(one.key) ? { ...one, keyed: true as const } : one,
    );
    return { ...description, operations };
  });
}
