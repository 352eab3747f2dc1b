// Patterns and formats as descriptions use them.
import type { Ajv, Format } from 'ajv';
import addFormats, { type FormatName } from 'ajv-formats';

/** Formats that are asserted; any other says nothing. Source: SCH-01. */
const ASSERTED: FormatName[] = [
  'date-time',
  'date',
  'time',
  'email',
  'uri',
  'uuid',
  'hostname',
  'ipv4',
  'ipv6',
  'byte',
  'int32',
  'int64',
  'float',
  'double',
];

/**
 * The expression of a `pattern`. ECMA-262 with the u flag is what JSON Schema asks for, but descriptions in the wild
 * escape more than that allows (`\-`), so those are read without it. Throws SyntaxError when neither reading is valid.
 */
export function patternOf(source: string): RegExp {
  const known = patterns.get(source) ?? expressionOf(source);
  patterns.set(source, known);
  return known;
}

/** The same few patterns stand in hundreds of schemas, and an expression that is shared is made ready once. */
const patterns = new Map<string, RegExp>();

function expressionOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

export function isPattern(source: string): boolean {
  try {
    patternOf(source);
    return true;
  } catch {
    return false;
  }
}

export function assertFormats(ajv: Ajv): void {
  addFormats.default(ajv, { mode: 'full', formats: ASSERTED });
}

/** Whether the value is of the format as far as that is asserted; what a format says nothing of is. */
export function isOfFormat(format: string, value: unknown): boolean {
  if (!(ASSERTED as readonly string[]).includes(format)) return true;
  return obeys(addFormats.default.get(format as FormatName), value);
}

function obeys(definition: Format, value: unknown): boolean {
  if (typeof definition === 'boolean') return definition;
  if (typeof definition === 'string') return typeof value !== 'string' || new RegExp(definition).test(value);
  if (definition instanceof RegExp) return typeof value !== 'string' || definition.test(value);
  if (typeof definition === 'function') return typeof value !== 'string' || definition(value);
  if (definition.type === 'number')
    return typeof value !== 'number' || (definition.validate as (number: number) => boolean)(value);
  const { validate } = definition;
  if (typeof value !== 'string') return true;
  return validate instanceof RegExp ? validate.test(value) : (validate as (text: string) => boolean)(value);
}
