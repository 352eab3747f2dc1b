// Whether a value that was valid before one change is broken where it was changed and nowhere else. All around the place
// is judged as before, so only the innermost schema that nothing beside the place has a say in is asked why.
import { appended, asArray, asObject, isObject, type JsonObject } from '../json.ts';
import type { Change, Validator } from '../model/operation.ts';
import { compositionOf, type References } from '../read/references.ts';

/** With one of these, how a part of a value is judged may depend on another part. */
const ENTANGLING = [
  ...['oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'discriminator', '$dynamicRef'],
  ...['contains', 'patternProperties', 'unevaluatedItems', 'unevaluatedProperties'],
];

/** A value within another one, and what judges it. */
interface Inner {
  readonly depth: number;
  readonly schemas: readonly unknown[];
  readonly value: unknown;
}

export class BrokenPlaces {
  private readonly references: References;
  private readonly explain: (schema: object) => Validator;
  private readonly parts = new WeakMap<object, readonly JsonObject[] | null>();
  private readonly explained = new WeakMap<object, Validator>();

  constructor(references: References, explain: (schema: object) => Validator) {
    this.references = references;
    this.explain = explain;
  }

  /** Of a value that the schema is known not to admit: whether all that it breaks is of the place, and there of the keywords. */
  isBroken(schema: unknown, { value, path, keywords }: Change): boolean {
    const inner = this.innermost(schema, value, path);
    if (inner.depth === path.length && keywords === null) return true;
    const breaches = inner.schemas.flatMap((one) => (isObject(one) ? this.explainedBy(one)(inner.value) : []));
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

  /** What the schema is composed of; null where its parts depend on one another. */
  private partsOf(schema: unknown): readonly JsonObject[] | null {
    if (!isObject(schema)) return [];
    let parts = this.parts.get(schema);
    if (parts === undefined) {
      // What stands beside a $ref of OpenAPI 3.0 says nothing.
      const said = compositionOf(schema, this.references)
        .map(asObject)
        .filter(({ $ref }) => typeof $ref !== 'string' || this.references.dialect === '3.1');
      const isEntangled = said.some((part) => ENTANGLING.some((keyword) => part[keyword] !== undefined));
      parts = isEntangled ? null : said;
      this.parts.set(schema, parts);
    }
    return parts;
  }

  private explainedBy(schema: object): Validator {
    const explained = this.explained.get(schema) ?? this.explain(schema);
    this.explained.set(schema, explained);
    return explained;
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
