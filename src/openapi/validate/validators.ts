// Judges of values with their reasons. Whether a value fits is told by a judge; what does not is explained, by a function
// that is compiled when the first such value comes.

import type { Pieces } from '../../clock/pieces.ts';
import { oncePer, oncePerValue } from '../../exchange/once-per.ts';
import { appended, asArray, asObject, isObject, type JsonObject, referenceTo } from '../json.ts';
import type { Change, SchemaBreach, SchemaHandle, Validator } from '../model/operation.ts';
import { compositionOf, type References, reachable } from '../read/references.ts';
import type { Direction } from '../schema/directed-properties.ts';
import { Explainer, Judges, NOTHING_ALLOWED, type Report, UNEXPLAINED } from './compiled-validators.ts';
import type { Judge } from './registry.ts';
import { beginLook } from './spending.ts';

export interface ValidatorOptions {
  readonly references: References;
  /** Told why a schema cannot be compiled. */
  readonly report: Report;
}

export class Validators {
  private readonly options: ValidatorOptions;
  private made: Made;
  private broken: BrokenPlaces | null = null;

  constructor(options: ValidatorOptions) {
    this.options = options;
    this.made = nothingMade(options);
  }

  /** Made once per schema and direction; null when the schema cannot be compiled. */
  validator(handle: SchemaHandle, direction: Direction): Validator | null {
    if (handle.value === true) return () => [];
    const schema = isObject(handle.value) ? handle.value : NOTHING_ALLOWED;
    const validators = this.made.validators(direction);
    const known = validators.get(schema);
    if (known !== undefined) return known;
    const judge = this.judge(handle, direction);
    if (judge === null) return null;
    const made = this.explained(judge, () => this.made.explainer(direction).explain(handle, schema));
    validators.set(schema, made);
    return made;
  }

  /** Tells whether a value fits; null when the schema cannot be compiled. */
  judge(handle: SchemaHandle, direction: Direction): Judge | null {
    return handle.value === true ? () => true : this.made.judges(direction).judge(handle);
  }

  /** Tells whether a request value that one change was made to breaks the schema, and nowhere but there. */
  isBrokenAt(handle: SchemaHandle, change: Change): boolean {
    if (this.judge(handle, 'request')?.(change.value) !== false) return false;
    this.broken ??= new BrokenPlaces(this.options.references, (schema) =>
      this.made.explainer('request').explain(handle, schema),
    );
    return this.broken.isBroken(handle.value, change);
  }

  /**
   * Makes what judges and explains the large unions that are reachable from the schema, and yields after each piece: one look at a
   * value asks all alternatives of a union, and makes what it needs of them in one go. What is smaller is made when a value gets there.
   */
  *prepare(handle: SchemaHandle, direction: Direction): Pieces<void> {
    for (const { pointer, value } of reachable(handle, this.options.references)) {
      beginLook();
      if (!isLargeUnion(value) || this.made.prepared(direction).has(value)) continue;
      this.made.prepared(direction).add(value);
      const reference = referenceTo(pointer);
      const judges = this.made.judges(direction);
      judges.prepare(reference);
      yield;
      for (const keyword of ['oneOf', 'anyOf'])
        for (const [index, alternative] of asArray(value[keyword]).entries()) {
          judges.judge({ pointer: appended(pointer, keyword, index), value: alternative })?.(null);
          yield;
        }
      yield* this.made.explainer(direction).prepare(reference);
    }
  }

  /** Lets go of all that was compiled: what is asked for from here on is compiled anew. */
  forget(): void {
    this.broken = null;
    this.made = nothingMade(this.options);
  }

  /** A value that does not fit is looked at once more, with reasons; of the two looks the one with reasons counts. */
  private explained(judge: Judge, explain: () => Validator): Validator {
    let reasons: Validator | null = null;
    return (value) => {
      beginLook();
      if (judge(value)) return [];
      reasons ??= explain();
      return reasons(value);
    };
  }
}

type Made = ReturnType<typeof nothingMade>;

/** The tools of each direction, made when they are first asked for. */
function nothingMade({ references, report }: ValidatorOptions) {
  return {
    judges: oncePerValue((direction: Direction) => new Judges(references, direction, report)),
    explainer: oncePerValue((direction: Direction) => new Explainer(references, direction, report)),
    validators: oncePerValue((_: Direction) => new WeakMap<object, Validator>()),
    prepared: oncePerValue((_: Direction) => new WeakSet<object>()),
  };
}

/** Alternatives from which on a union is made before a value gets there. */
const MIN_ALTERNATIVES = 8;

function isLargeUnion(schema: unknown): schema is JsonObject {
  return isObject(schema) && [schema.oneOf, schema.anyOf].some((list) => asArray(list).length >= MIN_ALTERNATIVES);
}

/** With one of these, how a part of a value is judged may depend on another part. */
const ENTANGLING = [
  ...['oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'discriminator', '$dynamicRef'],
  ...['contains', 'patternProperties', 'unevaluatedItems', 'unevaluatedProperties'],
];

/** A schema whose breaches could not be told apart so often is not asked again: each time takes as long as anybody waits. */
const MAX_UNEXPLAINED = 2;

/** A value within another one, and what judges it. */
interface Inner {
  readonly depth: number;
  readonly schemas: readonly unknown[];
  readonly value: unknown;
}

/**
 * Tells whether a value that was valid before one change is broken where it was changed and nowhere else. All around the
 * place is judged as before, so only the innermost schema that nothing beside the place has a say in is asked why.
 */
class BrokenPlaces {
  private readonly references: References;
  private readonly explained: (schema: object) => Validator;
  private readonly unexplained = new WeakMap<object, number>();

  constructor(references: References, explain: (schema: object) => Validator) {
    this.references = references;
    this.explained = oncePer(explain);
  }

  /**
   * Tells of a value that the schema is known not to admit whether all its breaches are of the place, and there of the
   * keywords.
   */
  isBroken(schema: unknown, { value, path, keywords }: Change): boolean {
    const inner = this.innermost(schema, value, path);
    if (inner.depth === path.length && keywords === null) return true;
    const schemas = inner.schemas.filter(isObject);
    if (schemas.some((one) => (this.unexplained.get(one) ?? 0) >= MAX_UNEXPLAINED)) return false;
    const breaches = schemas.flatMap((one) => this.breaches(one, inner.value));
    const place = appended('', ...path.slice(inner.depth));
    const isOfPlace = ({ pointer, keyword }: (typeof breaches)[number]): boolean =>
      pointer === place ? (keywords?.includes(keyword) ?? true) : isWithin(pointer, place) || isWithin(place, pointer);
    // Around an inner value something may be broken as well: the number of members, say.
    return (inner.depth > 0 || breaches.length > 0) && breaches.every(isOfPlace);
  }

  /** From the outside in, as far as each part of the value is judged by itself. */
  private innermost(schema: unknown, value: unknown, path: readonly string[]): Inner {
    let inner: Inner = { depth: 0, schemas: [schema], value };
    for (const token of path) {
      const parts = inner.schemas.map((one) => this.partsOf(one));
      if (!parts.every((some) => some !== null)) break;
      const within = inner.value as JsonObject;
      const schemas = parts.flat().flatMap((part) => schemasOf(part, token, Array.isArray(within)));
      inner = { depth: inner.depth + 1, schemas, value: within[token] };
    }
    return inner;
  }

  /** Schemas that compose this one; null where its parts depend on one another. */
  private readonly partsOf = oncePerValue((schema: unknown): readonly JsonObject[] | null => {
    if (!isObject(schema)) return [];
    // Keywords beside a $ref of OpenAPI 3.0 say nothing.
    const said = compositionOf(schema, this.references)
      .map(asObject)
      .filter(({ $ref }) => typeof $ref !== 'string' || this.references.dialect === '3.1');
    return said.some((part) => ENTANGLING.some((keyword) => part[keyword] !== undefined)) ? null : said;
  });

  private breaches(schema: JsonObject, value: unknown): readonly SchemaBreach[] {
    const found = this.explained(schema)(value);
    if (found.includes(UNEXPLAINED)) this.unexplained.set(schema, (this.unexplained.get(schema) ?? 0) + 1);
    return found;
  }
}

function schemasOf(part: JsonObject, token: string, isItem: boolean): readonly unknown[] {
  if (isItem) return [asArray(part.prefixItems)[Number(token)] ?? part.items];
  const properties = asObject(part.properties);
  return [Object.hasOwn(properties, token) ? properties[token] : part.additionalProperties];
}

function isWithin(pointer: string, ancestor: string): boolean {
  return pointer.startsWith(`${ancestor}/`);
}
