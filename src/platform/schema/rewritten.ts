// Rewrites a schema of either dialect as JSON Schema 2020-12 before ajv sees it.
import { asArray, asObject, atReference, isObject, type JsonObject } from '../json.ts';
import type { ServedDocument } from './served.ts';

/** Members that are readOnly are not demanded of requests, writeOnly ones not of responses. */
export type Direction = 'request' | 'response';

const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];
const SINGLE = [
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems',
];
/** Keywords among these whose schemas judge the same value. */
const IN_PLACE = ['not', 'if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const PLAIN = [
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'required',
  'dependentRequired',
];

/** Stands for a reference that is judged by a schema of its own, compiled when a value first reaches it. */
export const REFERRED = 'referred';

/** Tells whether a schema says what no schema before it spoke of: then it must see what its references are. */
const LOOKS_BACK = /"unevaluated(Properties|Items)"/;
const looksBack = new WeakMap<ServedDocument, boolean>();

/** The schema for ajv: what ajv does not know rewritten, references in the words of `REFERRED`. */
export function rewritten(document: ServedDocument, schema: JsonObject, direction: Direction): JsonObject {
  return { allOf: [new Rewriter(document, direction).schema(schema, true)] };
}

class Rewriter {
  private readonly document: ServedDocument;
  private readonly direction: Direction;
  private readonly writesOut: boolean;
  /** References that are being written out. */
  private open: readonly string[] = [];

  constructor(document: ServedDocument, direction: Direction) {
    this.document = document;
    this.direction = direction;
    const known = looksBack.get(document) ?? LOOKS_BACK.test(JSON.stringify(document.root));
    looksBack.set(document, known);
    this.writesOut = known;
  }

  /** `inPlace`: it judges the same value as the schema around it. */
  schema(raw: unknown, inPlace = false): unknown {
    if (typeof raw === 'boolean') return raw;
    if (!isObject(raw)) return true;
    if (typeof raw.$ref !== 'string') return this.keywords(raw);
    const reference = this.reference(raw.$ref, inPlace);
    if (this.document.dialect === '3.0' || Object.keys(raw).length === 1) return reference;
    return { allOf: [reference, this.keywords(raw)] };
  }

  private reference(pointer: string, inPlace: boolean): unknown {
    if (!inPlace || !this.writesOut || this.open.includes(pointer)) return { [REFERRED]: pointer };
    const before = this.open;
    this.open = [...before, pointer];
    const written = this.schema(atReference(this.document.root, pointer), true);
    this.open = before;
    return written;
  }

  private keywords(raw: JsonObject): unknown {
    const out: JsonObject = {};
    for (const keyword of PLAIN) if (keyword in raw) out[keyword] = raw[keyword];
    for (const keyword of SINGLE)
      if (keyword in raw) out[keyword] = this.schema(raw[keyword], IN_PLACE.includes(keyword));
    for (const keyword of LISTS)
      if (Array.isArray(raw[keyword]))
        out[keyword] = raw[keyword].map((one) => this.schema(one, keyword !== 'prefixItems'));
    for (const keyword of MAPS) {
      if (!isObject(raw[keyword])) continue;
      out[keyword] = Object.fromEntries(
        Object.entries(raw[keyword]).map(([name, one]) => [name, this.schema(one, keyword === 'dependentSchemas')]),
      );
    }
    this.directed(raw, out);
    this.tagged(raw, out);
    return this.document.dialect === '3.0' ? olderDialect(raw, out) : out;
  }

  /** Members of the other direction are not required: readOnly of requests, writeOnly of responses. */
  private directed(raw: JsonObject, out: JsonObject): void {
    if (!Array.isArray(out.required) || !isObject(raw.properties)) return;
    const flag = this.direction === 'request' ? 'readOnly' : 'writeOnly';
    const properties = raw.properties;
    out.required = out.required.filter((name) => asObject(properties[String(name)])[flag] !== true);
  }

  /** A discriminated oneOf becomes one condition per tag, so that a breach is told of the branch that was meant. */
  private tagged(raw: JsonObject, out: JsonObject): void {
    const tag = asObject(raw.discriminator).propertyName;
    const keyword = Array.isArray(raw.oneOf) ? 'oneOf' : 'anyOf';
    if (typeof tag !== 'string' || !Array.isArray(raw[keyword])) return;
    const pairs = this.tags(raw, asArray(raw[keyword]));
    if (pairs === null) return;
    delete out[keyword];
    const choices = pairs.map(([name, branch]) => ({
      if: { not: { type: 'object', required: [tag], properties: { [tag]: { const: name } } } },
      else: this.schema(branch, true),
    }));
    const shape = { type: 'object', required: [tag], properties: { [tag]: { enum: pairs.map(([name]) => name) } } };
    out.allOf = [...asArray(out.allOf), shape, ...choices];
  }

  private tags(raw: JsonObject, alternatives: readonly unknown[]): (readonly [string, unknown])[] | null {
    const mapping = Object.entries(asObject(asObject(raw.discriminator).mapping));
    if (mapping.length > 0) return mapping.map(([name, ref]) => [name, { $ref: String(ref) }] as const);
    const named = alternatives.map(
      (one) =>
        [
          String(asObject(one).$ref ?? '')
            .split('/')
            .at(-1) ?? '',
          one,
        ] as const,
    );
    return named.every(([name]) => name !== '') ? named : null;
  }
}

function olderDialect(raw: JsonObject, out: JsonObject): JsonObject {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (raw[exclusive] === true && typeof raw[bound] === 'number') {
      out[exclusive] = raw[bound];
      delete out[bound];
    } else if (typeof raw[exclusive] === 'boolean') delete out[exclusive];
  }
  return raw.nullable === true && typeof raw.type === 'string' ? { ...out, type: [raw.type, 'null'] } : out;
}
