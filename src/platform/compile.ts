// The platform's own judgement of values: a schema of either dialect, rewritten for ajv and compiled.
// Nothing here is shared with the harness that tests the platform.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { asArray, asObject, atReference, isObject, type JsonObject } from './json.ts';
import type { ServedDocument } from './served.ts';

export type Direction = 'request' | 'response';
/** Empty for a valid value. */
export type Judge = (value: unknown) => readonly ErrorObject[];

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

const ajv = addFormats.default(
  new Ajv2020({ allErrors: true, strict: false, logger: false, addUsedSchema: false, multipleOfPrecision: 6 }),
);
const judges = { request: new WeakMap<object, Judge>(), response: new WeakMap<object, Judge>() };

/** Judges values against the schema, compiled on first use. A schema that cannot be compiled accepts everything. */
export function judgeOf(document: ServedDocument, schema: unknown, direction: Direction): Judge {
  if (!isObject(schema)) return () => [];
  const known = judges[direction].get(schema);
  if (known !== undefined) return known;
  const judge = compiled(new Rewriter(document, direction).rewritten(schema));
  judges[direction].set(schema, judge);
  return judge;
}

function compiled(schema: JsonObject): Judge {
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(schema);
  } catch {
    return () => [];
  }
  return (value) => (validate(value) ? [] : [...(validate.errors ?? [])]);
}

class Rewriter {
  private readonly document: ServedDocument;
  private readonly direction: Direction;
  private readonly names = new Map<string, string>();
  private open: readonly string[] = [];
  private readonly definitions: JsonObject = {};

  constructor(document: ServedDocument, direction: Direction) {
    this.document = document;
    this.direction = direction;
  }

  /** The schema for ajv, with everything it refers to among its own $defs. */
  rewritten(schema: JsonObject): JsonObject {
    const root = this.schema(schema);
    return { allOf: [root], $defs: this.definitions };
  }

  private schema(raw: unknown): unknown {
    if (typeof raw === 'boolean') return raw;
    if (!isObject(raw)) return true;
    if (typeof raw.$ref !== 'string') return this.keywords(raw);
    const reference = this.reference(raw.$ref);
    if (this.document.dialect === '3.0' || Object.keys(raw).length === 1) return reference;
    return { allOf: [reference, this.keywords(raw)] };
  }

  /** References are written out in place, so that ajv's paths tell which branch complained; circles go through $defs. */
  private reference(pointer: string): unknown {
    if (this.open.includes(pointer)) return { $ref: `#/$defs/${this.define(pointer)}` };
    return this.within([...this.open, pointer], pointer);
  }

  private define(pointer: string): string {
    const known = this.names.get(pointer);
    if (known !== undefined) return known;
    const name = `d${this.names.size}`;
    this.names.set(pointer, name);
    this.definitions[name] = this.within([pointer], pointer);
    return name;
  }

  private within(open: readonly string[], pointer: string): unknown {
    const before = this.open;
    this.open = open;
    const written = this.schema(atReference(this.document.root, pointer));
    this.open = before;
    return written;
  }

  private keywords(raw: JsonObject): unknown {
    const out: JsonObject = {};
    for (const keyword of PLAIN) if (keyword in raw) out[keyword] = raw[keyword];
    for (const keyword of SINGLE) if (keyword in raw) out[keyword] = this.schema(raw[keyword]);
    for (const keyword of LISTS)
      if (Array.isArray(raw[keyword])) out[keyword] = raw[keyword].map((one) => this.schema(one));
    for (const keyword of MAPS) {
      if (!isObject(raw[keyword])) continue;
      out[keyword] = Object.fromEntries(Object.entries(raw[keyword]).map(([name, one]) => [name, this.schema(one)]));
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
      else: this.schema(branch),
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
