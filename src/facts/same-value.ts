// Compares a value that was sent with the value that is read. What a server may normalise is the same value.
import { isObject, membersOf } from '../openapi/json.ts';
import { lettersIn } from './differences.ts';
import { isSecret, isServersOwn } from './members.ts';

/** unsure: the forms differ so much that nothing can be said, as where a reference is shown as an object. */
export type Sameness = 'same' | 'unsure' | 'other';

const MAX_LEVELS = 6;
/** Servers keep times to the second. ms. */
const TIME_STEP_MS = 1_000;
const MASKED = /[*•●]{2,}|x{4,}|\bredacted\b|…|\.\.\./i;
/** An amount of money has two places. */
const MAX_ROUNDING = 0.0050001;
/** Digits that single precision keeps. */
const MIN_SAME_DIGITS = 7;
/** As a share of the number: double precision, and what arithmetic loses of it. */
const MAX_SHARE_APART = 1e-9;
/** A smaller difference is no further place: arithmetic makes it. */
const MIN_DIFFERENCE = 1e-6;

/** How the value that is read compares with the one that was sent. `undefined` is an absent member. */
export function sameness(sent: unknown, read: unknown, level = 0): Sameness {
  if (level > MAX_LEVELS) return 'unsure';
  if (isEmpty(sent)) return isEmpty(read) ? 'same' : 'unsure';
  // Some forms leave out what is zero or false. Source: Protocol Buffers, JSON mapping.
  if (read === undefined && (sent === false || sent === 0)) return 'unsure';
  if (isEmpty(read)) return 'other';
  if (Array.isArray(sent)) return samenessOfArrays(sent, read, level);
  if (isObject(sent)) return samenessOfObjects(sent, read, level);
  const within = Array.isArray(read)
    ? read
    : isObject(read)
      ? Object.values(read).filter((value) => !isObject(value))
      : null;
  if (within === null) return samenessOfScalars(sent, read);
  return within.some((value) => sameness(sent, value, level + 1) === 'same') ? 'same' : 'unsure';
}

/**
 * Tells whether the value holds nothing: null, a blank text, a list or an object without content. `undefined` is an
 * absent member.
 */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && membersOf(value).every(([, member]) => isEmpty(member));
}

/** As sets: each item that was sent is among those that are read. */
function samenessOfArrays(sent: readonly unknown[], read: unknown, level: number): Sameness {
  if (!Array.isArray(read)) return 'unsure';
  const found = sent
    .filter((item) => !isEmpty(item))
    .map((item) => read.map((other) => sameness(item, other, level + 1)));
  if (found.every((all) => all.includes('same'))) return 'same';
  return found.every((all) => all.includes('same') || all.includes('unsure')) ? 'unsure' : 'other';
}

/** Members that are read beside those that were sent are the server's own. */
function samenessOfObjects(sent: object, read: unknown, level: number): Sameness {
  if (typeof read === 'string') return sameText(JSON.stringify(sent), read) ? 'same' : 'unsure';
  if (!isObject(read)) return 'unsure';
  const all = comparedMembers(sent)
    .filter(([name, value]) => name in read || !isEmpty(value))
    .map(([name, value]) => samenessOfMember(value, read, name, level));
  if (all.includes('other')) return 'other';
  return all.includes('unsure') ? 'unsure' : 'same';
}

/** Members that a server neither sets by itself nor hides. */
function comparedMembers(sent: object): readonly (readonly [string, unknown])[] {
  return membersOf(sent).filter(([name]) => !isServersOwn(name) && !isSecret(name));
}

/** A member that is not shown at all may be one that cannot be read. */
function samenessOfMember(sent: unknown, read: Record<string, unknown>, name: string, level: number): Sameness {
  return name in read ? sameness(sent, read[name], level + 1) : 'unsure';
}

function samenessOfScalars(sent: unknown, read: unknown): Sameness {
  if (sent === read || sameText(String(sent), String(read))) return 'same';
  if (MASKED.test(String(read))) return 'unsure';
  const [one, other] = [numberIn(sent), numberIn(read)];
  if (one !== null && other !== null && isNear(one, other)) return 'same';
  if (typeof sent === 'boolean') return sent === flagIn(read) ? 'same' : 'other';
  return isSameTime(sent, read) ? 'same' : 'other';
}

/** The number, or the one that a text is; null for neither. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : null;
}

/** Equal, equal in single precision, or rounded to two places: 12.345 may be read as 12.35, and neither 12.5 as 13 nor 999999.75 as 999999. */
function isNear(sent: number, read: number): boolean {
  const apart = Math.abs(sent - read);
  if (apart <= Math.abs(sent) * MAX_SHARE_APART || Math.fround(sent) === Math.fround(read)) return true;
  if (Number(sent.toPrecision(MIN_SAME_DIGITS)) === Number(read.toPrecision(MIN_SAME_DIGITS))) return true;
  const hasMorePlaces = Math.abs(sent * 100 - Math.round(sent * 100)) > MIN_DIFFERENCE;
  return hasMorePlaces && apart <= MAX_ROUNDING;
}

function flagIn(value: unknown): boolean | null {
  if (/^(true|1|yes|on)$/i.test(String(value))) return true;
  return /^(false|0|no|off)$/i.test(String(value)) ? false : null;
}

/** Texts that differ in blanks, Unicode form, escapes, or, where they are one word, in case and punctuation. */
function sameText(sent: string, read: string): boolean {
  const [one, other] = [plain(sent), plain(read)];
  if (one === other) return true;
  if (one.replaceAll(/<[^>]*>/g, '').trim() === other) return true;
  if (isPhone(one) && isPhone(other) && digits(one) === digits(other)) return true;
  if (/\s/.test(one)) return false;
  if (one.toLowerCase() === other.toLowerCase()) return true;
  return letters(one) !== '' && letters(one) === letters(other);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&#x2F;': '/',
};

function plain(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27|#x2F);/g, (written) => ESCAPES[written] ?? written)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** "AB-12" and "ab12" are one code; a number is not one without its sign or its point. */
function letters(text: string): string {
  return numberIn(text) !== null || /^\d{4}-\d{2}-\d{2}/.test(text) ? '' : lettersIn(text);
}

function isPhone(text: string): boolean {
  return /^[+(]?[\d\s().-]{6,}$/.test(text);
}

function digits(text: string): string {
  return text.replaceAll(/\D/g, '');
}

const DATE = /^\d{4}-\d{2}-\d{2}/;

/** Tells whether both tell one time; where one of them tells the day alone, one day. */
function isSameTime(sent: unknown, read: unknown): boolean {
  if (!DATE.test(String(sent)) && !DATE.test(String(read))) return false;
  const [one, other] = [timeIn(sent), timeIn(read)];
  if (one === null || other === null) return false;
  if (Math.abs(one - other) < TIME_STEP_MS) return true;
  const isDay = [sent, read].some((value) =>
    /^\d{4}-\d{2}-\d{2}(T00:00:00(\.0+)?(Z|[+-]\d\d:?\d\d)?)?$/.test(String(value)),
  );
  return isDay && String(sent).slice(0, 10) === String(read).slice(0, 10);
}

/** Epoch ms; null for what tells no time. */
function timeIn(value: unknown): number | null {
  const number = numberIn(value);
  if (number !== null) return number > 1e11 ? number : number * 1000;
  const text = String(value).replace(' ', 'T');
  const isZoned = /(Z|[+-]\d\d:?\d\d)$/i.test(text) || text.length <= 10;
  const ms = Date.parse(isZoned ? text : `${text}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** A value that was sent, and what was and is read in its place. */
export interface InPlace {
  readonly sent: unknown;
  readonly was: unknown;
  readonly is: unknown;
}

/**
 * Path below the member to the first null or empty value that left the one before it as it was: [] for the member itself, null for none.
 * Another value yet may be a default. `merges`: an object without members changes nothing by right. Source: RFC 7396, 2.
 */
export function notClearedIn(
  one: InPlace,
  { merges }: { readonly merges: boolean },
  level = 0,
): readonly string[] | null {
  const { sent, was, is } = one;
  if (!isObject(sent) || membersOf(sent).length === 0)
    return isAsBefore(one) && !(merges && isObject(sent)) ? [] : null;
  if (!isObject(was) || !isObject(is) || level >= MAX_LEVELS) return null;
  for (const [name, value] of comparedMembers(sent)) {
    const within = { sent: value, was: was[name], is: is[name] };
    const path = mayBeDefault(within.is) ? null : notClearedIn(within, { merges }, level + 1);
    if (path !== null) return [name, ...path];
  }
  return null;
}

/** Tells whether a default may well be the value by chance: there are few of its kind. `listed`: whether its values are listed. */
export function mayBeDefault(value: unknown, listed = false): boolean {
  return listed || typeof value === 'boolean' || typeof value === 'number';
}

function isAsBefore({ sent, was, is }: InPlace): boolean {
  return sent !== undefined && isEmpty(sent) && !isEmpty(was) && sameness(was, is) === 'same';
}
