// Functions of ajv for the values of one direction, made when first asked for: judges tell
// whether a value fits; explainers find every breach of one that does not.

import { hash } from 'node:crypto';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { Pieces } from '../../clock/pieces.ts';
import { oncePer, oncePerValue } from '../../exchange/once-per.ts';
import { appended, asArray, isObject, type JsonObject } from '../json.ts';
import type { SchemaBreach, SchemaHandle, Validator } from '../model/operation.ts';
import { TooCostly } from '../patterns/too-costly.ts';
import type { References } from '../read/references.ts';
import { bearsDynamicAnchors, DEFERRED, Translator } from '../schema/dialect.ts';
import type { Direction } from '../schema/directed-properties.ts';
import { breachesOf } from './breaches.ts';
import { errorsOf, explainingAjv, followReferences, type Judge, judgingAjv } from './registry.ts';
import { beginLook, Remembered } from './spending.ts';

export type Report = (schema: SchemaHandle, error: Error) => void;

/** Schema in place of anything that is neither a schema object nor true. */
export const NOTHING_ALLOWED = { not: {} };

export class Judges {
  private readonly references: References;
  private readonly direction: Direction;
  private readonly report: Report;
  private compiler: { readonly ajv: Ajv2020; readonly translator: Translator } | null = null;
  private readonly remembered = new Remembered<boolean>();
  private readonly compiled = compiledOnce();

  /** `report` is told once why a schema cannot be compiled. */
  constructor(references: References, direction: Direction, report: Report) {
    this.references = references;
    this.direction = direction;
    this.report = report;
  }

  /** Null when the schema cannot be compiled. */
  judge(handle: SchemaHandle): Judge | null {
    return this.judgeOfSchema(isObject(handle.value) ? handle.value : NOTHING_ALLOWED, handle);
  }

  private readonly judgeOfSchema = oncePer((schema: JsonObject, handle: SchemaHandle): Judge | null => {
    const reference = this.wholeReference(schema);
    return reference === null ? this.attempt(handle, schema) : this.referredJudge(reference);
  });

  /** A target that cannot be compiled judges nothing: the rest of the schema around it still counts. */
  private readonly judgeOf = (reference: string): Judge => {
    const judge = this.referredJudge(reference) ?? (() => true);
    return (value, place) => this.remembered.of(reference, value, () => judge(value, place));
  };

  /** Makes what judges the target of the reference, before a value gets there. */
  prepare(reference: string): void {
    // A first value makes V8 compile it, too.
    this.referredJudge(reference)?.(null);
  }

  /** The reference that is all of a schema, if it leads anywhere: whoever refers there shares one judge. */
  private wholeReference(schema: JsonObject): string | null {
    const { dialect } = this.references;
    const reference = dialect === '3.0' || Object.keys(schema).length === 1 ? schema.$ref : null;
    return typeof reference === 'string' && this.references.target(reference) !== null ? reference : null;
  }

  private readonly referredJudge = oncePerValue((reference: string): Judge | null => {
    const at = this.references.target(reference) ?? { pointer: '', value: null };
    // Compiled as if it stood alone: what other components say in the same words is compiled once.
    const isItself = isObject(at.value) && !bearsDynamicAnchors(at.value);
    return this.attempt(at, isItself ? (at.value as JsonObject) : { $ref: reference });
  });

  private attempt(handle: SchemaHandle, schema: JsonObject): Judge | null {
    try {
      const { ajv, translator } = this.compilerOrNew();
      return this.compiled(ajv, translator.translate(schema) as object) as Judge;
    } catch (error) {
      this.report(handle, error as Error);
      return null;
    }
  }

  private compilerOrNew(): { readonly ajv: Ajv2020; readonly translator: Translator } {
    if (this.compiler !== null) return this.compiler;
    const ajv = judgingAjv(DEFERRED, this.judgeOf);
    const translator = new Translator(this.references, this.direction, (id, schema) =>
      ajv.addSchema(schema as object, id),
    );
    this.compiler = { ajv, translator };
    return this.compiler;
  }
}

/** Validators by digest of the translated schema: the pattern of an id, and other members, stand in hundreds of places. */
function compiledOnce(): (ajv: Ajv2020, translated: object) => ValidateFunction {
  const compiled = oncePerValue((_: string, ajv: Ajv2020, translated: object) => ajv.compile(translated));
  return (ajv, translated) => compiled(hash('sha256', JSON.stringify(translated), 'base64'), ajv, translated);
}

const MAX_POINTER_CHARS = 2000;
/** Alternatives of broken choices that are asked one by one. */
const MAX_BRANCHES = 2_000;

/** That a value breaks its schema, where nobody can wait for the reasons. */
export const UNEXPLAINED: SchemaBreach = {
  pointer: '',
  keyword: 'schema',
  message: 'the value breaks its schema in more ways than can be told apart, expected a value that fits it',
  expected: 'a value that fits the schema',
};

/** Why values do not fit. */
export class Explainer {
  private readonly references: References;
  private readonly report: Report;
  private readonly ajv: Ajv2020 = explainingAjv();
  private readonly translator: Translator;
  /** Alternatives of schemas that were added and are not prepared yet. */
  private readonly alternatives: JsonObject[] = [];
  private readonly compiled = compiledOnce();

  /** `report` is told once why a schema cannot be compiled. */
  constructor(references: References, direction: Direction, report: Report) {
    this.references = references;
    this.report = report;
    this.translator = new Translator(references, direction, (id, schema) => {
      this.ajv.addSchema(schema as object, id);
      if (isObject(schema)) this.alternatives.push(...[schema.oneOf, schema.anyOf].flatMap(asArray).filter(isObject));
    });
    followReferences(this.ajv, DEFERRED, (reference) => this.target(reference));
  }

  /** Finds all breaches of the schema, of a value that is known to break it; for what nobody can wait, the breach as such. */
  explain(handle: SchemaHandle, schema: object): Validator {
    try {
      const validate = this.compile(schema);
      return (value) => this.breaches(validate, value);
    } catch (error) {
      this.report(handle, error as Error);
      return () => [UNEXPLAINED];
    }
  }

  /** Makes what explains the target of the reference, and each of its alternatives, before a value gets there; yields after each piece. */
  *prepare(reference: string): Pieces<void> {
    this.alternatives.length = 0;
    errorsOf(this.target(reference), null);
    for (const alternative of this.alternatives.splice(0)) {
      yield;
      errorsOf(this.ajv.compile(alternative), null);
    }
  }

  private breaches(validate: ValidateFunction, value: unknown): SchemaBreach[] {
    try {
      return this.found(validate, value);
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error;
    }
    const lists = new CutLists();
    try {
      const found = this.found(validate, lists.cut(value, ''));
      // How many items there are, and how they go together, is another matter in a list that was cut.
      const own = found.filter(({ pointer }) => !lists.places.has(pointer));
      return own.length > 0 ? own : [UNEXPLAINED];
    } catch (error) {
      if (error instanceof TooCostly) return [UNEXPLAINED];
      throw error;
    }
  }

  private found(validate: ValidateFunction, value: unknown): SchemaBreach[] {
    beginLook();
    const errors = errorsOf(validate, value);
    // Only the highest breaches of a value that is nested without end are told: pointers grow with the depth.
    const told = errors.filter(({ instancePath }) => instancePath.length <= MAX_POINTER_CHARS);
    let branches = 0;
    return breachesOf(told.length > 0 ? told : errors.slice(0, 1), (branch) => {
      branches += 1;
      if (branches > MAX_BRANCHES) throw new TooCostly('too many alternatives are broken');
      return this.ajv.compile(branch as object);
    });
  }

  private compile(schema: object): ValidateFunction {
    return this.compiled(this.ajv, this.translator.translate(schema) as object);
  }

  /** A target that cannot be compiled judges nothing: the rest of the schema around it still counts. */
  private readonly target = oncePerValue((reference: string): ValidateFunction => {
    try {
      return this.compile({ $ref: reference });
    } catch (error) {
      this.report(this.references.target(reference) ?? { pointer: '', value: null }, error as Error);
      return this.ajv.compile(true);
    }
  });
}

/** Items that are kept of each list. */
const MAX_ITEMS = 50;

/** Cuts the long lists of a value short: an example of a value that is too large to be explained. */
class CutLists {
  /** Pointers of the lists that are shorter now. */
  readonly places = new Set<string>();

  /** The value that stands at the pointer, cut. */
  cut(value: unknown, pointer: string): unknown {
    if (Array.isArray(value)) {
      if (value.length > MAX_ITEMS) this.places.add(pointer);
      return value.slice(0, MAX_ITEMS).map((item, index) => this.cut(item, appended(pointer, index)));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.cut(member, appended(pointer, name))]),
    );
  }
}
