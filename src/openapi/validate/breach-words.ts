// What a breach of a schema is called: "subject - actual - expected", one sentence per keyword.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { appended } from '../json.ts';
import type { SchemaBreach } from '../model/operation.ts';

/** `error` must carry schema and data (ajv's `verbose`). A missing or superfluous property is the place itself. */
export function breachOf(error: ErrorObject): SchemaBreach {
  const { keyword } = error;
  const pointer = appended(error.instancePath, ...propertyOf(error));
  const subject = pointer === '' ? 'the value' : pointer;
  const { actual, expected } = words(error, pointer);
  return { pointer, keyword, message: `${subject} ${actual}, expected ${expected}`, expected };
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
    : { actual: `has ${size} ${unit}`, expected: `${bound} ${asJson(schema)} ${unit}` };
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

function sizeOf(keyword: string, data: unknown): [number | null, string] {
  if (keyword.endsWith('Length')) return [[...String(data)].length, 'characters'];
  if (keyword.endsWith('Items')) return [Array.isArray(data) ? data.length : null, 'items'];
  if (keyword.endsWith('Properties')) return [Object.keys(data as object).length, 'properties'];
  return [null, ''];
}

const LONGEST = 80;

/** A value as a report may show it. Error messages may hold personal data of end users, so they are never quoted. */
function shown(value: unknown, pointer: string): string {
  if (typeof value === 'object' && value !== null) return typeOf(value);
  return /^\/error(\/.*)?\/message$/.test(pointer) ? typeOf(value) : asJson(value);
}

function asJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

function asTypes(types: unknown): string {
  return (Array.isArray(types) ? types : [types]).join(' or ');
}
