// Judges of values, compiled by ajv when first asked for: one registry a direction, one function a schema.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction, SchemaValidateFunction } from 'ajv/dist/types/index.js';
import { breachesOf } from './breaches.ts';
import { DEFERRED, Translator } from './dialect.ts';
import type { Direction } from './directed-properties.ts';
import { assertFormats, patternOf } from './formats.ts';
import { isObject } from './json.ts';
import type { SchemaHandle, Validator } from './operation.ts';
import type { References } from './references.ts';

/** Decimal places to which a quotient must be whole: 19.99 is a multiple of 0.01 though binary fractions say otherwise. */
const MULTIPLE_OF_DIGITS = 6;

interface Registry {
  readonly ajv: Ajv2020;
  readonly translator: Translator;
  readonly compiled: WeakMap<object, Validator | null>;
}

type Report = (schema: SchemaHandle, error: Error) => void;

export class Validators {
  private readonly references: References;
  private readonly report: Report;
  private readonly registries = new Map<Direction, Registry>();

  /** `report` is told once why a schema cannot be compiled. */
  constructor(references: References, report: Report) {
    this.references = references;
    this.report = report;
  }

  /** Compiled once per schema and direction; null when it cannot be. */
  validator(handle: SchemaHandle, direction: Direction): Validator | null {
    const { value } = handle;
    if (value === true) return () => [];
    const registry = this.registryFor(direction);
    const schema = isObject(value) ? value : NOTHING_ALLOWED;
    const known = registry.compiled.get(schema);
    if (known !== undefined) return known;
    const made = this.compile(handle, schema, registry);
    registry.compiled.set(schema, made);
    return made;
  }

  private compile(handle: SchemaHandle, schema: object, { ajv, translator }: Registry): Validator | null {
    try {
      const validate = ajv.compile(translator.translate(schema) as object);
      return (value) =>
        validate(value) ? [] : breachesOf(validate.errors ?? [], (branch) => ajv.compile(branch as object));
    } catch (error) {
      this.report(handle, error as Error);
      return null;
    }
  }

  /** A target that cannot be compiled judges nothing: the rest of the schema around it still counts. */
  private compileTarget(reference: string, ajv: Ajv2020, translator: Translator): ValidateFunction {
    try {
      return ajv.compile(translator.translate({ $ref: reference }) as object);
    } catch (error) {
      this.report(this.references.target(reference) ?? { pointer: '', value: null }, error as Error);
      return ajv.compile(true);
    }
  }

  private registryFor(direction: Direction): Registry {
    const known = this.registries.get(direction);
    if (known !== undefined) return known;
    const ajv = newAjv();
    const translator = new Translator(this.references, direction, (id, schema) => ajv.addSchema(schema as object, id));
    const targets = new Map<string, ValidateFunction>();
    const targetOf = (reference: string): ValidateFunction => {
      const target = targets.get(reference) ?? this.compileTarget(reference, ajv, translator);
      targets.set(reference, target);
      return target;
    };
    ajv.addKeyword({ keyword: DEFERRED, schemaType: 'string', errors: 'full', compile: deferred(targetOf) });
    const registry = { ajv, translator, compiled: new WeakMap<object, Validator | null>() };
    this.registries.set(direction, registry);
    return registry;
  }
}

/** The keyword's function: hands the value, and where it stands, to the target when there is one to judge. */
function deferred(targetOf: (reference: string) => ValidateFunction): (reference: string) => DataValidateFunction {
  return (reference) => {
    const judge: DataValidateFunction = (data, place) => {
      const target = targetOf(reference);
      const holds = target(data, place) as boolean;
      judge.errors = target.errors ?? [];
      return holds;
    };
    return judge;
  };
}

const NOTHING_ALLOWED = { not: {} };

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    // Each schema is compiled once, however many refer to it.
    inlineRefs: false,
    // A property may be called "constructor", which every object inherits.
    ownProperties: true,
    multipleOfPrecision: MULTIPLE_OF_DIGITS,
    code: { optimize: false, regExp: Object.assign((source: string) => patternOf(source), { code: '' }) },
  });
  assertFormats(ajv);
  for (const keyword of ['readOnly', 'writeOnly']) {
    ajv.removeKeyword(keyword);
    // They speak of properties: a whole body or parameter that bears them is judged all the same.
    const validate: SchemaValidateFunction = (flag: boolean, _value, _schema, place) =>
      !flag || place?.instancePath === '';
    ajv.addKeyword({ keyword, schemaType: 'boolean', validate, errors: false });
  }
  return ajv;
}
