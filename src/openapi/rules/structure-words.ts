// What a breach of OpenAPI's structure is called: one sentence per keyword of the official schemas.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { appended, asArray, asObject } from '../json.ts';

export interface Sentence {
  /** Pointer into the judged value: an unknown field is named itself, a missing one by its owner. */
  readonly place: string;
  readonly message: string;
}

/** `error` must carry schema and data (ajv's `verbose`). */
export function sentence(error: ErrorObject): Sentence {
  const { instancePath: place, params, keyword } = error;
  switch (keyword) {
    case 'required':
      return { place, message: `the field "${params.missingProperty}" is missing` };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      const message = name === '$ref' ? 'OpenAPI allows no reference here' : `OpenAPI has no field "${name}" here`;
      return { place: appended(place, name), message };
    }
    case 'propertyNames':
      return {
        place: appended(place, params.propertyName),
        message: `"${params.propertyName}" is not allowed as a name here`,
      };
    case 'type':
      return { place, message: `${shown(error.data)} stands here, expected ${asList(params.type)}` };
    case 'enum':
      return { place, message: `${shown(error.data)} stands here, expected ${asList(params.allowedValues)}` };
    case 'const':
      return { place, message: `${shown(error.data)} stands here, expected ${JSON.stringify(params.allowedValue)}` };
    case 'oneOf':
      return { place, message: `exactly one of these fields is needed: ${fieldsOf(error.schema)}` };
    case 'anyOf':
      return { place, message: `one or more of these fields are needed: ${fieldsOf(error.schema)}` };
    case 'not':
      return { place, message: exclusion(error.schema) };
    case 'pattern':
      return { place, message: `${shown(error.data)} does not match ${params.pattern}` };
    case 'format':
      return { place, message: `${shown(error.data)} is not a valid ${params.format}` };
    default:
      return { place, message: `the value ${error.message}` };
  }
}

function fieldsOf(alternatives: unknown): string {
  return asArray(alternatives)
    .flatMap((one) => asArray(asObject(one).required))
    .join(', ');
}

function exclusion(schema: unknown): string {
  const fields = asArray(asObject(schema).required);
  if (fields.length === 1) return `the field "${fields[0]}" is not allowed here`;
  return `the fields ${fields.map((name) => `"${name}"`).join(' and ')} exclude each other`;
}

function asList(values: unknown): string {
  return (Array.isArray(values) ? values : [values]).map(String).join(' or ');
}

const LONGEST = 60;

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
