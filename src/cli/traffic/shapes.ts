// The shapes of recorded exchanges, held by their published schemas: what is wrong with one is told by its JSON pointer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

export type ShapeFile = 'exchange-line.schema.json' | 'har-entry.schema.json';

const compiled = new Map<ShapeFile, ValidateFunction>();

/** The fault of the value, "/request/url: expected a string"; null: none. Values are never told. */
export function problemOf(value: unknown, file: ShapeFile): string | null {
  const validate = compiled.get(file) ?? compile(file);
  compiled.set(file, validate);
  if (validate(value)) return null;
  // Alternatives are told by what none of them allows.
  const told = validate.errors?.find(({ keyword }) => keyword !== 'anyOf') ?? validate.errors?.[0];
  return told === undefined ? 'is not a recorded exchange' : inWords(told);
}

function compile(file: ShapeFile): ValidateFunction {
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
  return new Ajv({ allowUnionTypes: true }).compile(schema);
}

function inWords({ instancePath, keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${params.missingProperty} is missing`;
  const at = instancePath === '' ? 'the whole' : instancePath;
  return `${at} ${message ?? 'is wrong'}`;
}
