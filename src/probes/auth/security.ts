// Which configured keys satisfy what an operation declares as its security, and where the description puts them.
import type { Placement } from '../../exchange/exchange.ts';
import type { Description, Operation, SecurityScheme } from '../../openapi/model/operation.ts';

export interface KnownKey {
  readonly name: string;
  readonly plan: string;
  readonly account: string | null;
  /** The security scheme that the key is for; null: any. */
  readonly scheme: string | null;
}

/** The first key of each plan, in the order of the keys. */
export function oneOfEachPlan<K extends Pick<KnownKey, 'plan'>>(keys: readonly K[]): readonly K[] {
  return [...Map.groupBy(keys, ({ plan }) => plan).values()].flatMap(([first]) => first ?? []);
}

/** The first key of each security scheme, in the order of the keys. */
export function oneOfEachScheme(keys: readonly KnownKey[]): readonly KnownKey[] {
  return [...Map.groupBy(keys, ({ scheme }) => scheme).values()].flatMap(([first]) => first ?? []);
}

/** One scheme of an alternative, where its credential goes, and the key that stands for it. */
export interface Required {
  readonly scheme: string;
  /** Its `key` is empty where no key is for the scheme. */
  readonly placement: Placement;
}

/**
 * The alternatives of an operation's security, in its order; each needs all of its schemes, and an empty one needs nothing. One whose
 * credentials do not fit into one request, for two of them stand in one place, is left with keys for none.
 */
export function alternativesOf(
  { securitySchemes }: Description,
  operation: Operation,
  keys: readonly KnownKey[],
): readonly (readonly Required[])[] {
  return operation.security.map((alternative) => {
    const required = alternative.map((name): Required => {
      const scheme = securitySchemes.find((one) => one.name === name);
      return { scheme: name, placement: placementOf(scheme, keyFor(name, operation, keys)?.name ?? '') };
    });
    const placeOf = ({ placement: { in: place, name } }: Required): string => `${place} ${name.toLowerCase()}`;
    const carriedBy = ({ placement: { form, key } }: Required): string => `${form} ${key}`;
    const places = [...Map.groupBy(required, placeOf).values()];
    // One token that is good for two schemes is sent once.
    if (places.every((same) => new Set(same.map(carriedBy)).size === 1))
      return places.flatMap((same) => same.slice(0, 1));
    return required.map((one) => ({ ...one, placement: { ...one.placement, key: '' } }));
  });
}

/** The keys with the named one before the others, so that it stands for its scheme. */
export function ledBy(keys: readonly KnownKey[], name: string | null): readonly KnownKey[] {
  const first = keys.filter((key) => key.name === name);
  return first.length === 0 ? keys : [...first, ...keys.filter((key) => key.name !== name)];
}

/** Keys that may be served where the named one lacks a scope: those of its scheme and account, for another account has other things. */
export function peersOf(keys: readonly KnownKey[], name: string): readonly KnownKey[] {
  const own = keys.find((key) => key.name === name);
  return keys.filter((key) => key !== own && key.scheme === own?.scheme && key.account === own.account);
}

/** Tells whether there is a key for each of the schemes. */
export function isKeyed(required: readonly Required[]): boolean {
  return required.length > 0 && required.every(({ placement }) => placement.key !== '');
}

/** The key that stands for the first scheme of the first alternative for which there are all keys; null where there is none. */
export function firstKey(operation: Operation, keys: readonly KnownKey[]): KnownKey | null {
  for (const alternative of operation.security) {
    const matches = alternative.map((scheme) => keyFor(scheme, operation, keys));
    const [first] = matches;
    if (first !== undefined && matches.every((key) => key !== null)) return first;
  }
  return null;
}

/** The key that is configured for the scheme, else the first that is for no scheme in particular; null also where none can be sent. */
function keyFor(scheme: string, { unspoken = [] }: Operation, keys: readonly KnownKey[]): KnownKey | null {
  if (unspoken.includes(scheme)) return null;
  return keys.find((key) => key.scheme === scheme) ?? keys.find((key) => key.scheme === null) ?? null;
}

/**
 * Where credentials of the operation go; of one that declares none, where the scheme of the first key has them, else the first that another
 * operation requires, else the description's first.
 */
export function placementsOf(
  description: Description,
  operation: Operation,
  keys: readonly KnownKey[],
): readonly Placement[] {
  const alternatives = alternativesOf(description, operation, keys).filter(({ length }) => length > 0);
  const usable = alternatives.find(isKeyed);
  if (usable !== undefined) return usable.map(({ placement }) => placement);
  const [declared] = alternatives;
  if (declared !== undefined) return declared.slice(0, 1).map(({ placement }) => placement);
  const [first] = description.securitySchemes;
  const [required] = description.operations.flatMap(({ security }) => security.flat());
  const ofKey = description.securitySchemes.find(({ name }) => name === (keys[0]?.scheme ?? required));
  return first === undefined ? [] : [placementOf(ofKey ?? first, '')];
}

/** Anything but an API key and HTTP Basic carries a bearer token: http bearer, oauth2, openIdConnect, and what nobody knows. */
export function placementOf(scheme: SecurityScheme | undefined, key: string): Placement {
  if (scheme?.type === 'apiKey' && scheme.parameter !== null) {
    return { in: scheme.in ?? 'header', name: scheme.parameter, form: 'plain', key };
  }
  const form = scheme?.type === 'http' && scheme.scheme?.toLowerCase() === 'basic' ? 'basic' : 'bearer';
  return { in: 'header', name: 'Authorization', form, key };
}
