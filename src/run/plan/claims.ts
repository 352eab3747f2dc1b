// What is claimed of operations beyond their descriptions: by the contract `commerce` the laws of its lists and of its two operations with
// keys, by the configuration (`laws`) those that it names.
import type { Config } from '../../config/config.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import { IDEMPOTENCY_HEADER, isIdempotent } from '../../contract/platform.ts';
import { isKeyHeader } from '../../exchange/idempotency-key.ts';
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

/**
 * The descriptions, in which each operation whose keys are bound is marked as one that takes them. By a description alone keys travel in the
 * header that it declares for them, whatever stands before `Idempotency-Key` in its name.
 */
export function withClaims(claims: Claims, descriptions: readonly Description[]): readonly Description[] {
  const bindsKeys = keysBoundBy(claims);
  return descriptions.map((description) => {
    const operations = description.operations.map((one) => {
      const keyHeader = claims.contract === 'openapi' ? otherKeyHeader(one) : null;
      const header = keyHeader === null ? {} : { keyHeader };
      return bindsKeys(one.key) ? { ...one, ...header, keyed: true as const } : { ...one, ...header };
    });
    const isChanged = operations.some(({ keyed, keyHeader }) => keyed === true || keyHeader !== undefined);
    return isChanged ? { ...description, operations } : description;
  });
}

/** The declared header for keys that is not called `Idempotency-Key`; null where that one is declared, or none. */
function otherKeyHeader({ parameters }: Operation): string | null {
  const names = parameters.flatMap(({ in: place, name }) => (place === 'header' && isKeyHeader(name) ? [name] : []));
  const isUsual = names.some((name) => name.toLowerCase() === IDEMPOTENCY_HEADER.toLowerCase());
  return isUsual ? null : (names[0] ?? null);
}
