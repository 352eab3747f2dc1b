// A description's schema objects as JSON Schema 2020-12 for one direction. What 3.0 and OpenAPI add to JSON Schema
// (nullable, boolean exclusive bounds, discriminator, readOnly, writeOnly) is put into words that ajv knows; annotations
// are left out. References become ids of further schemas, each translated once and only when somebody needs it.
import { appended, asArray, asObject, isObject, type JsonObject, referenceTo } from '../json.ts';
import { compositionOf, type References } from '../read/references.ts';
import { DirectedProperties, type Direction } from './directed-properties.ts';
import { Discriminators } from './discriminator.ts';

/** Keywords whose value is a schema. */
const ONE = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
/** Keywords whose value is a list of schemas. */
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** Keywords whose value is a map of schemas. */
const MAP = ['properties', 'patternProperties', 'dependentSchemas'];
const PROTO = '__proto__';
/** Keywords whose subschemas judge the same value as the schema they stand in. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];
/** Keywords that judge a value without further schemas. */
const ASSERTIONS = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'dependentRequired',
];

/**
 * Why a schema cannot be compiled. `told`: the description's problems tell it anyway (a reference that leads nowhere,
 * something that is no schema); `broken`: it means nothing; `large`: it may mean something, but nobody can wait for it. Caught where the
 * description is loaded, and told as one of its problems.
 */
export class Uncompilable extends Error {
  readonly why: 'told' | 'broken' | 'large';

  constructor(message: string, why: Uncompilable['why']) {
    super(message);
    this.why = why;
  }
}

/** Schemas that may be composed into one another: deeper, the stack overflows somewhere in ajv. */
const MAX_COMPOSITION_DEPTH = 100;

/** Schemas that may judge one value: many times what the most tangled descriptions come to. */
const MAX_JUDGES = 20_000;
/** Schemas in one piece of code, and of one keyword: with more the code takes seconds to make, or overflows the stack. */
const [MAX_PARTS, MAX_SIBLINGS] = [5_000, 1_000];

/** Facts that a schema inherits from the place where it is used. */
interface Context {
  /** Properties that another part of the same composition excuses from being required. */
  readonly excused: ReadonlySet<string>;
  /** Used as the base of another schema: its discriminator would lead back there. */
  readonly asBase: boolean;
  /** Schemas whose judgement of the same value this one is part of. */
  readonly within: readonly string[];
  /** Judges a part of the value: what it refers to may wait until such a part turns up. */
  readonly ofPart: boolean;
  /**
   * Reference by $dynamicAnchor to the outermost schema that has it, of those that led here. Source: JSON Schema
   * 2020-12, 8.2.3.2.
   */
  readonly dynamic: ReadonlyMap<string, string>;
}

const WHOLE: Context = { excused: new Set(), asBase: false, within: [], ofPart: false, dynamic: new Map() };

/** Stands for a $ref whose target is translated and compiled only when a value reaches it. */
export const DEFERRED = 'deferredRef';
/** Stands in alternatives, so that their tries are counted. */
export const TRIED = 'tried';

export class Translator {
  private readonly references: References;
  private readonly directed: DirectedProperties;
  private readonly discriminators: Discriminators;
  private readonly expansion: Expansion;
  private readonly add: (id: string, schema: unknown) => void;
  /** Ids by schema and context; the reason where a schema cannot be translated. */
  private readonly ids = new Map<string, string | Uncompilable>();
  /** Schemas translated for the piece of code that is being made. */
  private parts = 0;

  /** `add` is told every schema that a translated one refers to, before translate() returns. */
  constructor(references: References, direction: Direction, add: (id: string, schema: unknown) => void) {
    this.references = references;
    this.directed = new DirectedProperties(references, direction);
    this.discriminators = new Discriminators(references);
    this.expansion = new Expansion(references);
    this.add = add;
  }

  /** The schema as ajv may have it. Throws Uncompilable where a reference leads nowhere, no schema stands, or it is too large. */
  translate(schema: unknown): unknown {
    this.parts = 0;
    return this.translated(schema, WHOLE);
  }

  private translated(schema: unknown, context: Context): unknown {
    this.parts += 1;
    if (this.parts > MAX_PARTS) throw new Uncompilable(`it is made of more than ${MAX_PARTS} schemas`, 'large');
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema))
      throw new Uncompilable(`${JSON.stringify(schema) ?? 'nothing'} stands where a schema is expected`, 'told');
    // JSON Schema 2020-12 allows an empty enum, which no value fits; ajv does not.
    if (Array.isArray(schema.enum) && schema.enum.length === 0) return false;
    const reference = schema.$ref ?? this.dynamicReference(schema.$dynamicRef, context);
    const referred = typeof reference === 'string' ? this.referred(reference, schema, context) : null;
    if (this.references.dialect === '3.0' && referred !== null) return referred;
    const excused = new Set([...context.excused, ...this.directed.excusedBy(schema)]);
    const subschemas = this.subschemas(schema, { ...context, excused });
    const judged = { ...referred, ...this.assertions(schema, excused), ...subschemas };
    return this.withNull(schema, judged);
  }

  private assertions(schema: JsonObject, excused: ReadonlySet<string>): JsonObject {
    const result: JsonObject = {};
    for (const keyword of ASSERTIONS) if (schema[keyword] !== undefined) result[keyword] = schema[keyword];
    if (Array.isArray(schema.required)) result.required = schema.required.filter((name) => !excused.has(name));
    if (schema[this.directed.forbidden] === true) result[this.directed.forbidden] = true;
    exclusiveBound(result, 'minimum', 'exclusiveMinimum');
    exclusiveBound(result, 'maximum', 'exclusiveMaximum');
    return result;
  }

  private subschemas(schema: JsonObject, context: Context): JsonObject {
    const result: JsonObject = {};
    for (const keyword of ONE) {
      if (schema[keyword] !== undefined)
        result[keyword] = this.translated(schema[keyword], contextBelow(keyword, context));
    }
    for (const keyword of LIST) {
      const list = schema[keyword];
      if (!Array.isArray(list)) continue;
      if (context.asBase && keyword !== 'allOf' && this.isOfHeirs(list, schema)) continue;
      result[keyword] = this.listed(keyword, list, context);
    }
    for (const keyword of MAP) Object.assign(result, this.mapped(keyword, schema, result, context));
    return isObject(schema.discriminator) ? this.discriminated(schema, result, context) : result;
  }

  /** The keyword's own schemas, beside what the result has. The member __proto__ is one that ajv knows by a pattern alone. */
  private mapped(keyword: string, schema: JsonObject, result: JsonObject, context: Context): JsonObject {
    const entries = Object.entries(asObject(schema[keyword]));
    if (entries.length === 0) return {};
    mustBeFew(keyword, entries.length);
    const schemas = Object.fromEntries(
      entries.map(([name, one]) => [name, this.translated(one, contextBelow(keyword, context))]),
    );
    if (keyword !== 'properties' || !Object.hasOwn(schemas, PROTO))
      return { [keyword]: { ...asObject(result[keyword]), ...schemas } };
    const { [PROTO]: unread, ...properties } = schemas;
    return { properties, patternProperties: { [`^${PROTO}$`]: unread } };
  }

  private listed(keyword: string, list: readonly unknown[], context: Context): readonly unknown[] {
    mustBeFew(keyword, list.length);
    const members = list.map((one) => this.translated(one, contextBelow(keyword, context)));
    return keyword === 'oneOf' || keyword === 'anyOf' ? members.map(tried) : members;
  }

  /**
   * Tells whether these alternatives build on the schema whose alternatives they are: its heirs judge it as their base,
   * and it not them again.
   */
  private isOfHeirs(alternatives: readonly unknown[], schema: JsonObject): boolean {
    return alternatives.some((one) => compositionOf(one, this.references).includes(schema));
  }

  /** With a discriminator, the branch that the value names is the one it is judged by. */
  private discriminated(schema: JsonObject, judged: JsonObject, context: Context): JsonObject {
    const choice = this.discriminators.choiceOf(schema);
    const known = choice?.keyword == null ? !context.asBase : judged[choice.keyword] !== undefined;
    if (choice === null || !known) return judged;
    const { property, branches, keyword, others } = choice;
    const names = branches.flatMap((branch) => branch.names);
    const conditions = branches.map((branch) => ({
      if: { type: 'object', required: [property], properties: { [property]: { enum: branch.names } } },
      // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
      then: this.translated(branch.schema, { ...context, asBase: false, ofPart: false }),
    }));
    if (keyword === null) {
      const known =
        others === null ? [] : [{ properties: { [property]: { enum: [...new Set([...names, ...others])] } } }];
      return { ...judged, allOf: [...((judged.allOf as unknown[]) ?? []), ...known, ...conditions] };
    }
    const { [keyword]: alternatives, ...rest } = judged;
    const named = { required: [property], properties: { [property]: { enum: names } }, allOf: conditions };
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    const chosen = { if: { type: 'object' }, then: named, else: { [keyword]: alternatives } };
    return { ...rest, allOf: [...((rest.allOf as unknown[]) ?? []), chosen] };
  }

  /**
   * 3.0: null is allowed wherever nullable stands, also beside an enum that lacks null or an allOf that does not allow it:
   * the letter of 3.0.3 refuses those, but most generators write them to mean just that.
   */
  private withNull(schema: JsonObject, judged: JsonObject): JsonObject {
    if (this.references.dialect === '3.1' || schema.nullable !== true) return judged;
    return { if: { type: 'null' }, else: judged };
  }

  private referred(reference: string, schema: JsonObject, context: Context): JsonObject {
    const known = this.references.target(reference) !== null;
    // Which properties a deferred schema has judged is not known to the unevaluated... keywords beside it.
    const alone = schema.unevaluatedProperties === undefined && schema.unevaluatedItems === undefined;
    // A schema that is deferred is judged whoever leads to it.
    return known && context.ofPart && alone && context.dynamic.size === 0
      ? { [DEFERRED]: reference }
      : { $ref: this.idOf(reference, context) };
  }

  /** The schema that a $dynamicRef leads to here: the outermost one that has the anchor, where its own target has one. */
  private dynamicReference(reference: unknown, { dynamic }: Context): unknown {
    if (typeof reference !== 'string') return undefined;
    const anchor = anchorOf(this.references.target(reference)?.value);
    return (anchor === null ? undefined : dynamic.get(anchor)) ?? reference;
  }

  private idOf(reference: string, context: Context): string {
    const target = this.references.target(reference);
    if (target === null) throw new Uncompilable(`it refers to "${reference}", which does not resolve`, 'told');
    const place = `${target.pointer}${context.asBase ? ' as base' : ''}`;
    if (context.within.includes(place)) throw new Uncompilable(`"${reference}" makes it a part of itself`, 'broken');
    if (context.within.length === MAX_COMPOSITION_DEPTH)
      throw new Uncompilable(`it is composed of schemas more than ${MAX_COMPOSITION_DEPTH} levels deep`, 'large');
    if (this.expansion.of(target.value) > MAX_JUDGES)
      throw new Uncompilable(`one value of "${reference}" would be judged by more than ${MAX_JUDGES} schemas`, 'large');
    const wanted = this.directed.demandedBy(target.value).filter((name) => context.excused.has(name));
    const dynamic = new Map([...anchorsIn(target.value, target.pointer), ...context.dynamic]);
    const key = JSON.stringify([place, ...wanted.toSorted(), ...[...dynamic].flat()]);
    const known = this.ids.get(key);
    if (known instanceof Uncompilable) throw known;
    if (known !== undefined) return known;
    const id = `schema-${this.ids.size + 1}`;
    this.ids.set(key, id);
    const within = [...context.within, place];
    try {
      this.add(
        id,
        this.translated(target.value, { ...WHOLE, excused: new Set(wanted), asBase: context.asBase, within, dynamic }),
      );
    } catch (error) {
      if (error instanceof Uncompilable) this.ids.set(key, error);
      throw error;
    }
    return id;
  }
}

/** The dynamic anchors of the schema and of its $defs, with references to where they stand. */
function anchorsIn(schema: unknown, pointer: string): readonly (readonly [anchor: string, reference: string])[] {
  const definitions = isObject(schema) ? Object.entries(asObject(schema.$defs)) : [];
  const places = [[schema, pointer], ...definitions.map(([name, one]) => [one, appended(pointer, '$defs', name)])];
  return places.flatMap(([one, place]) => {
    const anchor = anchorOf(one);
    return anchor === null ? [] : [[anchor, referenceTo(String(place))] as const];
  });
}

/**
 * Tells whether a $dynamicRef may lead to the schema or into its $defs: then it is judged by a reference, which tells
 * where that is.
 */
export function bearsDynamicAnchors(schema: unknown): boolean {
  return anchorsIn(schema, '').length > 0;
}

function anchorOf(schema: unknown): string | null {
  const anchor = isObject(schema) ? schema.$dynamicAnchor : undefined;
  return typeof anchor === 'string' ? anchor : null;
}

/** The context of what a keyword holds: the same value is judged in place, and another one below. */
function contextBelow(keyword: string, context: Context): Context {
  return IN_PLACE.includes(keyword)
    ? { ...context, asBase: keyword === 'allOf', ofPart: false }
    : { ...WHOLE, ofPart: true, dynamic: context.dynamic };
}

function mustBeFew(keyword: string, count: number): void {
  if (count > MAX_SIBLINGS) throw new Uncompilable(`${keyword} holds more than ${MAX_SIBLINGS} schemas`, 'large');
}

/** An alternative, each try of which counts. */
function tried(alternative: unknown): unknown {
  return isObject(alternative) ? { [TRIED]: true, ...alternative } : alternative;
}

/** Draft 4's boolean exclusive bounds; a 3.1 number stays as it is. */
function exclusiveBound(schema: JsonObject, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  if (schema[exclusive] === true && schema[bound] !== undefined) {
    schema[exclusive] = schema[bound];
    delete schema[bound];
  } else {
    delete schema[exclusive];
  }
}

/**
 * How many schemas judge one value: what is composed of itself twice over, level upon level, comes to more of them than any
 * machine can ask.
 */
class Expansion {
  private readonly references: References;
  private readonly known = new WeakMap<object, number>();

  constructor(references: References) {
    this.references = references;
  }

  /** The schema itself and all that judge the same value for it, each as often as it is referred to. Linear in what is reachable. */
  of(schema: unknown): number {
    if (!isObject(schema)) return 1;
    const known = this.known.get(schema);
    if (known !== undefined) return known;
    // A schema that leads back to itself is counted once here, and told elsewhere.
    this.known.set(schema, 1);
    const { $ref } = schema;
    const target = typeof $ref === 'string' ? this.references.target($ref) : null;
    const parts = IN_PLACE.flatMap((keyword): readonly unknown[] => {
      const value = schema[keyword];
      if (LIST.includes(keyword)) return asArray(value);
      if (MAP.includes(keyword)) return Object.values(asObject(value));
      return ONE.includes(keyword) && value !== undefined ? [value] : [];
    });
    const total = [...parts, ...(target === null ? [] : [target.value])].reduce<number>(
      (sum, part) => sum + this.of(part),
      1,
    );
    this.known.set(schema, total);
    return total;
  }
}
