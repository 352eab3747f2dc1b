// The secrets that are known, and what texts hold of them. Pure ECMAScript: k6's scripts run it too.
import {
  type Decoded,
  escapeAround,
  joined,
  joinedWithOrigins,
  MAX_LEVELS,
  originOf,
  unescapedBesideBackslashes,
  unescapedBesideBackslashesWithOrigins,
  unescapedOnce,
  unescapedWithOrigins,
} from './decoding.ts';
import { type Form, formsOf, shortFormsOf } from './forms.ts';
import { folded, MIN_RUN_CHARS, merged, type RunFinder, type Stretch } from './runs.ts';

export interface Secret {
  /** As shown in place of the value: "key std-1", "locked token". */
  readonly name: string;
  readonly value: string;
  /** Set for what was made of the secret of this name, and says how: "last 4 characters". */
  readonly altered?: string;
}

/**
 * Three questions about a text, each answered for every form of every secret: as it is, in other letters, cut, wrapped over
 * lines, with escapes of any depth, in base64 and in hex. Equal texts always have equal answers.
 */
export interface Redactor {
  /** Knows one more secret from now on: a refreshed token. Known values are left alone. */
  add(secret: Secret): void;
  /** The text without whole secrets and long parts of them, as checks judge it; the same string when it holds none. */
  redact(text: string): string;
  /**
   * The text without any eight characters in a row of a secret, as it may be shown; the same string when it holds none. What is too short
   * for the other two questions is hidden as a whole word, and shorter still as the whole text.
   */
  conceal(text: string): string;
  /** Names of the secrets that the text holds whole, or of whose JWT it holds payload or signature, each once. */
  found(text: string): readonly string[];
}

/** Shorter values are no credible secrets: replacing them would spoil what checks judge. They are hidden from what is shown alone. */
export const MIN_SECRET_CHARS = 6;
/** Shorter values may be any number or word: they are hidden where they are the whole text, as of a header. */
export const MIN_WORD_CHARS = 4;
/** Marker in place of secrets already. */
const MARKER = /\[(?:redacted|altered|part of) [^\]]*\]/;
/** Shorter secrets are looked for as a whole only: their parts are ordinary words. */
const MIN_CHARS_IN_PARTS = 16;
/**
 * Parts of this length are hidden from checks, too; shorter ones stay: a name of a store that has eight letters in
 * common with a key is no key.
 */
const MIN_LONG_PART_CHARS = 16;
/**
 * Where secrets consist of these characters alone, only texts with escapes of these can hold one that does not show. Each
 * alternative begins with what is rare: then it costs next to nothing.
 */
const ORDINARY = /^[\w+/=.~-]*$/;
const ESCAPES = {
  ordinary:
    /\\+(?:u00[0-7][0-9a-f]|x[0-7][0-9a-f]|\/|[nrt][ \t]*[\w+/=.~-]{1,7}\\+[nrt])|%(?:25)*[0-7][0-9a-f]|&(?:#|[a-z]{2,6};)/i,
  any: /[\\%&]/,
} as const;
/**
 * Where a secret was wrapped over lines, a line of eight characters shows by itself: only lines of fewer hide it. Other
 * characters that do not show stand between the letters of UTF-16, for example.
 */
const APART = {
  ordinary: /[\r\n][ \t]*[\w+/=.~-]{1,7}[\r\n]|[\0\u00ad\u200b-\u200d\ufeff]/,
  any: /[\r\n][ \t]*\S{1,7}[\r\n]|[\0\u00ad\u200b-\u200d\ufeff]/,
} as const;

/** Texts of which is remembered what is shown of them: their characters at most, and their number. */
const [MAX_REMEMBERED_CHARS, MAX_REMEMBERED] = [64, 4096];

/** Marker in place of a secret. Safe inside a JSON string. */
export function markerOf(name: string, part = ''): string {
  return `[redacted ${inMarker(name)}${part}]`;
}

/** "key std-1", or "altered key std-1: last 4 characters". */
export function nameOf({ name, altered }: Secret): string {
  return altered === undefined ? name : `altered ${name}: ${altered}`;
}

function inMarker(text: string): string {
  return text.replace(/["\\\]]|\p{Cc}/gu, '');
}

function markerFor(secret: Secret, part: string): string {
  if (secret.altered === undefined) return markerOf(secret.name, part);
  return `[${inMarker(nameOf(secret))}${part === '' ? '' : `,${part}`}]`;
}

function partMarkerOf(name: string): string {
  return `[part of ${inMarker(name)}]`;
}

/** Characters of which secrets consist. */
export type Letters = keyof typeof ESCAPES;

export function lettersOf(secret: string): Letters {
  return ORDINARY.test(secret) ? 'ordinary' : 'any';
}

/** Tells whether the secret is looked for in parts, not only as a whole. */
export function isInParts(secret: string): boolean {
  return secret.length >= MIN_CHARS_IN_PARTS;
}

/** Tells whether the text holds a run, under escapes or over lines too. That is all that most texts are asked. */
export function holds(text: string, finder: Pick<RunFinder, 'holds'>, letters: Letters): boolean {
  if (finder.holds(text)) return true;
  let plain = text;
  for (let level = 0; ; level += 1) {
    if (APART[letters].test(plain) && finder.holds(joined(plain))) return true;
    if (level === MAX_LEVELS || !ESCAPES[letters].test(plain)) return false;
    if (hasBothEscapes(plain, letters) && finder.holds(unescapedBesideBackslashes(plain))) return true;
    plain = unescapedOnce(plain);
    if (finder.holds(plain)) return true;
  }
}

/** Tells whether one kind of escape may hide letters of a secret that the other shows; secrets of ordinary letters hold no backslash. */
function hasBothEscapes(text: string, letters: Letters): boolean {
  return letters === 'any' && text.includes('\\') && /[%&]/.test(text);
}

interface KnownForm extends Form {
  readonly secret: Secret;
}

/** A stretch of a text that gives a secret away. */
interface Disclosure {
  readonly start: number;
  readonly end: number;
  /** As it was found under escapes, folded. */
  readonly run: string;
  /** The longest secret or segment that it holds whole; null: a part. */
  readonly whole: KnownForm | null;
}

export class KnownSecrets implements Redactor {
  readonly #finder: RunFinder;
  readonly #formsOf: (secret: string) => readonly Form[];
  readonly #values = new Set<string>();
  /** In the order in which they became known, so that a part that two have in common always bears the same name. */
  readonly #forms: KnownForm[] = [];
  /** Null: to be put into order when they are looked for. */
  #longestFirst: readonly KnownForm[] | null = null;
  readonly #markers = new Set<string>();
  /** Secrets that are looked for as a whole only: their forms and markers, and one expression over all forms. */
  readonly #short = new Map<string, { readonly name: string; readonly marker: string }>();
  #shortOnce = /(?!)/;
  #shortAll = /(?!)/g;
  /** Markers of the secrets that are too short for anything but a whole word, and an expression over those that may be one. */
  readonly #words = new Map<string, string>();
  #wordOrMarker = /(?!)/g;
  #letters: Letters = 'ordinary';
  /** Short texts that hold no secret: names and values of headers come again and again. */
  readonly #clean = new Set<string>();

  /** `forms`: by which texts a secret is known. */
  constructor(finder: RunFinder, forms: (secret: string) => readonly Form[] = formsOf) {
    this.#finder = finder;
    this.#formsOf = forms;
  }

  add(secret: Secret): void {
    const { name, value } = secret;
    if (value === '' || this.#values.has(value)) return;
    this.#values.add(value);
    if (value.length < MIN_SECRET_CHARS) {
      this.#addWord(secret);
      return;
    }
    this.#clean.clear();
    if (!isInParts(value)) {
      this.#addShort(secret);
      return;
    }
    if (lettersOf(value) === 'any') this.#letters = 'any';
    for (const { text, part } of this.#formsOf(value)) {
      this.#finder.add(text);
      this.#forms.push({ text: folded(text), part, secret });
      this.#markers.add(markerFor(secret, part));
    }
    this.#markers.add(partMarkerOf(name));
    this.#longestFirst = null;
  }

  redact(text: string): string {
    if (text.length > MAX_REMEMBERED_CHARS) return this.#without(text, MIN_LONG_PART_CHARS);
    if (this.#clean.has(text)) return text;
    const clean = this.#without(text, MIN_LONG_PART_CHARS);
    if (clean !== text) return clean;
    if (this.#clean.size >= MAX_REMEMBERED) this.#clean.clear();
    this.#clean.add(text);
    return text;
  }

  conceal(text: string): string {
    const rest = this.#without(text, 0);
    if (this.#words.size === 0) return rest;
    return this.#words.get(rest.trim()) ?? rest.replace(this.#wordOrMarker, (found) => this.#words.get(found) ?? found);
  }

  found(text: string): readonly string[] {
    const names = new Set<string>();
    for (const [form] of text.matchAll(this.#shortAll)) names.add(this.#short.get(form)?.name ?? '');
    for (const { whole } of holds(text, this.#finder, this.#letters) ? this.#disclosuresIn(text) : []) {
      if (whole !== null) names.add(nameOf(whole.secret));
    }
    return [...names];
  }

  #addWord(secret: Secret): void {
    this.#words.set(secret.value, markerFor(secret, ''));
    const words = [...this.#words.keys()].filter(({ length }) => length >= MIN_WORD_CHARS).map(escaped);
    const word = words.length === 0 ? '(?!)' : words.join('|');
    this.#wordOrMarker = new RegExp(`${MARKER.source}|(?<!\\w)(?:${word})(?!\\w)`, 'g');
  }

  #addShort(secret: Secret): void {
    for (const { text, part } of shortFormsOf(secret.value)) {
      if (!this.#short.has(text)) this.#short.set(text, { name: nameOf(secret), marker: markerFor(secret, part) });
    }
    const sorted = [...this.#short.keys()].sort((one, other) => other.length - one.length);
    const pattern = sorted.map(escaped).join('|');
    this.#shortOnce = new RegExp(pattern);
    this.#shortAll = new RegExp(pattern, 'g');
  }

  #without(text: string, longPart: number): string {
    const rest = holds(text, this.#finder, this.#letters) ? this.#masked(text, longPart) : text;
    if (this.#short.size === 0 || !this.#shortOnce.test(rest)) return rest;
    return rest.replace(this.#shortAll, (form) => this.#short.get(form)?.marker ?? form);
  }

  #masked(text: string, longPart: number): string {
    const found = this.#disclosuresIn(text).filter(({ whole, run }) => whole !== null || run.length >= longPart);
    let [masked, at, next] = ['', 0, 0];
    for (const [start, end] of merged(found.map((one) => [one.start, one.end]))) {
      const here: Disclosure[] = [];
      for (; next < found.length && (found[next] as Disclosure).start < end; next += 1)
        here.push(found[next] as Disclosure);
      masked += text.slice(at, start) + this.#markerOf(here);
      at = end;
    }
    return masked + text.slice(at);
  }

  #markerOf(found: readonly Disclosure[]): string {
    const [longest] = found
      .flatMap(({ whole }) => whole ?? [])
      .sort((one, other) => other.secret.value.length - one.secret.value.length || other.text.length - one.text.length);
    if (longest !== undefined) return markerFor(longest.secret, longest.part);
    const begin = found[0]?.run.slice(0, MIN_RUN_CHARS) ?? '';
    return partMarkerOf(this.#forms.find(({ text }) => text.includes(begin))?.secret.name ?? '');
  }

  /** In every reading of the text, in order: as it is, and with escapes undone level by level, each also without line breaks. */
  #disclosuresIn(text: string): readonly Disclosure[] {
    const found: Disclosure[] = [];
    let way: readonly Decoded[] = [];
    let plain = text;
    for (let level = 0; ; level += 1) {
      this.#note(plain, way, found);
      const apart = joinedWithOrigins(plain);
      this.#note(apart.text, [apart, ...way], found);
      if (level === MAX_LEVELS) break;
      if (hasBothEscapes(plain, this.#letters)) {
        const beside = unescapedBesideBackslashesWithOrigins(plain);
        this.#note(beside.text, [beside, ...way], found);
      }
      const less = unescapedWithOrigins(plain);
      if (less.text === plain) break;
      way = [less, ...way];
      plain = less.text;
    }
    const whole = this.#outsideMarkers(text, wholeEscapes(text, found));
    return [...whole].sort((one, other) => one.start - other.start);
  }

  /** Notes what a reading holds; `way` leads back to the text. */
  #note(reading: string, way: readonly Decoded[], found: Disclosure[]): void {
    for (const stretch of this.#finder.runsIn(reading)) {
      const run = folded(reading.slice(...stretch));
      this.#longestFirst ??= [...this.#forms].sort((one, other) => other.text.length - one.text.length);
      const whole = this.#longestFirst.find(({ text }) => run.includes(text)) ?? null;
      const [start, end] = way.reduce(([from, to], step) => originOf(step, from, to), stretch);
      found.push({ start, end, run, whole });
    }
  }

  /** A marker names a key. Where that name is part of the key, too, the marker is no disclosure. */
  #outsideMarkers(text: string, found: readonly Disclosure[]): readonly Disclosure[] {
    const markers: Stretch[] = [];
    for (const marker of text.includes('[') ? this.#markers : []) {
      for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, at + 1))
        markers.push([at, at + marker.length]);
    }
    return found.filter(({ start, end }) => !markers.some(([from, to]) => start >= from && end <= to));
  }
}

function escaped(form: string): string {
  return form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** The disclosures, widened where they begin or end within an escape: half an escape would make the text invalid. */
function wholeEscapes(text: string, found: readonly Disclosure[]): readonly Disclosure[] {
  if (found.length === 0) return found;
  const escapes = unescapedWithOrigins(text).replaced;
  return found.map((one) => ({
    ...one,
    start: escapeAround(escapes, one.start)?.start ?? one.start,
    end: escapeAround(escapes, one.end)?.end ?? one.end,
  }));
}
