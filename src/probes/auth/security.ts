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
export function oneOfEachPlan(keys: readonly KnownKey[]): readonly KnownKey[] {
  return [...Map.groupBy(keys, ({ plan }) => plan).values()].flatMap(([first]) => first ?? []);
}

/** A scheme of an alternative and the key that stands for it. */
interface Match {
  readonly scheme: string;
  readonly key: KnownKey;
}

/** The first alternative for every scheme of which there is a key; null where there is none. Never empty. */
export function satisfied({ security }: Operation, keys: readonly KnownKey[]): readonly Match[] | null {
  for (const alternative of security) {
    const matches = alternative.flatMap((scheme): readonly Match[] => {
      const key = keyFor(scheme, keys);
      return key === null ? [] : [{ scheme, key }];
    });
    if (matches.length > 0 && matches.length === alternative.length) return matches;
  }
  return null;
}

/** The key that is configured for the scheme, else the first that is for no scheme in particular. */
function keyFor(scheme: string, keys: readonly KnownKey[]): KnownKey | null {
  return keys.find((key) => key.scheme === scheme) ?? keys.find((key) => key.scheme === null) ?? null;
}

/** Where credentials of the operation go; of one that declares none, where the description's first scheme has them. */
export function placementsOf(
  { securitySchemes }: Description,
  operation: Operation,
  keys: readonly KnownKey[],
): readonly Placement[] {
  const matches = satisfied(operation, keys);
  const named = (name: string): SecurityScheme | undefined => securitySchemes.find((scheme) => scheme.name === name);
  if (matches !== null) return matches.map(({ scheme, key }) => placementOf(named(scheme), key.name));
  const declared = operation.security.find((alternative) => alternative.length > 0);
  if (declared !== undefined) return declared.map((scheme) => placementOf(named(scheme), ''));
  return securitySchemes.slice(0, 1).map((scheme) => placementOf(scheme, ''));
}

/** Anything but an API key and HTTP Basic carries a bearer token: http bearer, oauth2, openIdConnect, and what nobody knows. */
function placementOf(scheme: SecurityScheme | undefined, key: string): Placement {
  if (scheme?.type === 'apiKey' && scheme.parameter !== null) {
    return { in: scheme.in ?? 'header', name: scheme.parameter, form: 'plain', key };
  }
  const form = scheme?.type === 'http' && scheme.scheme?.toLowerCase() === 'basic' ? 'basic' : 'bearer';
  return { in: 'header', name: 'Authorization', form, key };
}
