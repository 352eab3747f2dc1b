// Well-formed ids that name nothing: in the likeness of a known id where there is one, else by the parameter's schema.
import * as fc from 'fast-check';
import type { Description, Parameter } from '../openapi/model/operation.ts';
import { arbitraryOf } from './arbitrary.ts';
import { draw, words } from './sampling.ts';
import { type SchemaObject, shapeOf, typesOf } from './schema-shape.ts';

export interface UnknownId {
  readonly value: string;
  /** True where the target has no ground to call it malformed: its shape is that of a known id or is stated by the schema. */
  readonly wellFormed: boolean;
  /** True where the schema leaves so few values that this one may exist after all. */
  readonly mayExist: boolean;
}

/** Ids whose changing part is shorter than this may all be taken. */
const MAX_DENSE_VALUES = 4;
/** Digits added to a short id so that it names nothing; the first number whose result the schema admits. */
const FURTHER_DIGITS = [6, 5, 4, 3, 2, 1, 0] as const;
/** Integers below this may all be taken. */
const MIN_SPARSE_VALUES = 1_000_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Ids that are drawn where the target has shown those before. */
const MAX_DRAWS = 8;

/**
 * An id that names nothing on the target, for the parameter; `known` is an id of the same kind that exists, or null. `isTaken` tells
 * ids that the target has shown; where each that is drawn is one of these, it may exist.
 */
export function unknownId(
  description: Description,
  parameter: Pick<Parameter, 'schema'>,
  known: string | null,
  seed: number,
  place: string,
  isTaken: (id: string) => boolean = () => false,
): UnknownId {
  let id = drawnId(description, parameter, known, seed, place);
  for (let round = 1; round < MAX_DRAWS && isTaken(id.value); round += 1)
    id = drawnId(description, parameter, known, seed, `${place} ${round}`);
  return isTaken(id.value) ? { ...id, mayExist: true } : id;
}

function drawnId(
  description: Description,
  parameter: Pick<Parameter, 'schema'>,
  known: string | null,
  seed: number,
  place: string,
): UnknownId {
  const shape = shapeOf(description, parameter.schema?.value);
  const mayExist = isDense(shape);
  if (known !== null) {
    for (const digits of FURTHER_DIGITS) {
      const value: string = draw(likeness(known, digits), seed, place);
      if (value !== known && admits(description, parameter, value))
        return { value, wellFormed: true, mayExist: mayExist || isShort(value) };
    }
  }
  const types = typesOf(shape);
  if (types.includes('integer') || types.includes('number')) {
    return { value: String(draw(largeInteger(shape), seed, place)), wellFormed: true, mayExist };
  }
  if (shape.format === 'uuid') return { value: draw(fc.uuid({ version: 4 }), seed, place), wellFormed: true, mayExist };
  if (typeof shape.pattern === 'string') {
    const arbitrary = arbitraryOf(description, { type: 'string', pattern: shape.pattern }, { optional: false });
    const drawn = Array.from({ length: MAX_DRAWS }, (_, round) =>
      String(draw(arbitrary, seed, `${place} draw ${round}`)),
    );
    // Short ids are those that are taken first.
    const value = drawn.reduce((longest, one) => (one.length > longest.length ? one : longest));
    return { value, wellFormed: true, mayExist: mayExist || isShort(value) };
  }
  return { value: draw(fc.uuid({ version: 4 }), seed, place), wellFormed: false, mayExist };
}

/** Tells whether so few texts of this length exist that all may be taken: a country's or a currency's code, "agent_7". */
function isShort(value: string): boolean {
  return value.length - prefixOf(value).length < MAX_DENSE_VALUES;
}

/** The part of an id that tells its kind: "agent_". */
function prefixOf(id: string): string {
  return /^[a-zA-Z]+[_-]/.exec(id)?.[0] ?? '';
}

/** Tells whether the schema admits so few values that an unknown one cannot be drawn: enumerations, small ranges, booleans. */
function isDense(shape: SchemaObject): boolean {
  const types = typesOf(shape);
  const small = typeof shape.maximum === 'number' && shape.maximum < MIN_SPARSE_VALUES;
  const short = typeof shape.maxLength === 'number' && shape.maxLength < MAX_DENSE_VALUES;
  return Array.isArray(shape.enum) || 'const' in shape || types.includes('boolean') || small || short;
}

/** More integers than these are ids, and no list of what there is. */
const MAX_LISTED = 31;

/** The values that the schema lists: of an enumeration, a constant, booleans, a small range of integers; none where it leaves them open. */
export function listedValues(description: Description, schema: unknown): readonly unknown[] {
  const shape = shapeOf(description, schema);
  if (Array.isArray(shape.enum)) return shape.enum.filter((value) => value !== null);
  if ('const' in shape) return [shape.const];
  const types = typesOf(shape).filter((type) => type !== 'null');
  if (types.length !== 1) return [];
  if (types[0] === 'boolean') return [true, false];
  return types[0] === 'integer' ? integersOf(shape) : [];
}

/** All integers of the range, where they are few; the bounds of 3.0 exclude themselves by a boolean. */
function integersOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaObject): readonly number[] {
  const bounds = (bound: unknown, exclusive: unknown, step: number): readonly number[] => [
    ...(typeof bound === 'number' ? [exclusive === true ? bound + step : bound] : []),
    ...(typeof exclusive === 'number' ? [exclusive + step] : []),
  ];
  const least = Math.ceil(Math.max(...bounds(minimum, exclusiveMinimum, 1)));
  const most = Math.floor(Math.min(...bounds(maximum, exclusiveMaximum, -1)));
  const count = most - least + 1;
  return count > 0 && count <= MAX_LISTED ? Array.from({ length: count }, (_, index) => least + index) : [];
}

/** Tells whether the parameter's schema admits the text, read as the type that the schema asks for. */
export function admits(description: Description, { schema }: Pick<Parameter, 'schema'>, text: string): boolean {
  if (schema === null || description.fits(schema, text) !== false) return true;
  return /^-?\d+$/.test(text) && description.fits(schema, Number(text)) === true;
}

function largeInteger(shape: SchemaObject): fc.Arbitrary<number> {
  const max = typeof shape.maximum === 'number' ? shape.maximum : 2_000_000_000;
  return fc.integer({ min: Math.max(max - 1_000_000, 1), max });
}

/** Strings of the same length and the same classes of characters: letters for letters, digits for digits, the rest kept. */
function likeness(known: string, furtherDigits: number): fc.Arbitrary<string> {
  if (UUID.test(known)) return fc.uuid({ version: 4 });
  if (/^\d+$/.test(known)) return fc.integer({ min: 1_900_000_000, max: 2_100_000_000 }).map(String);
  const prefix = prefixOf(known);
  const tail = known.slice(prefix.length);
  const hexadecimal = /^[0-9a-f]+$/.test(tail) && /[a-f]/.test(tail);
  const characters = [...tail].map((character) => sameClass(character, hexadecimal));
  // Short ids are dense: a few digits more keep an unknown one unknown.
  const extra = tail.length < MAX_DENSE_VALUES ? words(furtherDigits, furtherDigits, '123456789') : fc.constant('');
  return fc.tuple(fc.tuple(...characters), extra).map(([drawn, more]) => `${prefix}${drawn.join('')}${more}`);
}

function sameClass(character: string, hexadecimal: boolean): fc.Arbitrary<string> {
  if (hexadecimal) return fc.constantFrom(...'0123456789abcdef');
  if (/[0-9]/.test(character)) return fc.constantFrom(...'0123456789');
  if (/[a-z]/.test(character)) return fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
  if (/[A-Z]/.test(character)) return fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  return fc.constant(character);
}
