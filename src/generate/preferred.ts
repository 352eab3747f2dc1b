// Values that a living target is likely to accept, chosen by a property's name where its schema leaves the choice:
// unique ones carry the run's nonce, so that a second run meets no leftovers of the first.
import { oncePerValue } from '../exchange/once-per.ts';
import { isObject } from '../openapi/json.ts';
import { lenientPattern } from './patterns/lenient.ts';
import { type SchemaObject, typesOf } from './schema-shape.ts';

export interface Nonce {
  /** The run's id. */
  readonly run: string;
  /** Tells one generated body from the next within a run: six small letters. */
  readonly serial: string;
}

/** Stands for a serial in a body that is kept and issued again and again; as long as a serial. */
export const ANY_SERIAL = 'zzzzzz';

const CODES: Readonly<Record<string, string>> = {
  currency: 'USD',
  country: 'US',
  countrycode: 'US',
  language: 'en',
  locale: 'en-US',
  timezone: 'UTC',
};

/** Times by which something is over: after whatever begins, which is drawn from the present. */
const ENDS = /(^|_)(ends?|ending|until|till|to|expir(y|es|ed|ation|e)|finish(es|ed)?|due|deadline|stops?)(_|$)/i;
const LATE: Readonly<Record<string, string>> = { 'date-time': '2035-06-30T12:00:00Z', date: '2035-06-30' };

const UNIQUE =
  /^(.*_)?(name|title|slug|handle|sku|username|login|label|subject|key|code|domain|subdomain|hostname|host|reference|barcode|ean|isbn)$/i;

/** A value for a string property of this name; undefined where the name tells nothing or the schema decides. */
export function preferredValue(name: string, shape: SchemaObject, nonce: Nonce): unknown {
  if (isObject(shape.properties) || !admitsString(shape)) return undefined;
  // An example of the description is as good as a guess, except where the value must be new.
  if (hasExample(shape) && shape.format !== 'email' && !mustBeNew(name)) return undefined;
  const simple = name.replaceAll(/[^a-zA-Z]/g, '').toLowerCase();
  const [full, compact] = uniqueTexts(nonce);
  const named = [full, compact].map((unique) => candidateFor(name, simple, shape, unique));
  // A code that has no room for a name, or has capital letters alone, can still be told by the text itself.
  const bare = shape.format === undefined && isUnique(name) ? [compact, compact.toUpperCase()] : [];
  return [...named, ...bare].find((candidate) => candidate !== undefined && fits(candidate, shape));
}

/** Texts that no other body holds, of this run or of one before it, in small letters: at full length, then as short as can be. */
export function uniqueTexts({ run, serial }: Nonce): readonly [string, string] {
  const compact = `${run.slice(-4)}${serial}`.replaceAll(/[^a-zA-Z0-9]/g, '');
  return [`${run}-${serial}`.toLowerCase(), compact.toLowerCase()];
}

/** The first text in it that only one request of the run holds, in small letters; null for none. */
export function markIn(text: string, run: string): string | null {
  const [full, compact] = uniqueTexts({ run, serial: '' });
  const [mark] = new RegExp(`(${escaped(full)}|${escaped(compact)})[a-z]{${ANY_SERIAL.length}}`, 'i').exec(text) ?? [];
  return mark?.toLowerCase() ?? null;
}

function escaped(text: string): string {
  return text.replaceAll(/[^a-z0-9]/gi, '\\$&');
}

/** Tells whether a value looks like what any run of this program makes up for names, slugs and emails. */
export function isMadeUp(value: unknown): boolean {
  return typeof value === 'string' && /^assay-[a-z0-9-]{8,}(@[a-z0-9.-]+|\.[a-z0-9.-]+)?$/i.test(value);
}

function hasExample(shape: SchemaObject): boolean {
  return [shape.example, shape.default].some((given) => given !== undefined) || Array.isArray(shape.examples);
}

/** Codes that stand for a kind, and that many things share. */
const KINDS =
  /^(.*_)?(country|postal|post|zip|area|region|state|province|currency|language|locale|hs|mcc|naics|status)_code$/i;

/** Tells whether a member of this name is likely to be unique on the target. */
export function mustBeNew(name: string): boolean {
  return /email$/i.test(name) || isUnique(name);
}

/** Names are few and are asked for again and again. */
const isUnique = oncePerValue((name: string): boolean => {
  const words = wordsOf(name);
  return UNIQUE.test(words) && !KINDS.test(words);
});

/** Its words parted by underscores. */
function wordsOf(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2');
}

const emailOf = (suffix: string): string => `assay-${suffix}@example.com`;
const addressOf = (suffix: string): string => `https://example.com/${suffix}`;

const BY_FORMAT: ReadonlyMap<string, (suffix: string) => string> = new Map([
  ['email', emailOf],
  ['hostname', (suffix) => `assay-${suffix}.example.com`],
  ['uri', addressOf],
  ['url', addressOf],
]);

function formatted(name: string, format: string, suffix: string): string | undefined {
  const write = BY_FORMAT.get(format);
  if (write !== undefined) return write(suffix);
  return ENDS.test(wordsOf(name)) ? LATE[format] : undefined;
}

function candidateFor(name: string, simple: string, shape: SchemaObject, suffix: string): string | undefined {
  const { format } = shape;
  if (format !== undefined && format !== 'password') return formatted(name, String(format), suffix);
  if (format === undefined && simple.endsWith('email')) return emailOf(suffix);
  if (format === 'password' || simple.includes('password')) return `Assay-9x-${suffix}`;
  if (simple in CODES) return CODES[simple];
  if (simple.endsWith('currency')) return 'USD';
  if (simple.includes('phone')) return '+15550100123';
  if (simple.endsWith('url') || simple.endsWith('uri') || simple === 'website') return addressOf(suffix);
  if (isUnique(name)) return `assay-${suffix}`;
  return undefined;
}

function admitsString(shape: SchemaObject): boolean {
  const types = typesOf(shape);
  return types.length === 0 || types.includes('string');
}

function fits(text: string, shape: SchemaObject): boolean {
  if (text.length < numberOr(shape.minLength, 0) || text.length > numberOr(shape.maxLength, Number.POSITIVE_INFINITY))
    return false;
  if (typeof shape.pattern !== 'string') return true;
  return lenientPattern(shape.pattern)?.test(text) ?? false;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
