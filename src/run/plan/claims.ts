// Tells what is claimed of operations beyond their descriptions: by the terms of the contract the laws of keys, and by
// the configuration (`laws`) those of lists. Under `commerce` experiments on laws are for every operation.
import type { Config } from '../../config/config.ts';
import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import type { IdempotencyTerms } from '../../contract/terms.ts';
import { isKeyHeader, isRequestIdHeader } from '../../exchange/idempotency-key.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { statedPaging } from '../../openapi/model/stated-paging.ts';

export type Law = keyof Config['laws'];
export type Claims = Pick<Config, 'contract' | 'laws' | 'stated'>;

/** Tells whether experiments on the law are for the operation: always under `commerce`, else by the terms, or the globs of `laws`. */
export function lawfulBy({ contract, laws, stated }: Claims): (operation: Operation, law: Law) => boolean {
  if (contract === 'commerce') return () => true;
  const matches = {
    pagination: matcherOf(laws.pagination),
    idempotency: matcherOf(stated.terms.idempotency?.operations ?? []),
  };
  return (operation, law) =>
    matches[law](operation.key) || (law === 'pagination' && statedPaging(operation, stated.terms) !== null);
}

/** Tells whether the laws of keys bind the operation, by the terms of the contract. */
export function keysBoundBy({ stated }: Pick<Claims, 'stated'>): (operation: string) => boolean {
  return matcherOf(stated.terms.idempotency?.operations ?? []);
}

/** The same where no glob matches nothing. */
function matcherOf(globs: readonly string[]): (operation: string) => boolean {
  return globs.length === 0 ? () => false : operationMatcher(globs);
}

/**
 * The descriptions, in which each operation whose keys are bound is marked as one that takes them, and each with entity tags as such. Keys travel in the header that the terms
 * name; where they name none, in the one that a description declares for them, whatever stands before `Idempotency-Key` in its name.
 */
export function withClaims(claims: Claims, descriptions: readonly Description[]): readonly Description[] {
  const { idempotency, conditional } = claims.stated.terms;
  const hasTags = matcherOf(conditional);
  const [bindsKeys, isNeverTwice] = [keysBoundBy(claims), matcherOf(idempotency?.never ?? [])];
  return descriptions.map((description) => {
    const operations = description.operations.map((one) => {
      return {
        ...one,
        ...keysOf(one, claims, bindsKeys(one.key)),
        ...(bindsKeys(one.key) ? { keyed: true as const } : {}),
        ...(isNeverTwice(one.key) ? { neverTwice: true as const } : {}),
        ...(hasTags(one.key) ? { conditional: true as const } : {}),
      };
    });
    return operations.some(isMarked) ? { ...description, operations } : description;
  });
}

/** The header and the form of its keys, where they are others than usual. */
function keysOf(operation: Operation, { contract, stated }: Claims, isBound: boolean) {
  const { idempotency } = stated.terms;
  const keyHeader = contract === 'openapi' ? otherKeyHeader(operation, idempotency, isBound) : null;
  const keyForm = idempotency?.keys ?? null;
  return { ...(keyHeader === null ? {} : { keyHeader }), ...(keyForm === null ? {} : { keyForm }) };
}

function isMarked({ keyed, keyHeader, keyForm, conditional }: Operation): boolean {
  return keyed === true || keyHeader !== undefined || keyForm !== undefined || conditional === true;
}

/**
 * The header for keys that is not called `Idempotency-Key`, as stated, else as declared; null where it is called so, or none is. `isBound`:
 * the operation is known to take keys, so that an id of the request may be one.
 */
function otherKeyHeader({ parameters }: Operation, stated: IdempotencyTerms | null, isBound: boolean): string | null {
  const declared = parameters.flatMap(({ in: place, name }) => (place === 'header' ? [name] : []));
  const known = declared.filter(isKeyHeader);
  const found = known.length > 0 || !isBound ? known : declared.filter(isRequestIdHeader);
  const names = stated?.header == null ? found : [stated.header];
  const isUsual = names.some((name) => name.toLowerCase() === USUAL_KEY_HEADER.toLowerCase());
  return isUsual ? null : (names[0] ?? null);
}
