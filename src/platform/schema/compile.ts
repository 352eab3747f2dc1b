// The platform's own judgement of values: schemas compiled by ajv, each when a value first reaches it. However many
// operations are served, and however their schemas hang together, nothing is compiled twice.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import type { Pieces } from '../../clock/pieces.ts';
import { patternOf } from '../../openapi/patterns/pattern.ts';
import { TooCostly } from '../../openapi/patterns/too-costly.ts';
import { asArray, asObject, atReference, isObject, type JsonObject } from '../json.ts';
import { digest } from '../store/hash.ts';
import { branches, flatten } from './flatten.ts';
import type { ServedDocument, ServedOperation } from './served.ts';

/** Empty for a valid value; of a failed union, the complaints of the alternative that came nearest. */
export type Judge = (value: unknown) => readonly ErrorObject[];

/** How much is told of a value that is refused: of a list, say, each item that is wrong, or the first. */
type Telling = 'all' | 'first';

const judges: Readonly<Record<Direction, Record<Telling, WeakMap<ServedDocument, Judges>>>> = {
  request: { all: new WeakMap(), first: new WeakMap() },
  response: { all: new WeakMap(), first: new WeakMap() },
};

/**
 * Judges values against the schema, compiled on first use. A schema that cannot be compiled accepts everything, and so does
 * a pattern that would take for ever. Where there is more to tell than anybody waits for, the first complaint is told.
 */
export function judgeOf(document: ServedDocument, schema: unknown, direction: Direction): Judge {
  const all = judgesOf(document, direction, 'all').of(schema);
  return (value) => {
    try {
      return all(value);
    } catch (error) {
      if (!(error instanceof TooManyComplaints)) throw error;
      return judgesOf(document, direction, 'first').of(schema)(value);
    }
  };
}

/** The first of the schemas that a response with the value is valid by; undefined where it is by none. */
export function firstThatFits<T>(document: ServedDocument, schemas: readonly T[], value: unknown): T | undefined {
  return judgesOf(document, 'response', 'all').inOneLook(() =>
    schemas.find((schema) => judgeOf(document, schema, 'response')(value).length === 0),
  );
}

/** Alternatives from which on a union is compiled before a value reaches it. */
const MIN_ALTERNATIVES = 8;

/**
 * Compiles the large unions that bodies of the operation may reach, one after another: a value is tried by all alternatives of each
 * union that it meets, and compiling a dozen of them in one go takes half a second.
 */
export function* prepareJudges({ document, body, responses }: ServedOperation): Pieces<void> {
  for (const schema of body?.content.values() ?? []) yield* prepared(document, schema, 'request');
  for (const { content } of responses) for (const { schema } of content) yield* prepared(document, schema, 'response');
}

function* prepared(document: ServedDocument, schema: unknown, direction: Direction): Pieces<void> {
  const judges = judgesOf(document, direction, 'all');
  for (const open = [schema]; open.length > 0; ) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    open.push(...Object.values(next));
    const { $ref } = next as JsonObject;
    if (typeof $ref !== 'string' || !judges.visits($ref)) continue;
    const target = atReference(document.root, $ref);
    open.push(target);
    const { oneOf, anyOf } = asObject(target);
    if ([oneOf, anyOf].every((list) => asArray(list).length < MIN_ALTERNATIVES)) continue;
    // A first value makes V8 compile it, too.
    judges.of(target)(null);
    yield;
    // An answer is made by one of them alone.
    for (const alternative of direction === 'response' ? branches(document.root, flatten(document.root, target)) : []) {
      judges.of(alternative)(null);
      yield;
    }
  }
}

function judgesOf(document: ServedDocument, direction: Direction, telling: Telling): Judges {
  const ofTelling = judges[direction][telling];
  const known = ofTelling.get(document) ?? new Judges(document, direction, telling);
  ofTelling.set(document, known);
  return known;
}

/** What references may have against one value: thousands of items may each be wrong by every alternative. */
const MAX_COMPLAINTS = 2_000;

class TooManyComplaints extends Error {}

class Judges {
  private readonly document: ServedDocument;
  private readonly direction: Direction;
  private readonly bySchema = new WeakMap<object, Judge>();
  private readonly byReference = new Map<string, Judge>();
  private readonly visited = new Set<string>();
  /** Generated descriptions repeat themselves: by digest of the rewritten schema. */
  private readonly byText = new Map<string, Judge>();
  /**
   * What references came to, by the value and the reference, while one value is judged: each alternative of a union asks again
   * what the one before it asked of the same member, and that for each level below. null: none is judged.
   */
  private look: Map<unknown, Map<string, readonly ErrorObject[]>> | null = null;
  /** Complaints of references in this look so far. */
  private told = 0;
  private readonly telling: Telling;
  private readonly ajv: Ajv2020;

  constructor(document: ServedDocument, direction: Direction, telling: Telling) {
    this.document = document;
    this.direction = direction;
    this.telling = telling;
    const ajv = new Ajv2020({
      allErrors: telling === 'all',
      strict: false,
      logger: false,
      addUsedSchema: false,
      multipleOfPrecision: 6,
      // Most schemas judge a few values: making them takes longer than running them.
      code: { optimize: false, regExp: Object.assign((source: string) => patternOf(source), { code: 'patternOf' }) },
    });
    this.ajv = addFormats.default(ajv);
    this.ajv.addKeyword({
      keyword: REFERRED,
      schemaType: 'string',
      compile: (pointer: string) => this.referred(pointer),
    });
  }

  of(schema: unknown): Judge {
    if (!isObject(schema)) return () => [];
    let judge = this.bySchema.get(schema);
    if (judge === undefined) {
      judge = this.compiled(rewritten(this.document, schema, this.direction));
      this.bySchema.set(schema, judge);
    }
    return judge;
  }

  /** Whether nobody has looked yet what the reference leads to. */
  visits(reference: string): boolean {
    const isNew = !this.visited.has(reference);
    this.visited.add(reference);
    return isNew;
  }

  private compiled(schema: JsonObject): Judge {
    const text = digest(JSON.stringify(schema));
    const known = this.byText.get(text);
    if (known !== undefined) return known;
    const judge = this.judge(schema);
    this.byText.set(text, judge);
    return judge;
  }

  private judge(schema: JsonObject): Judge {
    try {
      const validate = this.ajv.compile(schema);
      return (value) => this.inOneLook(() => (isAccepted(validate, value) ? [] : nearest(validate.errors ?? [])));
    } catch {
      return () => [];
    }
  }

  /** What stands at the reference judges the value; its complaints are told as if it stood here. */
  private referred(pointer: string): DataValidateFunction {
    const validate: DataValidateFunction = (value: unknown, context?: DataValidationCxt) => {
      const complaints = this.complaints(pointer, value);
      const at = context?.instancePath ?? '';
      validate.errors = complaints.map((one) => ({ ...one, instancePath: `${at}${one.instancePath}` }));
      return complaints.length === 0;
    };
    return validate;
  }

  /** A reference that leads back to itself on the same value adds nothing, and is not followed. */
  private complaints(pointer: string, value: unknown): readonly ErrorObject[] {
    const known = this.look?.get(value)?.get(pointer);
    if (known !== undefined) return known;
    const ofValue = this.look?.get(value) ?? new Map<string, readonly ErrorObject[]>();
    this.look?.set(value, ofValue);
    ofValue.set(pointer, []);
    const judge = this.byReference.get(pointer) ?? this.of(atReference(this.document.root, pointer));
    this.byReference.set(pointer, judge);
    try {
      const found = judge(value);
      ofValue.set(pointer, found);
      this.told += found.length;
      if (this.telling === 'all' && this.told > MAX_COMPLAINTS) throw new TooManyComplaints();
      return found;
    } catch (error) {
      ofValue.delete(pointer);
      throw error;
    }
  }

  /** What the work asks of one value twice is worked out once: nothing may change the value meanwhile. */
  inOneLook<T>(work: () => T): T {
    if (this.look !== null) return work();
    this.look = new Map();
    this.told = 0;
    try {
      return work();
    } finally {
      this.look = null;
    }
  }
}

function isAccepted(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof TooCostly) return true;
    throw error;
  }
}

/** Of a failed oneOf or anyOf, the complaints of the alternative that came nearest; wrappers that only repeat are left out. */
function nearest(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const union = unions.toSorted((a, b) => a.schemaPath.length - b.schemaPath.length)[0];
  if (union === undefined) {
    const telling = errors.filter(({ keyword }) => keyword !== 'if' && keyword !== '$ref' && keyword !== 'allOf');
    return telling.length > 0 ? telling : errors;
  }
  const below = (error: ErrorObject) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`);
  const byBranch = Map.groupBy(
    errors.filter(below),
    (error) => error.schemaPath.slice(union.schemaPath.length).split('/')[1] ?? '',
  );
  const best = [...byBranch.values()].sort((a, b) => distance(union, a) - distance(union, b))[0] ?? [];
  const others = errors.filter((error) => error !== union && !below(error));
  return nearest([...best, ...others, ...(best.length + others.length === 0 ? [{ ...union, keyword: 'union' }] : [])]);
}

/** How far an alternative is from what was sent: one of another JSON type is farther than any other. */
function distance(union: ErrorObject, complaints: readonly ErrorObject[]): number {
  const otherType = complaints.some((one) => one.keyword === 'type' && one.instancePath === union.instancePath);
  return complaints.length + (otherType ? 1000 : 0);
}

// Before ajv sees a schema, one of either dialect is rewritten as JSON Schema 2020-12.

/** Members that are readOnly are not demanded of requests, writeOnly ones not of responses. */
type Direction = 'request' | 'response';

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
/** Of these, those that judge the same value. */
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
const REFERRED = 'referred';

/** Whether a schema says what no schema before it spoke of: then it must see what its references are. */
const LOOKS_BACK = /"unevaluated(Properties|Items)"/;
const looksBack = new WeakMap<ServedDocument, boolean>();

/** The schema for ajv: what ajv does not know rewritten, references in the words of `REFERRED`. */
function rewritten(document: ServedDocument, schema: JsonObject, direction: Direction): JsonObject {
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
