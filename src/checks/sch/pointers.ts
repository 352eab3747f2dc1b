// Pointers into answers, as findings group by them.

import type { ContractName } from '../../contract/contract.ts';
import { oncePerValue } from '../../exchange/once-per.ts';
import { appended, isObject, tokensOf } from '../../openapi/json.ts';
import type { Description, SchemaHandle } from '../../openapi/model/operation.ts';

/**
 * A pointer into the answer as its place in the schema: `*` for every index of an array and every key of a map. `whole`: the
 * value itself is meant, not the member of what holds it.
 */
export type Place = (pointer: string, whole?: boolean) => string;

/**
 * Places in the answer `root`, which the schema describes. By a description alone places within a component are named
 * after it ("Pet/name"), so that one flaw of it is one cause wherever it shows.
 */
export function placesOf(root: unknown, schema: SchemaHandle, description: Description, contract: ContractName): Place {
  const [part, entire] = [false, true].map((whole) =>
    oncePerValue((plain: string) => inSchema(plain, schema.value, { description, contract, whole })),
  ) as [(plain: string) => string, (plain: string) => string];
  return (pointer, whole = false) => (whole ? entire : part)(withoutIndexes(root, pointer));
}

function withoutIndexes(root: unknown, pointer: string): string {
  let value = root;
  let place = '';
  for (const token of tokensOf(pointer)) {
    place = Array.isArray(value) ? `${place}/*` : appended(place, token);
    value = memberOf(value, token);
  }
  return place;
}

interface Way {
  readonly description: Description;
  readonly contract: ContractName;
  readonly whole: boolean;
}

interface Part {
  readonly schema: unknown;
  readonly place: string;
}

/** Follows the schema for as long as it says what lies below; what no `properties` names is a key of a map. */
function inSchema(pointer: string, schema: unknown, way: Way): string {
  let found: readonly Part[] = [{ schema, place: '' }];
  let place = '';
  for (const token of tokensOf(pointer)) {
    const parts = found.flatMap((part) => partsOf(part, way));
    const named = parts.flatMap((part) => below(part, memberOf(part.schema.properties, token), token));
    found = named.length > 0 ? named : parts.flatMap((part) => valuesIn(part, token === '*'));
    place = found[0]?.place ?? appended(ownerOf(parts)?.place ?? place, token);
  }
  const [self] = found;
  return way.whole && self !== undefined ? (ownerOf(partsOf(self, way))?.place ?? place) : place;
}

/** The part that says what members there are. */
function ownerOf(parts: readonly Described[]): Described | undefined {
  return parts.find(({ schema }) => isObject(schema.properties)) ?? parts[0];
}

/** The items of an array, or the values of a map. */
function valuesIn({ schema, place }: Described, isArray: boolean): readonly Part[] {
  const patterns = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  const values = isArray ? [schema.items, schema.prefixItems].flat() : [schema.additionalProperties, ...patterns];
  return values.flatMap((value) => below({ schema, place }, value, '*'));
}

function below({ place }: Described, schema: unknown, token: string): readonly Part[] {
  return isObject(schema) ? [{ schema, place: appended(place, token) }] : [];
}

interface Described extends Part {
  readonly schema: Readonly<Record<string, unknown>>;
}

const COMPOSED_OF = ['allOf', 'oneOf', 'anyOf', 'then', 'else'];
const DEPTH = 8;

/** The schema and all that it is composed of, whatever the value. */
function partsOf({ schema, place }: Part, way: Way, depth = 0): readonly Described[] {
  const resolved = way.description.deref(schema);
  if (!isObject(resolved) || depth > DEPTH) return [];
  const component = way.contract === 'openapi' && isObject(schema) ? componentIn(schema.$ref) : null;
  const here = component ?? place;
  const parts = COMPOSED_OF.flatMap((keyword) => resolved[keyword] ?? []);
  return [
    { schema: resolved, place: here },
    ...parts.flatMap((part) => partsOf({ schema: part, place: here }, way, depth + 1)),
  ];
}

/** The name of the schema component that the reference leads to; null for any other place. */
function componentIn(reference: unknown): string | null {
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(typeof reference === 'string' ? reference : '') ?? [];
  return name ?? null;
}

function memberOf(value: unknown, token: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
  return (value as Record<string, unknown>)[token];
}

/** Tells whether one pointer leads to the other or into it. */
export function areNested(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
