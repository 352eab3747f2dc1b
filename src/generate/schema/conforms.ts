// Tells whether a value obeys what is known of a schema: to choose examples and alternatives by, and to tell what may be
// drawn. The judge is the validator; this knows neither `contains` nor what alternatives exclude, and compiles nothing.

import { oncePerValue } from '../../exchange/once-per.ts';
import { isObject, isSame, textOf } from '../../openapi/json.ts';
import { isOfFormat } from '../../openapi/schema/formats.ts';
import { isMultipleOf } from '../../openapi/schema/multiples.ts';
import { lenientPattern } from '../patterns/lenient.ts';
import { type Form, itemSchemas, jsonTypeOf } from './form.ts';
import type { Conjunction, Schemas } from './schemas.ts';

/** The first form that the value takes inside another one; undefined: none. */
export function formOf(schemas: Schemas, conjunction: Conjunction, value: unknown): Form | undefined {
  return schemas.forms(conjunction).forms.find((form) => !form.forbidden && conforms(schemas, form, value));
}

/** Tells whether the value takes the form, members and items included. */
export function conforms(schemas: Schemas, form: Form, value: unknown): boolean {
  if (!isAdmitted(form, value)) return false;
  if (typeof value === 'string') return isStringOf(form, value);
  if (typeof value === 'number') return isNumberOf(form, value);
  if (Array.isArray(value)) return isArrayOf(schemas, form, value);
  return !isObject(value) || isObjectOf(schemas, form, value);
}

function isAdmitted({ types, values, excluded }: Form, value: unknown): boolean {
  if (!types.includes(jsonTypeOf(value))) return false;
  if (values !== null && !values.some((one) => isSame(one, value))) return false;
  return !excluded.some((one) => isSame(one, value));
}

/** Tells whether a text obeys the form's string keywords. */
export function isStringOf(form: Form, text: string): boolean {
  const { length } = [...text];
  if (length < form.minLength || length > form.maxLength) return false;
  if (!form.formats.every((format) => isOfFormat(format, text))) return false;
  if (!form.patterns.every((pattern) => matches(pattern, text))) return false;
  return !form.antipatterns.some((pattern) => matches(pattern, text));
}

const patternOf = oncePerValue(lenientPattern);

/** A pattern that cannot be read matches nothing. */
function matches(source: string, text: string): boolean {
  return patternOf(source)?.test(text) ?? false;
}

/** Tells whether a number obeys the form's numeric keywords. */
export function isNumberOf({ low, high, whole, multiples, formats }: Form, value: number): boolean {
  if (value < low.value || (low.open && value === low.value)) return false;
  if (value > high.value || (high.open && value === high.value)) return false;
  if (whole && !Number.isInteger(value)) return false;
  return multiples.every((step) => isMultipleOf(value, step)) && formats.every((format) => isOfFormat(format, value));
}

function isArrayOf(schemas: Schemas, form: Form, value: readonly unknown[]): boolean {
  if (value.length < form.minItems || value.length > form.maxItems) return false;
  if (form.unique && new Set(value.map(textOf)).size < value.length) return false;
  return value.every((item, index) => {
    // Items that `contains` evaluates are not told apart here: an item that may be a witness is taken for one.
    const place = schemas.all(itemSchemas(form, index, []));
    return formOf(schemas, place, item) !== undefined || isWitness(schemas, form, index, item);
  });
}

function isWitness(schemas: Schemas, form: Form, index: number, item: unknown): boolean {
  return form.contains.some((one) => formOf(schemas, schemas.all(itemSchemas(form, index, [one])), item) !== undefined);
}

function isObjectOf(schemas: Schemas, form: Form, value: Record<string, unknown>): boolean {
  const names = Object.keys(value);
  if (names.length < form.minProperties || names.length > form.maxProperties) return false;
  if (!schemas.required(form).every((name) => Object.hasOwn(value, name))) return false;
  if (!form.dependents.every(([name, needed]) => !Object.hasOwn(value, name) || hasAll(value, needed))) return false;
  return names.every(
    (name) => isNameOf(schemas, form, name) && formOf(schemas, schemas.member(form, name), value[name]) !== undefined,
  );
}

function hasAll(value: Record<string, unknown>, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(value, name));
}

/** Tells whether the form's propertyNames admit the name. */
export function isNameOf(schemas: Schemas, form: Form, name: string): boolean {
  return form.names.length === 0 || formOf(schemas, schemas.all(form.names), name) !== undefined;
}
