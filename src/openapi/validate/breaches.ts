// From ajv's errors to breaches, each with a sentence ("subject - actual - expected"): of the alternatives of a oneOf or
// anyOf only the closest one speaks, and items that fail in the same way are counted, not listed.

import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { plural } from '../../contract/numbers.ts';
import { appended } from '../json.ts';
import type { SchemaBreach } from '../model/operation.ts';
import { errorsOf } from './registry.ts';
import { spendOnBreaches } from './spending.ts';

/** Compiles (or finds) the function of one alternative. */
type CompileBranch = (branch: unknown) => ValidateFunction;

/** At least one breach for a non-empty list of errors, in the order found. Errors must carry schema and data (`verbose`). */
export function breachesOf(errors: readonly ErrorObject[], compile: CompileBranch): SchemaBreach[] {
  const found = reduced(errors, compile).map(breachOf);
  // A value of another type altogether meets no other demand.
  const wrongTypes = new Set(found.filter(({ keyword }) => keyword === 'type').map(({ pointer }) => pointer));
  return oncePerKind(found.filter(({ keyword, pointer }) => keyword === 'type' || !wrongTypes.has(pointer)));
}

/**
 * Drops what only repeats. ajv reports the errors of every alternative just before the error of the oneOf or anyOf itself;
 * judging the alternatives again, one by one, tells which errors are whose and how many to skip.
 */
function reduced(errors: readonly ErrorObject[], compile: CompileBranch): ErrorObject[] {
  const kept: ErrorObject[][] = [];
  for (let index = errors.length - 1; index >= 0; index -= 1) {
    const error = errors[index] as ErrorObject;
    if (error.keyword === 'if') continue;
    if ((error.keyword !== 'oneOf' && error.keyword !== 'anyOf') || !Array.isArray(error.schema)) {
      kept.push([error]);
      continue;
    }
    const branches = error.schema.map((branch) => branchErrors(branch, error, compile));
    const second = (error.params.passingSchemas as [number, number] | null | undefined)?.[1];
    index -= branches.slice(0, second).reduce((sum, ofBranch) => sum + ofBranch.length, 0);
    kept.push(second === undefined ? closest(error, branches, compile) : [error]);
  }
  return kept.reverse().flat();
}

function branchErrors(branch: unknown, parent: ErrorObject, compile: CompileBranch): readonly ErrorObject[] {
  if (branch === true) return [];
  const validate = compile(branch === false ? { not: {} } : branch);
  const { instancePath, data } = parent;
  const place = { instancePath, parentData: {}, parentDataProperty: '', rootData: {}, dynamicAnchors: {} };
  const errors = errorsOf(validate, data, place);
  spendOnBreaches(errors.length);
  return errors;
}

/** Breaches between the value and the alternative that it comes closest to. */
function closest(
  parent: ErrorObject,
  branches: readonly (readonly ErrorObject[])[],
  compile: CompileBranch,
): ErrorObject[] {
  const alternatives = branches.map((errors) => reduced(errors, compile));
  const wrongTypes = alternatives.map((errors) =>
    errors.find(({ keyword, instancePath }) => keyword === 'type' && instancePath === parent.instancePath),
  );
  if (alternatives.length === 0) return [parent];
  if (wrongTypes.every((error) => error !== undefined)) {
    const type = [...new Set(wrongTypes.flatMap((error) => (error as ErrorObject).params.type as string | string[]))];
    return [{ ...(wrongTypes[0] as ErrorObject), params: { type } }];
  }
  const scored = alternatives.map((errors, index) => ({
    errors,
    distance: [
      wrongTypes[index] === undefined ? 0 : 1,
      misnamed(errors, parent.instancePath),
      errors.length,
      missing(errors, parent.instancePath),
    ],
  }));
  scored.sort((a, b) => compare(a.distance, b.distance));
  return (scored[0] as (typeof scored)[number]).errors;
}

/** Fields that tell alternatives apart (const or enum, directly below the value) and do not fit. */
function misnamed(errors: readonly ErrorObject[], base: string): number {
  return errors.filter(({ keyword, instancePath }) => {
    return (keyword === 'const' || keyword === 'enum') && !instancePath.slice(base.length + 1).includes('/');
  }).length;
}

/** Members of its own that the value lacks: of two alternatives the one is meant whose members it has, if only with wrong values. */
function missing(errors: readonly ErrorObject[], base: string): number {
  return errors.filter(({ keyword, instancePath }) => keyword === 'required' && instancePath === base).length;
}

function compare(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((number, at) => number !== right[at]);
  return index === -1 ? 0 : (left[index] as number) - (right[index] as number);
}

/** The first of all breaches that differ in array indexes, or in which member an object excludes; its message tells how many more there are. */
function oncePerKind(breaches: readonly SchemaBreach[]): SchemaBreach[] {
  const kinds = Map.groupBy(breaches, ({ pointer, keyword, expected }) => {
    const excludes = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
    const place = excludes ? pointer.replace(/\/[^/]*$/, '') : pointer;
    return `${place.replace(/\/\d+(?=\/|$)/g, '/*')} ${keyword} ${expected}`;
  });
  return [...kinds.values()].map((alike) => {
    const first = alike[0] as SchemaBreach;
    const places = new Set(alike.map(({ pointer }) => pointer)).size;
    return places === 1 ? first : { ...first, message: `${first.message} (and ${places - 1} more like it)` };
  });
}

/** `error` must carry schema and data (ajv's `verbose`). A missing or superfluous property is the place itself. */
function breachOf(error: ErrorObject): SchemaBreach {
  const { keyword } = error;
  const pointer = appended(error.instancePath, ...propertyOf(error));
  const subject = pointer === '' ? 'the value' : pointer;
  const { actual, expected } = words(error, pointer);
  const wanted = wantedBy(error);
  const values = wanted === null ? {} : { wanted };
  return { pointer, keyword, message: `${subject} ${actual}, expected ${expected}`, expected, ...values };
}

/** Characters of the values that a program compares with; more are told in words alone. */
const MAX_WANTED_CHARACTERS = 2000;

/** Plain values that the keyword admits; null where it says something else, or has objects among them. */
function wantedBy({ keyword, params, schema }: ErrorObject): NonNullable<SchemaBreach['wanted']> | null {
  const all: unknown[] =
    keyword === 'type'
      ? [params.type].flat()
      : keyword === 'const'
        ? [schema]
        : keyword === 'enum'
          ? [schema].flat()
          : [];
  const plain = all.filter((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value));
  const isAll =
    plain.length > 0 && plain.length === all.length && JSON.stringify(plain).length <= MAX_WANTED_CHARACTERS;
  return isAll ? (plain as NonNullable<SchemaBreach['wanted']>) : null;
}

function propertyOf({ keyword, params }: ErrorObject): string[] {
  const name = PROPERTY[keyword];
  return name === undefined ? [] : [String(params[name])];
}

/** The parameter of ajv's error that names the property at fault. */
const PROPERTY: Readonly<Record<string, string>> = {
  required: 'missingProperty',
  dependentRequired: 'missingProperty',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  unevaluatedItems: 'unevaluatedItem',
  propertyNames: 'propertyName',
};

interface Words {
  readonly actual: string;
  readonly expected: string;
}

function words(error: ErrorObject, pointer: string): Words {
  const { keyword, params, data, schema } = error;
  const value = shown(data, pointer);
  switch (keyword) {
    case 'required':
      return { actual: 'is missing', expected: 'it to be present' };
    case 'dependentRequired':
      return { actual: 'is missing', expected: `it to be present beside "${params.property}"` };
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'unevaluatedItems':
    case 'false schema':
      return { actual: 'is present', expected: 'no such property or item' };
    case 'writeOnly':
      return { actual: 'is present', expected: 'it to be absent from responses (writeOnly)' };
    case 'readOnly':
      return { actual: 'is present', expected: 'it to be absent from requests (readOnly)' };
    case 'type':
      return { actual: `is ${typeOf(data)}`, expected: asTypes(params.type) };
    case 'enum':
      return { actual: `is ${value}`, expected: `one of ${asJson(schema)}` };
    case 'const':
      return { actual: `is ${value}`, expected: asJson(schema) };
    case 'format':
      return { actual: `is ${value}`, expected: `format ${params.format}` };
    case 'pattern':
      return { actual: `is ${value}`, expected: `a match of ${params.pattern}` };
    case 'oneOf':
      return {
        actual: `matches alternatives ${(params.passingSchemas ?? []).join(' and ')}`,
        expected: 'exactly one (oneOf)',
      };
    case 'not':
      return { actual: `is ${value}`, expected: `no match of ${asJson(schema)}` };
    default:
      return sized(error, value);
  }
}

function sized({ keyword, data, schema, message }: ErrorObject, value: string): Words {
  const [size, unit] = sizeOf(keyword, data);
  const bound = BOUNDS[keyword];
  if (bound === undefined) return { actual: `is ${value}`, expected: `a value that ${message ?? `meets ${keyword}`}` };
  return size === null
    ? { actual: `is ${value}`, expected: `${bound} ${asJson(schema)}` }
    : { actual: `has ${plural(size, ...unit)}`, expected: `${bound} ${plural(Number(schema), ...unit)}` };
}

const BOUNDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  minLength: 'at least',
  minItems: 'at least',
  minProperties: 'at least',
  maximum: 'at most',
  maxLength: 'at most',
  maxItems: 'at most',
  maxProperties: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
};

function sizeOf(keyword: string, data: unknown): [size: number | null, unit: readonly [one: string, many: string]] {
  if (keyword.endsWith('Length')) return [[...String(data)].length, ['character', 'characters']];
  if (keyword.endsWith('Items')) return [Array.isArray(data) ? data.length : null, ['item', 'items']];
  if (keyword.endsWith('Properties')) return [Object.keys(data as object).length, ['property', 'properties']];
  return [null, ['', '']];
}

const MAX_CHARS = 80;

/** A value as a report may show it. Error messages may hold personal data of end users, so they are never quoted. */
function shown(value: unknown, pointer: string): string {
  if (typeof value === 'object' && value !== null) return typeOf(value);
  return /^\/error(\/.*)?\/message$/.test(pointer) ? typeOf(value) : asJson(value);
}

function asJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

function asTypes(types: unknown): string {
  return (Array.isArray(types) ? types : [types]).join(' or ');
}
