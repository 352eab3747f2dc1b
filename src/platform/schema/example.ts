// Schema → a valid value. The same seed text gives the same value; examples of the description come first.
import fc from 'fast-check';
import { Program } from '../../openapi/patterns/program.ts';
import { syntaxOf } from '../../openapi/patterns/syntax.ts';
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';
import { digest, numberFrom, uuidFrom } from '../store/hash.ts';
import { judgeOf } from './compile.ts';
import { branches, flatten, typesOf } from './flatten.ts';
import type { ServedDocument } from './served.ts';

const MAX_DEPTH = 8;
const MAX_OPTIONAL_DEPTH = 4;
const WORDS = [
  'amber',
  'birch',
  'cobalt',
  'dune',
  'ember',
  'fern',
  'granite',
  'harbor',
  'indigo',
  'juniper',
  'larch',
  'maple',
];

/** A value that the schema allows in a response: writeOnly members are left out, arrays hold what they must and two. */
export function exampleOf(document: ServedDocument, schema: unknown, seed: string): unknown {
  return drawValue(document, schema, seed, 0);
}

/** `fresh`: not one that the description gives. */
function drawValue(document: ServedDocument, schema: unknown, seed: string, depth: number, fresh = false): unknown {
  const { root } = document;
  const alternatives = branches(root, flatten(root, schema)).filter((one) => typesOf(one)[0] !== 'null');
  const flat = alternatives[numberFrom(`${seed}?`) % Math.max(1, alternatives.length)] ?? {};
  if (flat.oneOf !== undefined || flat.anyOf !== undefined)
    return depth > MAX_DEPTH ? {} : drawValue(document, flat, seed, depth + 1);
  if ('const' in flat) return flat.const;
  const choices = asArray(flat.enum).filter((choice) => choice !== null);
  if (choices.length > 0) return choices[numberFrom(seed) % choices.length];
  for (const given of fresh ? [] : [flat.example, ...asArray(flat.examples), flat.default]) {
    if (given !== undefined && given !== null && judgeOf(document, schema, 'response')(given).length === 0)
      return given;
  }
  const types = typesOf(flat);
  switch (types[0]) {
    case 'string':
      return stringOf(flat, seed);
    case 'integer':
    case 'number':
      return numberOf(flat, seed, { whole: types[0] === 'integer' });
    case 'boolean':
      return numberFrom(seed) % 2 === 0;
    case 'array':
      return arrayOf(document, flat, seed, depth);
    case 'null':
      return null;
    default:
      return objectOf(document, flat, seed, depth);
  }
}

function objectOf(document: ServedDocument, flat: JsonObject, seed: string, depth: number): JsonObject {
  const required = new Set(asArray(flat.required).map(String));
  const properties = asObject(flat.properties);
  const described = Object.entries(properties).filter(
    ([name, schema]) =>
      flatten(document.root, schema).writeOnly !== true &&
      (depth < MAX_OPTIONAL_DEPTH || (required.has(name) && depth <= 2 * MAX_DEPTH)),
  );
  const others = [...required].filter((name) => !Object.hasOwn(properties, name));
  const rest = isObject(flat.additionalProperties) ? flat.additionalProperties : null;
  const fewest = Math.max(Number(flat.minProperties ?? 0), rest !== null && depth < MAX_OPTIONAL_DEPTH ? 1 : 0);
  for (let at = 1; described.length + others.length < fewest; at += 1) others.push(`entry_${at}`);
  const members = [...described, ...others.map((name) => [name, rest ?? true] as const)];
  return Object.fromEntries(
    members.map(([name, schema]) => [name, drawValue(document, schema, `${seed}.${name}`, depth + 1)]),
  );
}

function arrayOf(document: ServedDocument, flat: JsonObject, seed: string, depth: number): unknown[] {
  const fewest = Number(flat.minItems ?? 0);
  const most = Number(flat.maxItems ?? Number.POSITIVE_INFINITY);
  const count = Math.min(most, Math.max(fewest, depth >= MAX_DEPTH ? 0 : 2));
  const first = asArray(flat.prefixItems);
  const items: unknown[] = [];
  const seen = new Set<string>();
  for (let at = 0; items.length < count && at < count * 4 + 8; at++) {
    // The examples of a description are used up by the first item that may not come twice.
    const fresh = at > items.length;
    const item = drawValue(document, first[items.length] ?? flat.items ?? true, `${seed}[${at}]`, depth + 1, fresh);
    const text = JSON.stringify(item);
    if (flat.uniqueItems === true && seen.has(text)) continue;
    seen.add(text);
    items.push(item);
  }
  return items;
}

export function numberOf(flat: JsonObject, seed: string, { whole }: { readonly whole: boolean }): number {
  const step = Number(flat.multipleOf ?? (whole ? 1 : 0.01));
  let least = Math.max(
    Number(flat.minimum ?? Number.NEGATIVE_INFINITY),
    exclusiveBound(flat, 'minimum', 'exclusiveMinimum', step),
  );
  let most = Math.min(
    Number(flat.maximum ?? Number.POSITIVE_INFINITY),
    exclusiveBound(flat, 'maximum', 'exclusiveMaximum', -step),
  );
  if (least === Number.NEGATIVE_INFINITY)
    least = most === Number.POSITIVE_INFINITY ? 1 : Math.min(1, most - 100 * step);
  if (most === Number.POSITIVE_INFINITY) most = least + 999 * step;
  const lowest = Math.ceil(least / step - 1e-9);
  const highest = Math.floor(most / step + 1e-9);
  if (highest < lowest) return least;
  const span = Math.min(highest - lowest, 1_000_000) + 1;
  for (let at = 0; at < 100; at++) {
    const drawn = Number(((lowest + ((numberFrom(seed) + at) % span)) * step).toFixed(10));
    // 8138.97 / 0.01 is no whole number in floating point: some judges of multipleOf would refuse it.
    if (Number.isInteger(drawn / step)) return drawn;
  }
  return lowest * step;
}

/** OpenAPI 3.0 marks a bound as exclusive by a boolean beside it, 3.1 states it as a number of its own. */
function exclusiveBound(flat: JsonObject, bound: string, keyword: string, shift: number): number {
  const none = shift > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (typeof flat[keyword] === 'number') return Number(flat[keyword]) + shift;
  return flat[keyword] === true && typeof flat[bound] === 'number' ? flat[bound] + shift : none;
}

function stringOf(flat: JsonObject, seed: string): string {
  if (typeof flat.pattern === 'string') return matching(flat.pattern, flat, seed);
  const formatted = typeof flat.format === 'string' ? FORMATS[flat.format]?.(seed) : undefined;
  if (formatted !== undefined) return formatted;
  const fewest = Number(flat.minLength ?? 0);
  const most = Number(flat.maxLength ?? Number.POSITIVE_INFINITY);
  const named = /(^|[._\]])id$|[a-z]Id$/.test(seed);
  const text = named
    ? `id_${digest(seed).slice(0, 16)}`
    : `${word(seed)} ${word(`${seed}+`)} ${numberFrom(seed) % 1000}`;
  return text.padEnd(fewest, 'x').slice(0, most);
}

/** A text that the pattern and the lengths of the schema allow. */
export function matching(pattern: string, flat: JsonObject, seed: string): string {
  const [fewest, most] = [Number(flat.minLength ?? 0), Number(flat.maxLength ?? Number.POSITIVE_INFINITY)];
  let last = '';
  for (let at = 0; at < 50; at++) {
    last = sample(pattern, numberFrom(`${seed}~${at}`) | 0) ?? word(seed);
    if (last.length >= fewest && last.length <= most) return last;
  }
  return last;
}

const drawers = new Map<string, fc.Arbitrary<string> | null>();

function sample(pattern: string, seed: number): string | undefined {
  if (!drawers.has(pattern)) drawers.set(pattern, drawer(pattern));
  const texts = drawers.get(pattern);
  return texts == null ? undefined : fc.sample(texts, { seed, numRuns: 1 })[0];
}

function drawer(pattern: string): fc.Arbitrary<string> | null {
  try {
    const syntax = syntaxOf(pattern);
    // A pattern that is too large to be followed is too large to be drawn from.
    new Program(Number.POSITIVE_INFINITY).add(syntax);
    return fc.stringMatching(syntax.expression);
  } catch {
    // A pattern that cannot be followed gives no example.
    return null;
  }
}

function word(seed: string): string {
  return WORDS[numberFrom(seed) % WORDS.length] ?? 'amber';
}

function instant(seed: string): string {
  return new Date(Date.UTC(2025, 0, 1) + (numberFrom(seed) % 31_536_000) * 1000).toISOString();
}

const FORMATS: Readonly<Record<string, (seed: string) => string>> = {
  'date-time': instant,
  date: (seed) => instant(seed).slice(0, 10),
  time: (seed) => instant(seed).slice(11),
  duration: (seed) => `PT${1 + (numberFrom(seed) % 59)}M`,
  email: (seed) => `${word(seed)}.${numberFrom(seed) % 10_000}@example.com`,
  uuid: uuidFrom,
  uri: (seed) => `https://example.com/${word(seed)}/${numberFrom(seed) % 10_000}`,
  url: (seed) => `https://example.com/${word(seed)}/${numberFrom(seed) % 10_000}`,
  'uri-reference': (seed) => `/${word(seed)}/${numberFrom(seed) % 10_000}`,
  hostname: (seed) => `${word(seed)}-${numberFrom(seed) % 1000}.example.com`,
  ipv4: (seed) => `192.0.2.${1 + (numberFrom(seed) % 254)}`,
  ipv6: (seed) => `2001:db8::${(1 + (numberFrom(seed) % 65_000)).toString(16)}`,
  byte: (seed) => Buffer.from(digest(seed).slice(0, 12)).toString('base64'),
  regex: () => '^[a-z]+$',
  'json-pointer': (seed) => `/${word(seed)}`,
};
