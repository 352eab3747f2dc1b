// The platform's own judgement of values: schemas compiled by ajv, each when a value first reaches it. However many
// operations are served, and however their schemas hang together, nothing is compiled twice.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { patternOf } from '../../openapi/patterns/pattern.ts';
import { TooCostly } from '../../openapi/patterns/too-costly.ts';
import { atReference, isObject, type JsonObject } from '../json.ts';
import { digest } from '../store/hash.ts';
import { type Direction, REFERRED, rewritten } from './rewrite.ts';
import type { ServedDocument } from './served.ts';

/** Empty for a valid value; of a failed union, the complaints of the alternative that came nearest. */
export type Judge = (value: unknown) => readonly ErrorObject[];

const judges = { request: new WeakMap<ServedDocument, Judges>(), response: new WeakMap<ServedDocument, Judges>() };

/**
 * Judges values against the schema, compiled on first use. A schema that cannot be compiled accepts everything, and so does
 * a pattern that would take for ever.
 */
export function judgeOf(document: ServedDocument, schema: unknown, direction: Direction): Judge {
  let known = judges[direction].get(document);
  if (known === undefined) {
    known = new Judges(document, direction);
    judges[direction].set(document, known);
  }
  return known.of(schema);
}

class Judges {
  private readonly document: ServedDocument;
  private readonly direction: Direction;
  private readonly bySchema = new WeakMap<object, Judge>();
  /** Generated descriptions repeat themselves: by digest of the rewritten schema. */
  private readonly byText = new Map<string, Judge>();
  private readonly ajv = addFormats.default(
    new Ajv2020({
      allErrors: true,
      strict: false,
      logger: false,
      addUsedSchema: false,
      multipleOfPrecision: 6,
      // Most schemas judge a few values: making them takes longer than running them.
      code: { optimize: false, regExp: Object.assign((source: string) => patternOf(source), { code: 'patternOf' }) },
    }),
  );

  constructor(document: ServedDocument, direction: Direction) {
    this.document = document;
    this.direction = direction;
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
      return (value) => (isAccepted(validate, value) ? [] : nearest(validate.errors ?? []));
    } catch {
      return () => [];
    }
  }

  /** What stands at the reference judges the value; its complaints are told as if it stood here. */
  private referred(pointer: string): DataValidateFunction {
    const validate: DataValidateFunction = (value: unknown, context?: DataValidationCxt) => {
      const complaints = this.of(atReference(this.document.root, pointer))(value);
      const at = context?.instancePath ?? '';
      validate.errors = complaints.map((one) => ({ ...one, instancePath: `${at}${one.instancePath}` }));
      return complaints.length === 0;
    };
    return validate;
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
