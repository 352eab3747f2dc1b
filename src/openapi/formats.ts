// Patterns and formats as descriptions use them.
import type { Ajv } from 'ajv';
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
