// Where a template body holds the mark that stands for any serial: found once, so that each body made of the template copies
// what differs and shares the rest.
import { ANY_SERIAL } from './preferred.ts';
import { isObject } from './schema-shape.ts';

/** In codes that have capital letters alone. */
const ANY_CAPITAL_SERIAL = ANY_SERIAL.toUpperCase();

/** Whether the text holds the mark. */
export function holdsSerial(text: string): boolean {
  return text.includes(ANY_SERIAL) || text.includes(ANY_CAPITAL_SERIAL);
}

/** `text`: a string that holds the mark; else the members, by name or index, that do somewhere. null: nowhere. */
export type SerialPlaces = 'text' | ReadonlyMap<string, SerialPlaces> | null;

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
