// Why values do not fit, in one direction: functions of ajv that find every breach, compiled when first asked for.
import { hash } from 'node:crypto';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { appended, isObject } from '../json.ts';
import type { SchemaBreach, SchemaHandle, Validator } from '../model/operation.ts';
import { TooCostly } from '../patterns/too-costly.ts';
import type { References } from '../read/references.ts';
import { DEFERRED, Translator } from '../schema/dialect.ts';
import type { Direction } from '../schema/directed-properties.ts';
import { breachesOf } from './breaches.ts';
import type { Report } from './compiled-validators.ts';
import { errorsOf, explainingAjv, followReferences } from './registry.ts';
import { beginLook } from './spending.ts';

const LONGEST_POINTER = 2000;
/** Alternatives of broken choices that are asked one by one. */
const MOST_BRANCHES = 2_000;

/** That a value breaks its schema, where nobody can wait for the reasons. */
const UNEXPLAINED: SchemaBreach = {
  pointer: '',
  keyword: 'schema',
  message: 'the value breaks its schema in more ways than can be told apart, expected a value that fits it',
  expected: 'a value that fits the schema',
};

export class Explainer {
  private readonly references: References;
  private readonly report: Report;
  private readonly ajv: Ajv2020 = explainingAjv();
  private readonly translator: Translator;
  private readonly targets = new Map<string, ValidateFunction>();
  /** By digest of the translated schema: the same few kinds of member stand in hundreds of bodies. */
  private readonly made = new Map<string, ValidateFunction>();

  /** `report` is told once why a schema cannot be compiled. */
  constructor(references: References, direction: Direction, report: Report) {
    this.references = references;
    this.report = report;
    this.translator = new Translator(references, direction, (id, schema) => this.ajv.addSchema(schema as object, id));
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
    // Of a value that is nested without end what lies highest is told: pointers grow with the depth.
    const told = errors.filter(({ instancePath }) => instancePath.length <= LONGEST_POINTER);
    let branches = 0;
    return breachesOf(told.length > 0 ? told : errors.slice(0, 1), (branch) => {
      branches += 1;
      if (branches > MOST_BRANCHES) throw new TooCostly('too many alternatives are broken');
      return this.ajv.compile(branch as object);
    });
  }

  private compile(schema: object): ValidateFunction {
    const translated = this.translator.translate(schema) as object;
    const digest = hash('sha256', JSON.stringify(translated), 'base64');
    const made = this.made.get(digest) ?? this.ajv.compile(translated);
    this.made.set(digest, made);
    return made;
  }

  private target(reference: string): ValidateFunction {
    const known = this.targets.get(reference);
    if (known !== undefined) return known;
    const made = this.compileTarget(reference);
    this.targets.set(reference, made);
    return made;
  }

  /** A target that cannot be compiled judges nothing: the rest of the schema around it still counts. */
  private compileTarget(reference: string): ValidateFunction {
    try {
      return this.compile({ $ref: reference });
    } catch (error) {
      this.report(this.references.target(reference) ?? { pointer: '', value: null }, error as Error);
      return this.ajv.compile(true);
    }
  }
}

/** Items that are kept of each list. */
const MOST_ITEMS = 50;

/** Cuts the long lists of a value short: an example of a value that is too large to be explained. */
class CutLists {
  /** Pointers of the lists that are shorter now. */
  readonly places = new Set<string>();

  /** The value that stands at the pointer, cut. */
  cut(value: unknown, pointer: string): unknown {
    if (Array.isArray(value)) {
      if (value.length > MOST_ITEMS) this.places.add(pointer);
      return value.slice(0, MOST_ITEMS).map((item, index) => this.cut(item, appended(pointer, index)));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.cut(member, appended(pointer, name))]),
    );
  }
}
