// ajv as the schemas of descriptions want it, for explaining (every breach, with schema and data) and for judging alone.
import { _, type CodeKeywordDefinition, type KeywordCxt, Name, str } from 'ajv';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt, SchemaValidateFunction } from 'ajv/dist/types/index.js';
import { TRIED } from '../schema/dialect.ts';
import { assertFormats } from '../schema/formats.ts';
import { GIVEN } from './given.ts';
import { Remembered, spendOnBreaches } from './spending.ts';
import { judgeUnevaluated } from './unevaluated.ts';

const COMMON = {
  strict: false,
  logger: false,
  meta: false,
  validateSchema: false,
  // Each schema is compiled once, however many refer to it.
  inlineRefs: false,
  // A property may be called "constructor", which every object inherits.
  ownProperties: true,
} as const;

const regExp = Object.assign((source: string) => GIVEN.patternOf(source), { code: 'new RegExp' });

/** Tells whether a value fits; `place` is for values that are part of another. */
export type Judge = (value: unknown, place?: { readonly instancePath: string }) => boolean;
/** The judge of what a reference leads to. */
export type JudgeOf = (reference: string) => Judge;

/** Breaches of one value that are found at most: a list may hold a million items, each of them wrong. */
export const MAX_BREACHES = 10_000;

/** Every place in ajv's code that notes a breach. */
const NOTING = /\bvErrors\.push\((\w+)\);/g;

/** Finds all breaches; the function throws what it has found, a list, as soon as that are too many (`errorsOf`). */
export function explainingAjv(): Ajv2020 {
  const process = (code: string): string =>
    code.replaceAll(NOTING, `if (vErrors.push($1) >= ${MAX_BREACHES}) throw vErrors;`);
  const ajv = new Ajv2020({ ...COMMON, allErrors: true, verbose: true, code: { optimize: false, regExp, process } });
  assertFormats(ajv);
  ownKeywords(ajv);
  for (const keyword of DIRECTED) {
    ajv.removeKeyword(keyword);
    const validate: SchemaValidateFunction = (flag: boolean, _value, _schema, place) =>
      !flag || place?.instancePath === '';
    ajv.addKeyword({ keyword, schemaType: 'boolean', validate, errors: false });
  }
  return ajv;
}

/** Errors of the function against the value: none, all, or as many as are told of one value. */
export function errorsOf(
  validate: ValidateFunction,
  value: unknown,
  place?: DataValidationCxt,
): readonly ErrorObject[] {
  try {
    return validate(value, place) ? [] : (validate.errors ?? []);
  } catch (thrown) {
    if (Array.isArray(thrown)) return thrown;
    throw thrown;
  }
}

/** Errors of a reference against the value at the place; null: none. */
interface Found {
  readonly instancePath: string;
  readonly errors: readonly ErrorObject[] | null;
}

/** Adds to the list what was found in a part of the value. ajv makes a new list each time: for a long array, in the square of its length. */
function gather(all: ErrorObject[], more: readonly ErrorObject[]): ErrorObject[] {
  spendOnBreaches(more.length);
  for (const error of more) if (all.push(error) >= MAX_BREACHES) throw all;
  return all;
}

/**
 * Makes `keyword` hold a reference: the value is judged by what `targetOf` has for it when a value gets there. The breaches
 * are those of the target, as if its schema stood there.
 */
export function followReferences(
  ajv: Ajv2020,
  keyword: string,
  targetOf: (reference: string) => ValidateFunction,
): void {
  const remembered = new Remembered<Found>();
  const found = (reference: string, value: unknown, instancePath: string): readonly ErrorObject[] | null => {
    const find = (): Found => {
      const target = targetOf(reference);
      const fits = target(value, { instancePath } as DataValidationCxt);
      return { instancePath, errors: fits ? null : (target.errors ?? []) };
    };
    const known = remembered.of(reference, value, find);
    // One part of a value may stand in two places.
    return (known.instancePath === instancePath ? known : find()).errors;
  };
  const code = (context: KeywordCxt): void => {
    const { gen, data, schema, it } = context;
    const given = gen.scopeValue('func', { ref: found });
    const place = str`${new Name('instancePath')}${it.errorPath}`;
    const against = gen.const('against', _`${calledBy(context, 'spend')}() && ${given}(${schema}, ${data}, ${place})`);
    const joined = gen.scopeValue('func', { ref: gather });
    context.result(_`${against} === null`, undefined, () => {
      const [all, count] = [new Name('vErrors'), new Name('errors')];
      gen.assign(all, _`${joined}(${all} ?? [], ${against})`);
      gen.assign(count, _`${all}.length`);
    });
  };
  ajv.addKeyword({ keyword, schemaType: 'string', code });
}

/**
 * Tells yes or no: `keyword` holds a reference that is judged by what `judgeOf` has for it when a value gets there.
 */
export function judgingAjv(keyword: string, judgeOf: JudgeOf): Ajv2020 {
  const ajv = new Ajv2020({ ...COMMON, messages: false, code: { optimize: false, regExp } });
  assertFormats(ajv);
  ownKeywords(ajv);
  for (const directed of DIRECTED) {
    ajv.removeKeyword(directed);
    ajv.addKeyword({ keyword: directed, schemaType: 'boolean', code: passAtTop });
  }
  ajv.addKeyword({
    keyword,
    schemaType: 'string',
    code(context: KeywordCxt) {
      const given = context.gen.scopeValue('func', { ref: judgeOf });
      // Such references stand for parts of a value alone.
      context.pass(
        _`${calledBy(context, 'spend')}() && ${given}(${context.schema})(${context.data}, { instancePath: "/" })`,
      );
    },
  });
  return ajv;
}

/** They speak of properties: a whole body or parameter that bears them is judged all the same. */
const DIRECTED = ['readOnly', 'writeOnly'];

function passAtTop(context: KeywordCxt): void {
  if (context.schema === true) context.pass(_`${str`${new Name('instancePath')}${context.it.errorPath}`} === ""`);
}

/** The keywords that ajv judges wrongly or in the square of what stands there, and what counts the alternatives that are tried. */
function ownKeywords(ajv: Ajv2020): void {
  judgeUnevaluated(ajv);
  for (const keyword of [enumeration(ajv.getKeyword('enum') as CodeKeywordDefinition), uniqueness, multiples]) {
    ajv.removeKeyword(keyword.keyword as string);
    ajv.addKeyword(keyword);
  }
  ajv.addKeyword({ keyword: TRIED, code: (context) => context.pass(_`${calledBy(context, 'spend')}()`) });
}

/** How the code of this schema calls one of the functions that it is given. */
function calledBy({ gen }: KeywordCxt, name: keyof typeof GIVEN): Name {
  return gen.scopeValue('func', { key: name, ref: GIVEN[name] });
}

/** More values than these are looked up, not compared one by one. */
const MAX_COMPARED = 50;

/** ajv's own keyword, which compares what is short. */
function enumeration(ofAjv: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...ofAjv,
    code(context) {
      const { gen, schema, data } = context;
      if (schema.length <= MAX_COMPARED) return ofAjv.code(context);
      const listed = gen.scopeValue('func', { key: schema, ref: GIVEN.isOneOf(schema) });
      return context.pass(_`${listed}(${data})`);
    },
  };
}

const multiples: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: { message: ({ schema }) => str`must be multiple of ${schema}` },
  code: (context) => context.pass(_`${calledBy(context, 'isMultipleOf')}(${context.data}, ${context.schema})`),
};

const uniqueness: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: {
    message: ({ params: { twins } }) =>
      str`must NOT have duplicate items (items ## ${twins}[1] and ${twins}[0] are identical)`,
  },
  code(context) {
    if (context.schema !== true) return;
    const twins = context.gen.const('twins', _`${calledBy(context, 'firstTwins')}(${context.data})`);
    context.setParams({ twins });
    context.pass(_`${twins} === null`);
  },
};
