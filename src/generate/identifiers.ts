// Well-formed ids that name nothing: in the likeness of a known id where there is one, else by the parameter's schema.
import * as fc from 'fast-check';
import type { Description, Parameter } from '../openapi/model/operation.ts';
import { arbitraryOf } from './arbitrary.ts';
import { draw, words } from './sampling.ts';
import { type SchemaObject, shapeOf, typesOf } from './schema-shape.ts';

export interface UnknownId {
  readonly value: string;
  /** Whether the target has no ground to call it malformed: its shape is that of a known id or is stated by the schema. */
  readonly wellFormed: boolean;
  /** Whether the schema leaves so few values that this one may exist after all. */
  readonly mayExist: boolean;
}

/** Ids whose changing part is shorter than this may all be taken. */
const DENSE = 4;
/** Integers below this may all be taken. */
const SPARSE = 1_000_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{12}$/i;

/** An id that names nothing on the target, for the parameter; `known` is an id of the same kind that exists, or null. */
export function unknownId(
  description: Description,
  parameter: Parameter,
  known: string | null,
  seed: number,
  place: string,
): UnknownId {
  const shape = parameter.schema === null ? {} : shapeOf(description, parameter.schema.value);
  const mayExist = isDense(shape);
  if (known !== null) {
    const alike = [likeness(known, true), likeness(known, false)].map((arbitrary) => draw(arbitrary, seed, place));
    const fitting = alike.find((value) => value !== known && admits(description, parameter, value));
    if (fitting !== undefined) return { value: fitting, wellFormed: true, mayExist: mayExist || isShort(fitting) };
  }
  const types = typesOf(shape);
  if (types.includes('integer') || types.includes('number')) {
    return { value: String(draw(largeInteger(shape), seed, place)), wellFormed: true, mayExist };
  }
  if (shape.format === 'uuid') return { value: draw(fc.uuid({ version: 4 }), seed, place), wellFormed: true, mayExist };
  if (typeof shape.pattern === 'string') {
    const drawn = draw(
      arbitraryOf(description, { type: 'string', pattern: shape.pattern }, { optional: false }),
      seed,
      place,
    );
    const value = String(drawn);
    return { value, wellFormed: true, mayExist: mayExist || isShort(value) };
  }
  return { value: draw(fc.uuid({ version: 4 }), seed, place), wellFormed: false, mayExist };
}

/** Whether so few texts of this length exist that all may be taken: a country's or a currency's code. */
function isShort(value: string): boolean {
  return value.length < DENSE;
}

/** Whether the schema admits so few values that an unknown one cannot be drawn: enumerations, small ranges, booleans. */
function isDense(shape: SchemaObject): boolean {
  const types = typesOf(shape);
  const small = typeof shape.maximum === 'number' && shape.maximum < SPARSE;
  const short = typeof shape.maxLength === 'number' && shape.maxLength < DENSE;
  return Array.isArray(shape.enum) || 'const' in shape || types.includes('boolean') || small || short;
}

/** Whether the parameter's schema admits the text, read as the type that the schema asks for. */
export function admits(description: Description, parameter: Parameter, text: string): boolean {
  const { schema } = parameter;
  if (schema === null || description.fits(schema, text) !== false) return true;
  return /^-?\d+$/.test(text) && description.fits(schema, Number(text)) === true;
}

function largeInteger(shape: SchemaObject): fc.Arbitrary<number> {
  const max = typeof shape.maximum === 'number' ? shape.maximum : 2_000_000_000;
  return fc.integer({ min: Math.max(max - 1_000_000, 1), max });
}

/** Strings of the same length and the same classes of characters: letters for letters, digits for digits, the rest kept. */
function likeness(known: string, longer: boolean): fc.Arbitrary<string> {
  if (UUID.test(known)) return fc.uuid({ version: 4 });
  if (/^\d+$/.test(known)) return fc.integer({ min: 1_900_000_000, max: 2_100_000_000 }).map(String);
  const cut = known.search(/[^a-zA-Z]/) + 1;
  const prefix = /^[a-zA-Z]+[_-]/.test(known) ? known.slice(0, cut) : '';
  const tail = known.slice(prefix.length);
  const hexadecimal = /^[0-9a-f]+$/.test(tail) && /[a-f]/.test(tail);
  const characters = [...tail].map((character) => sameClass(character, hexadecimal));
  // Short ids are dense: a few digits more keep an unknown one unknown.
  const extra = longer && tail.length < DENSE ? words(6, 6, '123456789') : fc.constant('');
  return fc.tuple(fc.tuple(...characters), extra).map(([drawn, more]) => `${prefix}${drawn.join('')}${more}`);
}

function sameClass(character: string, hexadecimal: boolean): fc.Arbitrary<string> {
  if (hexadecimal) return fc.constantFrom(...'0123456789abcdef');
  if (/[0-9]/.test(character)) return fc.constantFrom(...'0123456789');
  if (/[a-z]/.test(character)) return fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
  if (/[A-Z]/.test(character)) return fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  return fc.constant(character);
}
