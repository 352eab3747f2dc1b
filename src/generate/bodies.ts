// Valid request bodies and parameter values for an operation: the description's own examples first, then generated ones. A
// body is drawn once as a template; each one made of it has a serial of its own at the places that must be new.
import { oncePer, oncePerValue } from '../exchange/once-per.ts';
import { isObject } from '../openapi/json.ts';
import { makeable, writtenExample } from '../openapi/model/media-types.ts';
import type { Description, MediaType, Operation, SchemaHandle } from '../openapi/model/operation.ts';
import { type Drawn, drawnValue } from './drawn.ts';
import { ANY_SERIAL, mustBeNew, type Nonce, preferredValue } from './preferred.ts';
import type { SchemaObject } from './schema-shape.ts';

export interface Draw {
  readonly seed: number;
  readonly nonce: Nonce;
}

/** How much a body holds: what the description shows as example, only what is required, or every property. */
export type Fullness = 'example' | 'required' | 'full';

/** Demands on a body or parameter beside those of the description. */
export interface Beside {
  /** Schemas that it must fit as well. */
  readonly schemas: readonly unknown[];
  /** From 1 on alternatives are chosen by chance, others for each number; 0: the likeliest. */
  readonly variation: number;
}

export const NOTHING_BESIDE: Beside = { schemas: [], variation: 0 };

/** The JSON media type of the request body; null where the operation takes none. */
export function jsonBodyType(operation: Operation): MediaType | null {
  const content = operation.requestBody?.content ?? [];
  return content.find((media) => media.mediaType === 'application/json' || media.mediaType.endsWith('+json')) ?? null;
}

/** The media type in which a body of the operation is made; null where it takes none, or none that can be made. */
export function bodyType({ requestBody }: Operation): MediaType | null {
  return requestBody === null ? null : makeable(requestBody.content);
}

/** A body of the operation; null when it takes none. */
export function drawnBody(
  description: Description,
  operation: Operation,
  fullness: Fullness,
  from: Draw,
  beside = NOTHING_BESIDE,
): Drawn | null {
  const media = bodyType(operation);
  if (media === null) return null;
  const wanted = { fullness, beside };
  const { drawn, varies, places } = templateOf(description, operation, media, wanted, from);
  if (!drawn.ok) return drawn;
  if (!varies) return { ok: true, value: withSerial(drawn.value, places, from.nonce.serial) };
  // A value that must be new may have no room for the serial (a pattern): then it is drawn anew for every body of every run.
  return drawTemplate(description, operation, media, wanted, from, `${from.nonce.run} ${from.nonce.serial}`);
}

/** A value that validates against the operation's request schema; undefined when it takes no body or none can be made. */
export function validBody(
  description: Description,
  operation: Operation,
  fullness: Fullness,
  from: Draw,
  beside = NOTHING_BESIDE,
): unknown {
  const drawn = drawnBody(description, operation, fullness, from, beside);
  return drawn?.ok === true ? drawn.value : undefined;
}

/** The members that must be new and have no room for the serial's mark. */
function unmarked(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(unmarked);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'string') return unmarked(member);
    return mustBeNew(name) && !holdsSerial(member) ? [member] : [];
  });
}

interface Template {
  readonly drawn: Drawn;
  /** True where drawing again makes new what must be new and has no room for a serial. */
  readonly varies: boolean;
  readonly places: SerialPlaces;
}

interface Wanted {
  readonly fullness: Fullness;
  readonly beside: Beside;
}

const templatesOf = oncePer((_: Operation) => oncePerValue((_key: string, draw: () => Template) => draw()));

/** Drawn once per operation, what is wanted, seed and run; bodies differ by their serial alone. */
function templateOf(
  description: Description,
  operation: Operation,
  media: MediaType,
  wanted: Wanted,
  from: Draw,
): Template {
  const isPlain = wanted.beside === NOTHING_BESIDE;
  const key = `${wanted.fullness} ${from.seed} ${from.nonce.run} ${isPlain ? '' : JSON.stringify(wanted.beside)}`;
  return templatesOf(operation)(key, () => {
    const any = { seed: from.seed, nonce: { run: from.nonce.run, serial: ANY_SERIAL } };
    const draw = (apart: string): Drawn => drawTemplate(description, operation, media, wanted, any, apart);
    const drawn = draw('');
    const open = drawn.ok ? unmarked(drawn.value) : [];
    const again = open.length > 0 ? draw('again') : null;
    const varies = again?.ok === true && unmarked(again.value).some((text) => !open.includes(text));
    return { drawn, varies, places: drawn.ok ? serialPlaces(drawn.value) : null };
  });
}

function drawTemplate(
  description: Description,
  operation: Operation,
  media: MediaType,
  { fullness, beside: { schemas, variation } }: Wanted,
  from: Draw,
  apart = '',
): Drawn {
  const written = writtenExample(media);
  if (written !== undefined) return { ok: true, value: written };
  const whole = media.examples.find((one) => isValid(description, media.schema, one));
  if (fullness === 'example' && whole !== undefined && schemas.length === 0) {
    const renewed = withNonce(whole, from.nonce);
    return { ok: true, value: isValid(description, media.schema, renewed) ? renewed : whole };
  }
  if (media.schema === null) return { ok: true, value: {} };
  const preferred = (name: string, shape: SchemaObject): unknown => preferredValue(name, shape, from.nonce);
  const isVaried = variation > 0;
  const place = `${operation.service} ${operation.key} body ${apart}${isVaried ? ` variation ${variation}` : ''}`;
  const example = isVaried ? undefined : (whole ?? media.examples[0]);
  const appetite = { optional: fullness !== 'required', preferred, example, beside: schemas, isVaried };
  return drawnValue(description, media.schema, appetite, { seed: from.seed, place });
}

/** Tells whether the value validates as part of a request; true where there is nothing to validate against. */
export function isValid(description: Description, schema: SchemaHandle | null, value: unknown): boolean {
  return schema === null || description.fits(schema, value) !== false;
}

/** Examples are shared by every run: what must be unique in them (emails) is made so. */
function withNonce(value: unknown, nonce: Nonce): unknown {
  if (typeof value === 'string') return value.replace(/^[^\s@]+@([^\s@]+)$/, `assay-${nonce.run}-${nonce.serial}@$1`);
  if (Array.isArray(value)) return value.map((item) => withNonce(item, nonce));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNonce(member, nonce)]));
}

/** A JSON value as a parameter carries it; arrays joined by comma, objects as JSON. */
export function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** In codes that have capital letters alone. */
const ANY_CAPITAL_SERIAL = ANY_SERIAL.toUpperCase();

/** Tells whether the text holds the mark. */
function holdsSerial(text: string): boolean {
  return text.includes(ANY_SERIAL) || text.includes(ANY_CAPITAL_SERIAL);
}

/** `text`: a string that holds the mark; else the members, by name or index, that do somewhere. null: nowhere. */
type SerialPlaces = 'text' | ReadonlyMap<string, SerialPlaces> | null;

/** The places of a JSON value. */
export function serialPlaces(value: unknown): SerialPlaces {
  if (typeof value === 'string') return holdsSerial(value) ? 'text' : null;
  if (!Array.isArray(value) && !isObject(value)) return null;
  const members = Object.entries(value).flatMap(([key, member]) => {
    const places = serialPlaces(member);
    return places === null ? [] : [[key, places] as const];
  });
  return members.length === 0 ? null : new Map(members);
}

/** The value with the serial at its places. */
export function withSerial(value: unknown, places: SerialPlaces, serial: string): unknown {
  if (places === null) return value;
  if (places === 'text')
    return String(value).replaceAll(ANY_SERIAL, serial).replaceAll(ANY_CAPITAL_SERIAL, serial.toUpperCase());
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  for (const [key, inner] of places) copy[key] = withSerial(copy[key], inner, serial);
  return copy;
}
