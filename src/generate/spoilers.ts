// Spoilers: from a valid body, bodies that break exactly one thing at one known place. Each is checked against the
// schema: a spoiled body that still validates, or breaks anything else, is not offered.
import type { Description, SchemaHandle } from '../openapi/operation.ts';
import { isObject, type SchemaObject, shapeOf, typesOf } from './schema-shape.ts';

export type SpoilerKind = 'missing' | 'wrong-type' | 'wrong-scalar' | 'null-optional' | 'constraint';

export interface Spoiler {
  readonly kind: SpoilerKind;
  /** JSON pointer of the spoiled place. */
  readonly pointer: string;
  /** Top-level field that an answer must name (ERR-10); empty where the body is an array. */
  readonly field: string;
  /** What was done, in words: "email left out", "price is an object instead of a number". */
  readonly what: string;
  /** Made when it is asked for: spoilers are many, and few are sent at once. */
  readonly body: unknown;
}

interface Place {
  readonly path: readonly string[];
  readonly shape: SchemaObject;
  readonly required: boolean;
}

const DEPTH_LIMIT = 4;
const PLACE_LIMIT = 60;

/** All spoilers of a valid body, by place in the body's own order, the clearest first at each place. */
export function spoilersOf(description: Description, schema: SchemaHandle, body: unknown): readonly Spoiler[] {
  const validator = description.validator(schema, 'request');
  if (validator === null || validator(body).length > 0) return [];
  const root: Place = { path: [], shape: shapeOf(description, schema.value), required: true };
  const offered = [...placesOf(description, schema.value, body, []), ...itemPlaces(description, root, body)]
    .slice(0, PLACE_LIMIT)
    .flatMap((place) => spoil(body, place));
  return offered.filter((spoiler) => {
    const breaches = validator(spoiler.body);
    return breaches.length > 0 && breaches.every((breach) => explains(breach.pointer, spoiler));
  });
}

/** A missing member is reported at its parent; everything else at or below the place, or above it by a union. */
function explains(pointer: string, spoiler: Spoiler): boolean {
  return isAtOrBelow(spoiler.pointer, pointer) || isAtOrBelow(pointer, spoiler.pointer);
}

function isAtOrBelow(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}

function placesOf(
  description: Description,
  schema: unknown,
  value: unknown,
  path: readonly string[],
): readonly Place[] {
  if (!isObject(value) || path.length > DEPTH_LIMIT) return [];
  const shape = branchShape(description, shapeOf(description, schema), value);
  const properties = isObject(shape.properties) ? shape.properties : {};
  const required = Array.isArray(shape.required) ? shape.required : [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = properties[key];
    if (inner === undefined) return required.includes(key) ? [{ path: [...path, key], shape: {}, required: true }] : [];
    const place = { path: [...path, key], shape: shapeOf(description, inner), required: required.includes(key) };
    return [place, ...placesOf(description, inner, member, place.path), ...itemPlaces(description, place, member)];
  });
}

/** The shape with the branch of a oneOf or anyOf folded in that the value takes. */
function branchShape(description: Description, shape: SchemaObject, value: unknown): SchemaObject {
  const branches = shape.oneOf ?? shape.anyOf;
  if (!Array.isArray(branches)) return shape;
  const taken = branches.find(
    (branch) => description.validator({ pointer: '', value: branch }, 'request')?.(value).length === 0,
  );
  if (taken === undefined) return shape;
  const { oneOf: _one, anyOf: _any, discriminator: _tag, ...common } = shape;
  return shapeOf(description, { allOf: [common, taken] });
}

function itemPlaces(description: Description, place: Place, value: unknown): readonly Place[] {
  if (!Array.isArray(value) || value.length === 0 || place.shape.items === undefined) return [];
  const path = [...place.path, '0'];
  const item = { path, shape: shapeOf(description, place.shape.items), required: true };
  return [item, ...placesOf(description, place.shape.items, value[0], path)];
}

class SpoiledPlace implements Spoiler {
  readonly kind: SpoilerKind;
  readonly what: string;
  readonly #path: readonly string[];
  /** `value` takes the place of what is there; undefined: that is left out. */
  readonly #from: { readonly body: unknown; readonly value: unknown };

  constructor(
    kind: SpoilerKind,
    what: string,
    path: readonly string[],
    from: { readonly body: unknown; readonly value: unknown },
  ) {
    this.kind = kind;
    this.what = what;
    this.#path = path;
    this.#from = from;
  }

  get pointer(): string {
    return `/${this.#path.map(escapePointer).join('/')}`;
  }

  get field(): string {
    const [first] = this.#path;
    return isIndex(first) ? '' : (first ?? '');
  }

  get body(): unknown {
    const { body, value } = this.#from;
    return value === undefined ? without(body, this.#path) : withValue(body, this.#path, value);
  }
}

function spoil(body: unknown, place: Place): readonly Spoiler[] {
  const name = place.path.join('.');
  const make = (kind: SpoilerKind, what: string, value: unknown): Spoiler =>
    new SpoiledPlace(kind, what, place.path, { body, value });
  const isItem = isIndex(place.path.at(-1));
  const missing = place.required && !isItem ? [make('missing', `${name} left out`, undefined)] : [];
  return [...missing, ...wrongTypes(name, place, make), ...constraints(name, place, make)];
}

function isIndex(segment: string | undefined): boolean {
  return segment !== undefined && /^\d+$/.test(segment);
}

type Make = (kind: SpoilerKind, what: string, value: unknown) => Spoiler;

function wrongTypes(name: string, place: Place, make: Make): readonly Spoiler[] {
  const types = typesOf(place.shape);
  // A tag picks the branch of a union: another value there is another branch's business.
  const { enum: listed } = place.shape;
  if (types.length === 0 || 'const' in place.shape || (Array.isArray(listed) && listed.length === 1)) return [];
  const say = (given: string): string =>
    `${name} is ${given} instead of ${types.filter((type) => type !== 'null').join(' or ')}`;
  const spoiled: Spoiler[] = [];
  if (!types.includes('object')) spoiled.push(make('wrong-type', say('an object'), { assay: 'object' }));
  if (!types.includes('array')) spoiled.push(make('wrong-type', say('an array'), [['assay']]));
  if (types.includes('object') || types.includes('array')) spoiled.push(make('wrong-type', say('a string'), 'assay'));
  else if (!types.includes('string')) spoiled.push(make('wrong-scalar', say('a string'), 'assay'));
  else spoiled.push(make('wrong-scalar', say('a number'), 12345), make('wrong-scalar', say('a boolean'), true));
  if (!types.includes('null')) spoiled.push(make(place.required ? 'wrong-type' : 'null-optional', say('null'), null));
  return spoiled;
}

function constraints(name: string, place: Place, make: Make): readonly Spoiler[] {
  const { shape } = place;
  const spoiled: Spoiler[] = [];
  const add = (what: string, value: unknown): number => spoiled.push(make('constraint', `${name} ${what}`, value));
  if (Array.isArray(shape.enum) && shape.enum.every((entry) => typeof entry === 'string'))
    add('is not one of the enumerated values', 'assay-not-listed');
  if (typeof shape.minLength === 'number' && shape.minLength > 0)
    add(`is shorter than ${shape.minLength}`, 'a'.repeat(shape.minLength - 1));
  if (typeof shape.maxLength === 'number' && shape.maxLength < 10_000)
    add(`is longer than ${shape.maxLength}`, 'a'.repeat(shape.maxLength + 1));
  if (typeof shape.pattern === 'string') add('does not match its pattern', '\u00a7 assay \u00a7');
  if (typeof shape.format === 'string' && typesOf(shape).includes('string'))
    add(`is not of format ${shape.format}`, 'assay not formatted');
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = shape;
  const low = typeof minimum === 'number' ? minimum : exclusiveMinimum;
  const high = typeof maximum === 'number' ? maximum : exclusiveMaximum;
  if (typeof low === 'number') add(`is below ${low}`, low - 1);
  if (typeof high === 'number') add(`is above ${high}`, high + 1);
  if (typeof shape.minItems === 'number' && shape.minItems > 0) add(`has fewer than ${shape.minItems} items`, []);
  return spoiled;
}

function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function withValue(body: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(body))
    return body.map((item, index) => (String(index) === key ? withValue(item, rest, value) : item));
  if (!isObject(body)) return body;
  return { ...body, [key]: withValue(body[key], rest, value) };
}

function without(body: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return body;
  if (Array.isArray(body)) return body.map((item, index) => (String(index) === key ? without(item, rest) : item));
  if (!isObject(body)) return body;
  if (rest.length > 0) return { ...body, [key]: without(body[key], rest) };
  const { [key]: _left, ...kept } = body;
  return kept;
}
