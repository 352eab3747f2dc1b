// Idempotency keys: which operations take one, keys that no other request has, and keys that nearly are another's.
import { createHash } from 'node:crypto';
import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import type { HeaderList } from '../../exchange/exchange.ts';
import { isValid } from '../../generate/bodies.ts';
import { drawnValue } from '../../generate/drawn.ts';
import { isObject } from '../../openapi/json.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Description, Operation, Parameter, SchemaHandle } from '../../openapi/model/operation.ts';
import { isOfFormat } from '../../openapi/schema/formats.ts';

/** The longest key that is tried. */
export const LONGEST_KEY = 255;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The declaration of the key header; null where the operation does not declare it. */
export function keyParameter(operation: Operation): Parameter | null {
  return (
    operation.parameters.find(({ in: place, name }) => place === 'header' && carriesKeyOf(operation, name)) ?? null
  );
}

/** Tells whether the header of that name carries the operation's keys; in any case. */
export function carriesKeyOf(operation: Operation, name: string): boolean {
  return name.toLowerCase() === keyHeaderOf(operation).toLowerCase();
}

/** The header that carries the operation's keys. */
export function keyHeaderOf({ keyHeader = USUAL_KEY_HEADER }: Pick<Operation, 'keyHeader'>): string {
  return keyHeader;
}

/** Tells whether the operation takes a key: it declares the header, or the contract or the configuration says so. */
export function takesKey(operation: Operation): boolean {
  return keyParameter(operation) !== null || operation.keyed === true;
}

/** The headers of a call of the operation with this key, in quotes where its contract wants it so, in place of any other; null: without a key. */
export function withKey(operation: Operation, headers: HeaderList, key: string | null): HeaderList {
  const others = headers.filter(([name]) => !carriesKeyOf(operation, name));
  if (key === null) return others;
  const isBare = operation.keyForm === 'quoted' && !/^".*"$/.test(key);
  return [...others, [keyHeaderOf(operation), isBare ? `"${key}"` : key]];
}

/** A key in the form of a UUID, the same for the same text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * A key that carries the run's id, the same for the same text: what names a request names its key. A UUID where the
 * operation declares the form of its keys; another one that fits the form where a UUID does not.
 */
export function keyOf({ operation, description }: Described, run: string, text: string): string {
  const schema = keyParameter(operation)?.schema ?? null;
  const isAdmitted = (key: string): boolean => admitsKey({ operation, description }, key);
  if (!statesForm(schema?.value)) {
    const named = `${run}-${createHash('sha256').update(text.replaceAll(run, '')).digest('hex').slice(0, 20)}`;
    if (isAdmitted(named)) return named;
  }
  const uuid = uuidOf(`${run} ${text}`);
  // A header of structured fields holds its text in quotes.
  return [uuid, `"${uuid}"`].find(isAdmitted) ?? drawnKey(description, schema, uuid) ?? uuid;
}

/** Tells whether keys may have this form, as far as the contract and the header's schema say. */
export function admitsKey({ operation, description }: Described, key: string): boolean {
  const hasForm = operation.keyForm !== 'uuid' || isOfFormat('uuid', key);
  return hasForm && isValid(description, keyParameter(operation)?.schema ?? null, key);
}

function statesForm(schema: unknown): boolean {
  return isObject(schema) && ['format', 'pattern', 'maxLength', '$ref'].some((keyword) => keyword in schema);
}

/** A key that fits the schema, and is none of its examples; null where none is found. */
function drawnKey(description: Description, schema: SchemaHandle | null, text: string): string | null {
  if (schema === null) return null;
  const drawn = drawnValue(description, schema, WITHOUT_EXAMPLES, { seed: 0, place: `key ${text}` });
  return drawn.ok && typeof drawn.value === 'string' ? drawn.value : null;
}

const WITHOUT_EXAMPLES = { optional: false, isVaried: true, mistrusted: new Set(['']) };

/** The same at the greatest length that is tried. */
export function longestKeyOf(on: Described, run: string, text: string): string {
  const key = `${keyOf(on, run, text)}-`;
  return `${key}${lettersOf(key, LONGEST_KEY - key.length)}`;
}

/**
 * The headers of a request that is not about keys: where the operation takes one, a key of the request's own, so that
 * no payment ever goes out without. Equal requests have equal keys; any difference makes another key.
 */
export function ownKey(on: Described, headers: HeaderList, run: string, request: readonly unknown[]): HeaderList {
  const { operation } = on;
  return takesKey(operation) ? withKey(operation, headers, keyOf(on, run, JSON.stringify(request))) : headers;
}

/** Small letters, the same for the same text. */
export function lettersOf(text: string, length: number): string {
  let letters = '';
  for (let block = 0; letters.length < length; block += 1) {
    const digest = createHash('sha256').update(`${text}\n${block}`).digest();
    letters += [...digest].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  }
  return letters.slice(0, length);
}

/** The key changed at one place: the letter in the other case, or another character of its class. */
export function changedAt(key: string, at: number, how: 'case' | 'character'): string {
  const index = Math.min(at, key.length - 1);
  const letter = key[index] ?? '';
  return `${key.slice(0, index)}${how === 'case' ? letter.toUpperCase() : otherThan(letter)}${key.slice(index + 1)}`;
}

function otherThan(character: string): string {
  if (character === '-') return '_';
  if (/\d/.test(character)) return String((Number(character) + 1) % 10);
  return character === 'b' ? 'c' : 'b';
}
