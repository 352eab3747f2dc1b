// Formats as descriptions use them.
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
