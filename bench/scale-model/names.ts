// Names and ids of the scale model. The form of an id depends on its noun alone: references and paths agree everywhere.

import type { JsonObject } from '../../src/platform/json.ts';
import { numberFrom } from '../../src/platform/store/hash.ts';

/** "product-variants", "Product Variants" → "ProductVariants". */
export function pascal(name: string): string {
  return words(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** "product-variants" → "productVariants". */
export function camel(name: string): string {
  const joined = pascal(name);
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/** "Product Variants" → "product-variants". */
export function kebab(name: string): string {
  return words(name)
    .map((word) => word.toLowerCase())
    .join('-');
}

/** "product-variants" → "product variants"; "storeId" → "store id". */
export function plain(name: string): string {
  return words(name)
    .map((word) => word.toLowerCase())
    .join(' ');
}

/** "categories" → "category", "addresses" → "address"; words without a plural stay. */
export function singular(noun: string): string {
  if (/ies$/i.test(noun)) return noun.replace(/ies$/i, 'y');
  if (/(ches|shes|xes|sses)$/i.test(noun)) return noun.slice(0, -2);
  return /[^s]s$/i.test(noun) ? noun.slice(0, -1) : noun;
}

/** As the source names the parameter. */
const DOCUMENTED_PARAMETERS: Readonly<Record<string, string>> = { 'email-forwards': 'forwardId' };

/** "product-variants" → "productVariantId". */
export function parameterOf(collection: string): string {
  return DOCUMENTED_PARAMETERS[collection] ?? `${camel(singular(collection))}Id`;
}

function words(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}

/** Documented parameters are strings whose form is not shown. */
const PREFIXED = ['store', 'forward'];

/** Schema of the ids of what the noun names ("productVariant"): UUIDs, prefixed texts or numbers. */
export function idSchema(noun: string): JsonObject {
  const style = PREFIXED.includes(noun) ? 4 : numberFrom(`id of ${noun}`) % 8;
  if (style === 0) return { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
  if (style < 4) return { type: 'string', format: 'uuid' };
  const prefix = noun
    .replaceAll(/[^a-z]/gi, '')
    .toLowerCase()
    .slice(0, 5);
  return { type: 'string', pattern: `^${prefix}_[0-9a-z]{14}$`, minLength: prefix.length + 15 };
}

/** The noun that a member or parameter refers to ("productVariantId" → "productVariant"); null for one that is no reference. */
export function nounOf(member: string): string | null {
  return /^([a-z][A-Za-z0-9]*)Id$/.exec(member)?.[1] ?? null;
}
