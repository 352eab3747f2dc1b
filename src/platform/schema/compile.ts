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
import { type Direction, REFERRED, rewritten } from './rewritten.ts';
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

/** Complaints of references against one value: thousands of items may each be wrong by every alternative. */
const MAX_COMPLAINTS = 2_000;

/** Ends the judging of one value; caught where it began, and what was found by then stands. */
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
   * Judgements of references, by the value and the reference, while one value is judged: each alternative of a union
   * asks again what the one before it asked of the same member, and that for each level below. null: none is judged.
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

  /** Tells whether nobody has looked yet what the reference leads to. */
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
      // The platform serves what it can of a description that is wrong.
      return () => [];
    }
  }

  /** The schema at the reference judges the value; its complaints are told as if it stood here. */
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

  /** Works out once what the work asks of one value twice: nothing may change the value meanwhile. */
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

/** Complaints of the alternative that came nearest in a failed oneOf or anyOf; wrappers that only repeat are left out. */
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
