// Judges of values in one direction: made when first asked for, from code that an earlier run kept or by ajv.
import { hash } from 'node:crypto';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { codeOf, type JudgeCode, judgeFrom } from '../cache/validator-code.ts';
import { isObject, type JsonObject, valueAt } from '../json.ts';
import type { SchemaHandle } from '../model/operation.ts';
import type { References } from '../read/references.ts';
import { DEFERRED, Translator } from '../schema/dialect.ts';
import type { Direction } from '../schema/directed-properties.ts';
import { type Judge, judgingAjv } from './registry.ts';

/** Finds kept code by name; null where there is none. */
export type FindCode = (name: string) => JudgeCode | null;
export type Report = (schema: SchemaHandle, error: Error) => void;

/** What stands for anything that is neither a schema object nor true. */
export const NOTHING_ALLOWED = { not: {} };

export class Judges {
  private readonly references: References;
  private readonly direction: Direction;
  private readonly find: FindCode;
  private readonly report: Report;
  private compiler: { readonly ajv: Ajv2020; readonly translator: Translator } | null = null;
  private readonly known = new WeakMap<object, Judge | null>();
  private readonly targets = new Map<string, Judge | null>();
  private readonly made = new Map<string, ValidateFunction>();
  /** By digest of the translated schema: what stands in many places, such as the pattern of an id, is compiled once. */
  private readonly compiled = new Map<string, ValidateFunction>();

  /** `report` is told once why a schema cannot be compiled. */
  constructor(references: References, direction: Direction, find: FindCode, report: Report) {
    this.references = references;
    this.direction = direction;
    this.find = find;
    this.report = report;
  }

  /** Null when the schema cannot be compiled. */
  judge(handle: SchemaHandle): Judge | null {
    const schema = isObject(handle.value) ? handle.value : NOTHING_ALLOWED;
    const known = this.known.get(schema);
    if (known !== undefined) return known;
    const reference = this.wholeReference(schema);
    if (reference !== null) return this.referredJudge(reference);
    // Only what stands in the document is the same in the next run.
    const isThere = valueAt(this.references.document, handle.pointer) === schema;
    const judge = this.attempt(handle, schema, isThere ? handle.pointer : null);
    this.known.set(schema, judge);
    return judge;
  }

  /** A target that cannot be compiled judges nothing: the rest of the schema around it still counts. */
  private readonly judgeOf = (reference: string): Judge => this.referredJudge(reference) ?? (() => true);

  /** The code of judges that none was found for, as far as it is worth keeping. */
  *code(): Generator<[string, JudgeCode]> {
    for (const [name, judge] of this.made) {
      const code = codeOf(this.compilerOrNew().ajv, judge);
      if (code !== null) yield [name, code];
    }
  }

  /** The reference that is all of a schema, if it leads anywhere: whoever refers there shares one judge. */
  private wholeReference(schema: JsonObject): string | null {
    const { dialect } = this.references;
    const reference = dialect === '3.0' || Object.keys(schema).length === 1 ? schema.$ref : null;
    return typeof reference === 'string' && this.references.target(reference) !== null ? reference : null;
  }

  private referredJudge(reference: string): Judge | null {
    const known = this.targets.get(reference);
    if (known !== undefined) return known;
    const at = this.references.target(reference) ?? { pointer: '', value: null };
    // Compiled as if it stood alone: what other components say in the same words is compiled once.
    const judge = this.attempt(at, isObject(at.value) ? at.value : { $ref: reference }, reference);
    this.targets.set(reference, judge);
    return judge;
  }

  private attempt(handle: SchemaHandle, schema: JsonObject, place: string | null): Judge | null {
    try {
      return this.make(schema, place);
    } catch (error) {
      this.report(handle, error as Error);
      return null;
    }
  }

  private make(schema: JsonObject, place: string | null): Judge {
    const name = `${this.direction} ${place}`;
    const kept = place === null ? null : this.kept(name);
    if (kept !== null) return kept;
    const judge = this.compile(schema);
    if (place !== null) this.made.set(name, judge);
    return judge as Judge;
  }

  private compile(schema: JsonObject): ValidateFunction {
    const { ajv, translator } = this.compilerOrNew();
    const translated = translator.translate(schema) as object;
    const digest = hash('sha256', JSON.stringify(translated), 'base64');
    const judge = this.compiled.get(digest) ?? inOnePiece(ajv.compile(translated));
    this.compiled.set(digest, judge);
    return judge;
  }

  private kept(name: string): Judge | null {
    try {
      const code = this.find(name);
      return code === null ? null : judgeFrom(code, this.judgeOf);
    } catch {
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

/**
 * ajv leaves the code of a judge, and of those it calls, as it was put together: of millions of pieces, each larger than
 * its text. Reading a character makes V8 join them.
 */
function inOnePiece(judge: ValidateFunction, seen = new Set<unknown>()): ValidateFunction {
  if (judge.source === undefined || seen.has(judge)) return judge;
  seen.add(judge);
  judge.source.validateCode.charCodeAt(0);
  for (const { value } of judge.source.scopeValues.validate ?? []) {
    if (typeof value?.ref === 'function') inOnePiece(value.ref as ValidateFunction, seen);
  }
  return judge;
}
