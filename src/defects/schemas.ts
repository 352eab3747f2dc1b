// Defects of SCH-01: values that differ from their schema, in one place each.
import { asArray, isObject, type JsonObject } from '../openapi/json.ts';
import { type Named, named } from './defect.ts';
import type { Place, Resolve } from './schema-places.ts';

export interface SchemaDefect extends Named {
  /** Why no value could show it, where none could. */
  readonly lacks: string;
  /** Tells whether some value of the schema can have it. */
  speaks(schema: JsonObject, resolve: Resolve): boolean;
  /** The value of the place that has it, undefined for a member that is left out; null where this one cannot have it. */
  broken(place: Place): { readonly value: unknown } | null;
}

/** Stands where a schema allows other texts only. */
const OUTSIDE = 'assay-outside';
const OTHER_TYPE: Readonly<Record<string, unknown>> = { string: 7, boolean: 'assay', object: 'assay' };
const FORMATS: readonly unknown[] = ['date-time', 'date', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6'];

type Kind = readonly [
  says: string,
  lacks: string,
  speaks: SchemaDefect['speaks'],
  /** The broken value of a place whose schema speaks; null where it has none. */
  broken: (place: Place) => { readonly value: unknown } | null,
];

const isNumber = ({ value }: Place): boolean => typeof value === 'number';
const isText = ({ value }: Place): boolean => typeof value === 'string';

/** A defect of the schema of a value. */
function kind(
  says: string,
  lacks: string,
  speaks: (schema: JsonObject) => boolean,
  value: (place: Place) => unknown,
  fits: (place: Place) => boolean = () => true,
): Kind {
  return [says, lacks, speaks, (place) => (speaks(place.schema) && fits(place) ? { value: value(place) } : null)];
}

function requiresMembers(schema: unknown): boolean {
  return isObject(schema) && Array.isArray(schema.required) && schema.required.length > 0;
}

/** The member is left out; answers may leave out those that are written only. */
function leftOut({ isRequired, schema }: Place): { readonly value: undefined } | null {
  return isRequired && schema.writeOnly !== true ? { value: undefined } : null;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'wrong-type': kind(
    'One member of a success has another JSON type than described.',
    'no success held a member whose type is described',
    ({ type }) => typeof type === 'string',
    ({ schema: { type } }) => OTHER_TYPE[String(type)] ?? 'assay',
  ),
  null: kind(
    'One member of a success is null where null is not described.',
    'no success held a member that must not be null',
    isNeverNull,
    () => null,
    ({ value }) => value !== null,
  ),
  'required-missing': [
    'A success lacks one member that the description requires.',
    'no success held a required member',
    requiresMembers,
    leftOut,
  ],
  'last-item': [
    'The last item of a list lacks a member that the description requires.',
    'no success held a list of two items',
    ({ type, items }, resolve) => type === 'array' && requiresMembers(resolve(items)),
    (place) => (place.isInLast && typeof place.path.at(-2) === 'number' ? leftOut(place) : null),
  ],
  'outside-enum': kind(
    'One member of a success has a value outside its enumeration.',
    'no success held a member with an enumeration',
    ({ enum: values }) => Array.isArray(values) && !values.includes(OUTSIDE),
    () => OUTSIDE,
  ),
  format: kind(
    'One member of a success is a text that its format does not allow.',
    'no success held a member with a format',
    ({ format, type }) => FORMATS.includes(format) && type === 'string',
    () => 'no \u0000 such form',
    isText,
  ),
  'out-of-range': kind(
    'One number of a success is below its minimum.',
    'no success held a number with a minimum',
    ({ minimum }) => typeof minimum === 'number',
    ({ schema: { minimum } }) => Number(minimum) - 1,
    isNumber,
  ),
  maximum: kind(
    'One number of a success is above its maximum.',
    'no success held a number with a maximum',
    ({ maximum }) => typeof maximum === 'number',
    ({ schema: { maximum } }) => Number(maximum) + 1,
    isNumber,
  ),
  'too-short': kind(
    'One text of a success is shorter than its minimum.',
    'no success held a text with a minimum length',
    ({ minLength }) => Number(minLength) > 0,
    ({ schema: { minLength }, value }) => String(value).slice(0, Number(minLength) - 1),
    isText,
  ),
  'forbidden-member': kind(
    'A success holds a member where the description allows no others.',
    'no success held an object that allows no further members',
    isClosed,
    ({ value }) => ({ ...(isObject(value) ? value : {}), assay_extra: 1 }),
    ({ value }) => isObject(value),
  ),
};

function isNeverNull({ type, nullable, enum: values }: JsonObject): boolean {
  return typeof type === 'string' && type !== 'null' && nullable !== true && !asArray(values).includes(null);
}

function isClosed({ additionalProperties, patternProperties, properties }: JsonObject): boolean {
  return additionalProperties === false && patternProperties === undefined && isObject(properties);
}

export const SCHEMA_DEFECTS: readonly SchemaDefect[] = Object.entries(KINDS).map(
  ([name, [says, lacks, speaks, broken]]) => ({ ...named('SCH-01', name, says), lacks, speaks, broken }),
);
