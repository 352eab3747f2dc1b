// Intersects schemas, keyword by keyword, where no choice is left to a value. Object and array keywords keep their
// schemas apart, since `additionalProperties` and its kin speak of the names beside them.

import type { Pattern } from '../../openapi/patterns/pattern.ts';

export const JSON_TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** Marks the parts of a value's schema that an unevaluated… keyword looks at. */
export type Scope = symbol;

/** Demands of one schema on an object's members. */
export interface MemberPart {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly patterns: readonly { readonly source: string; readonly pattern: Pattern; readonly schema: unknown }[];
  /** Schema of every other member; undefined: nothing is said. */
  readonly rest: unknown;
  /** Set for unevaluatedProperties: `rest` is of members that no other part of the scope speaks of. */
  readonly over: Scope | null;
  readonly scopes: readonly Scope[];
}

/** Demands of one schema on an array's items. */
export interface ItemPart {
  readonly prefix: readonly unknown[];
  readonly rest: unknown;
  /** Set for unevaluatedItems. */
  readonly over: Scope | null;
  readonly scopes: readonly Scope[];
}

export interface Containing {
  readonly schema: unknown;
  readonly min: number;
  readonly max: number;
  readonly scopes: readonly Scope[];
}

export interface Bound {
  readonly value: number;
  /** The bound itself is out of bounds. */
  readonly open: boolean;
}

export interface Form {
  /** In the order described. */
  readonly types: readonly JsonType[];
  /** True where some schema states a type. */
  readonly typed: boolean;
  /** Numbers must be integers. */
  readonly whole: boolean;
  /** const, enum; null: any. */
  readonly values: readonly unknown[] | null;
  readonly excluded: readonly unknown[];
  readonly low: Bound;
  readonly high: Bound;
  readonly multiples: readonly number[];
  readonly minLength: number;
  readonly maxLength: number;
  readonly patterns: readonly string[];
  readonly antipatterns: readonly string[];
  readonly formats: readonly string[];
  readonly encodings: readonly string[];
  readonly minItems: number;
  readonly maxItems: number;
  readonly unique: boolean;
  readonly items: readonly ItemPart[];
  readonly contains: readonly Containing[];
  readonly minProperties: number;
  readonly maxProperties: number;
  readonly required: readonly string[];
  readonly members: readonly MemberPart[];
  /** propertyNames. */
  readonly names: readonly unknown[];
  /** dependentRequired. */
  readonly dependents: readonly (readonly [name: string, needed: readonly string[]])[];
  /** Examples and defaults of the description, best first. */
  readonly given: readonly unknown[];
  /** readOnly: as a member it must not be there. */
  readonly forbidden: boolean;
}

/** Form of an empty schema. */
export const ANYTHING: Form = {
  types: JSON_TYPES,
  typed: false,
  whole: false,
  values: null,
  excluded: [],
  low: { value: Number.NEGATIVE_INFINITY, open: false },
  high: { value: Number.POSITIVE_INFINITY, open: false },
  multiples: [],
  minLength: 0,
  maxLength: Number.POSITIVE_INFINITY,
  patterns: [],
  antipatterns: [],
  formats: [],
  encodings: [],
  minItems: 0,
  maxItems: Number.POSITIVE_INFINITY,
  unique: false,
  items: [],
  contains: [],
  minProperties: 0,
  maxProperties: Number.POSITIVE_INFINITY,
  required: [],
  members: [],
  names: [],
  dependents: [],
  given: [],
  forbidden: false,
};

export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

/** The schemas that speak of an object's member of this name. */
export function memberSchemas(form: Form, name: string): readonly unknown[] {
  return form.members.flatMap((part) => {
    if (part.over !== null) return form.members.some((one) => isMentioned(one, name, part)) ? [] : [part.rest];
    const own = Object.hasOwn(part.properties, name) ? [part.properties[name]] : [];
    const matching = part.patterns.filter(({ pattern }) => pattern.test(name)).map(({ schema }) => schema);
    if (own.length > 0 || matching.length > 0) return [...own, ...matching];
    return part.rest === undefined ? [] : [part.rest];
  });
}

/** Tells whether the part evaluates the member, in the eyes of an unevaluatedProperties. */
function isMentioned(one: MemberPart, name: string, by: MemberPart): boolean {
  if (one === by || by.over === null || !one.scopes.includes(by.over)) return false;
  if (one.rest !== undefined || Object.hasOwn(one.properties, name)) return true;
  return one.patterns.some(({ pattern }) => pattern.test(name));
}

/** The schemas that speak of an array's item; `witness` of these `contains`, which evaluate the item as well. */
export function itemSchemas(form: Form, index: number, witness: readonly Containing[] = []): readonly unknown[] {
  const spoken = form.items.flatMap((part) => {
    const { over } = part;
    if (over !== null) {
      const isEvaluated =
        form.items.some((one) => one !== part && one.scopes.includes(over) && speaksOf(one, index)) ||
        witness.some((one) => one.scopes.includes(over));
      return isEvaluated ? [] : [part.rest];
    }
    if (index < part.prefix.length) return [part.prefix[index]];
    return part.rest === undefined ? [] : [part.rest];
  });
  return [...spoken, ...witness.map(({ schema }) => schema)];
}

function speaksOf(part: ItemPart, index: number): boolean {
  return part.rest !== undefined || index < part.prefix.length;
}

/** Members that some schema names, in the order described. */
export function namedMembers(form: Form): readonly string[] {
  return [...new Set(form.members.flatMap(({ properties }) => Object.keys(properties)))];
}
