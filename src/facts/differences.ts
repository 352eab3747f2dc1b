// Compares two readings of one resource member by member, so that a judge can say which members differ.
import { epochOfIso8601 } from '../exchange/iso-8601.ts';
import { appended, isObject, type JsonObject, membersOf, tokensOf, valueAt } from '../openapi/json.ts';

/** One member that differs between two readings. */
export interface Difference {
  /** JSON pointer into the resource. */
  readonly pointer: string;
  /** The member's own name. */
  readonly name: string;
  /** undefined: the member is absent. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Deeper levels are not compared: a hostile answer may nest without end. */
const MAX_LEVELS = 8;
const MAX_DIFFERENCES = 200;

/** Members that differ, outermost objects first. Arrays are compared as a whole, whatever the order of their items. */
export function differencesOf(before: JsonObject, after: JsonObject): readonly Difference[] {
  const found: Difference[] = [];
  for (const difference of differing(before, after, '', 0)) {
    found.push(difference);
    if (found.length >= MAX_DIFFERENCES) break;
  }
  return found;
}

function* differing(left: JsonObject, right: JsonObject, pointer: string, level: number): Generator<Difference> {
  const names = new Set([...membersOf(left), ...membersOf(right)].map(([name]) => name));
  for (const name of names) {
    const [one, other] = [left[name], right[name]];
    const at = appended(pointer, name);
    if (isObject(one) && isObject(other)) {
      if (level < MAX_LEVELS) yield* differing(one, other, at, level + 1);
    } else if (textOf(one) !== textOf(other)) yield { pointer: at, name, before: one, after: other };
  }
}

/** Top-level members that differ between two readings, times included. */
export function restlessMembers(one: JsonObject | null, other: JsonObject | null): readonly string[] {
  if (one === null || other === null) return [];
  return [...new Set(differencesOf(one, other).flatMap(({ pointer }) => tokensOf(pointer).slice(0, 1)))];
}

/** The value at the pointer; undefined where there is no resource or no such member. */
export function memberAt(resource: JsonObject | null, pointer: string): unknown {
  return resource === null ? undefined : valueAt(resource, pointer);
}

/** Equal for values that differ only in the order of members and of the items of arrays. */
export function textOf(value: unknown, level = 0): string {
  if (level > MAX_LEVELS) return '';
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, level + 1)).sort()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'absent';
  const members = membersOf(value).map(([name, member]) => `${JSON.stringify(name)}:${textOf(member, level + 1)}`);
  return `{${members.sort()}}`;
}

const TIMES = /(^|_)(at|on|time|times|date|dates|timestamp|now|since|until|age|uptime|ttl|expiry|expires|expiration)$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** Smaller numbers are no times: a clock may stand at its beginning. s. */
const LEAST_EPOCH_S = 1e9;
/** A number is a time where it is no farther from its reading, as seconds or milliseconds since 1970. ms. */
const MAX_FROM_READING_MS = 365 * 86_400_000;

/**
 * Tells whether the member tells a time, by its name or by both of its values. `readAtMs`: when the later value was read; absent: no number is a
 * time by itself.
 */
export function isTime({ name, before, after }: Difference, readAtMs?: number): boolean {
  const isNow = (ms: number): boolean => Math.abs(ms - (readAtMs ?? Number.NaN)) <= MAX_FROM_READING_MS;
  const isPoint = (value: unknown): boolean =>
    typeof value === 'number'
      ? value >= LEAST_EPOCH_S && (isNow(value * 1000) || isNow(value))
      : ISO_TIME.test(String(value)) || epochOfIso8601(String(value)) !== null;
  return TIMES.test(snakeCase(name)) || [before, after].every(isPoint);
}

/** "lastSeenAt" → "last_seen_at". */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^a-zA-Z0-9]+/g, '_')
    .toLowerCase();
}

/** Its letters and digits, small: what is left of a text in a slug, a code, or a name that is written another way. */
export function lettersIn(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
