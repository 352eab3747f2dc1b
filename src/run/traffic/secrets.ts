// Secrets that the configuration does not know: found in foreign traffic by the name of the place where they stand (headers,
// cookies, query parameters, members of bodies), masked there, and searched for in whatever is written.
import { uriEncoded } from '../../exchange/decoded.ts';
import type { HeaderList } from '../../exchange/exchange.ts';
import { markerOf, type Redactor } from '../../exchange/secrets/known-secrets.ts';

const SECRET_NAME =
  /token|secret|passw|passphrase|pwd|api[-_]?key|^key$|access[-_]?key|auth(?!or)|signature|^sig$|session|^s?sid$|jwt|credential|^otp$|cookie/i;
/** A text without any of these holds no member of such a name. */
const MAY_HOLD =
  /token|secret|passw|passphrase|pwd|api[-_]?key|access[-_]?key|auth|signature|session|jwt|credential|otp/i;
/** Longer names are not remembered. Characters. */
const LONGEST_REMEMBERED = 64;
/** Stands before a value: a member of JSON, however deep it is quoted, an argument of GraphQL, an element of XML, or the part of a form. */
const NAMED =
  /(?<quote>\\{0,15}")(?<member>(?:[^"\\]|\\[^"]){1,64})\k<quote>\s*:\s*|\b(?<argument>[A-Za-z]\w{1,63})\s*:\s*(?=\\{0,15}")|<(?<element>[\w:.-]{1,64})(?:\s[^<>]{0,256})?>|\bcontent-disposition:[^\r\n]{0,256}?[;\s]name="(?<part>[^"\r\n]{1,64})"(?:\r?\n[^\r\n]{1,256}){0,8}\r?\n\r?\n/gi;
/** A text in quotes, and one in quotes that are escaped as they begin. */
const TEXT = String.raw`"((?:[^"\\]|\\.){1,8192})"|(\\{1,15})"([^"\\]{1,8192})\2"`;
const TEXTS = new RegExp(TEXT, 'dg');
const VALUES = new RegExp(String.raw`:\s*(?:${TEXT})`, 'dg');
const ONE_TEXT = new RegExp(TEXT, 'y');
const LIST = /\[\s*(?:"(?:[^"\\]|\\.){1,8192}"\s*(?:,\s*)?)*\]/y;
const OBJECT = /\{[^{}]{0,8192}\}/y;
const NUMBER = /\d{4,32}/y;
/** Text to the next mark of XML, or to the boundary of a form. */
const PLAIN = /[^<>]{1,8192}?(?=<\/|\r?\n--)/y;
/** Told each secret and what it is called. */
export type Tell = (name: string, value: string) => void;

/** Maximum number of names that are remembered, for they come again and again. */
const MOST_REMEMBERED = 4096;
const remembered = new Map<string, boolean>();

export function isSecretName(name: string): boolean {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const isSecret = SECRET_NAME.test(name);
  if (name.length <= LONGEST_REMEMBERED) remembered.set(name, isSecret);
  return isSecret;
}

/** Headers with the values of secret ones masked, Authorization aside; cookies keep their names. */
export function maskHeaders(list: HeaderList, tell: Tell): HeaderList {
  return list.map((entry) => {
    const [name, value] = entry;
    if (!isSecretName(name) || /^authorization$/i.test(name)) return entry;
    return [name, /^(set-)?cookie$/i.test(name) ? maskCookies(value, tell) : masked(name, value, tell)] as const;
  });
}

/** Masks a Set-Cookie header, its attributes, too: they need not be told. */
function maskCookies(text: string, tell: Tell): string {
  const pairs = text.split(';').map((pair) => {
    const at = pair.indexOf('=');
    return at === -1
      ? pair
      : `${pair.slice(0, at)}=${masked(`cookie ${pair.slice(0, at).trim()}`, pair.slice(at + 1), tell)}`;
  });
  return pairs.join(';');
}

/** A query string, or a form, with the values of secret parameters masked. */
export function maskQuery(query: string, tell: Tell): string {
  if (!query.includes('=')) return query;
  const pairs = query.split('&').map((pair) => {
    const at = pair.indexOf('=');
    const name = decoded(pair.slice(0, Math.max(0, at)));
    if (at === -1 || !(isSecretName(name) || name === 'code')) return pair;
    tell(name, decoded(pair.slice(at + 1)));
    return `${pair.slice(0, at)}=${masked(name, pair.slice(at + 1), tell)}`;
  });
  return pairs.join('&');
}

/** A body with the values of secret members masked: JSON, a form, GraphQL or XML. The same string where it holds none. */
export function maskBody(text: string, contentType: string, tell: Tell): string {
  if (!MAY_HOLD.test(text)) return text;
  if (/x-www-form-urlencoded/i.test(contentType)) return maskQuery(text, tell);
  let [rest, end] = ['', 0];
  for (const { name, value, at, isBare } of secretsIn(text)) {
    rest += text.slice(end, at) + (isBare ? JSON.stringify(masked(name, value, tell)) : masked(name, value, tell));
    end = at + value.length;
  }
  return rest + text.slice(end);
}

/** Tells the secret members of a body that stays as it is, because it is judged. */
export function tellSecrets(text: string, tell: Tell): void {
  if (!MAY_HOLD.test(text)) return;
  for (const { name, value } of secretsIn(text)) tell(name, value);
}

/** A value that stands at `at` in a text, under a name that tells of a secret; `isBare`: a number. */
interface NamedValue {
  readonly name: string;
  readonly value: string;
  readonly at: number;
  readonly isBare?: boolean;
}

/** The values in the order in which they stand, none within another. */
function* secretsIn(text: string): Generator<NamedValue> {
  let end = 0;
  for (const found of text.matchAll(NAMED)) {
    const { member, argument, element, part } = found.groups ?? {};
    const name = member ?? argument ?? element ?? part ?? '';
    if (found.index < end || !isSecretName(name)) continue;
    const from = found.index + found[0].length;
    const isPlain = element !== undefined || part !== undefined;
    for (const value of isPlain ? plainAt(text, from, name) : valuesAt(text, from, name)) {
      end = value.at + value.value.length;
      yield value;
    }
  }
}

function plainAt(text: string, from: number, name: string): readonly NamedValue[] {
  const value = standsAt(PLAIN, text, from);
  return value === null ? [] : [{ name, value, at: from }];
}

/** A text, or those of a list; a number, or all texts of an object, where the name leaves no doubt. */
function valuesAt(text: string, from: number, name: string): readonly NamedValue[] {
  const isSure = NAMES_A_WORD.test(name) || /otp/i.test(name);
  const object = isSure ? standsAt(OBJECT, text, from) : null;
  const whole = object ?? standsAt(LIST, text, from) ?? standsAt(ONE_TEXT, text, from);
  const number = isSure && whole === null ? standsAt(NUMBER, text, from) : null;
  if (number !== null) return [{ name, value: number, at: from, isBare: true }];
  return [...(whole ?? '').matchAll(object === null ? TEXTS : VALUES)].map((found) => {
    const [start = 0, end = 0] = found.indices?.[1] ?? found.indices?.[3] ?? [];
    return { name, value: found[0].slice(start - found.index, end - found.index), at: from + start };
  });
}

function standsAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function masked(name: string, value: string, tell: Tell): string {
  if (value === '') return value;
  tell(name, value);
  return markerOf(name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A "%" that begins no escape stands for itself.
    return text;
  }
}

// Secrets of foreign traffic, kept until the report is written, and taken out of it then. Answers are judged as they came: what a
// recording shows as a secret may be an ordinary value of an answer, and masking that would break what is judged.

/** More are not kept. */
const MOST_KEPT = 2000;
/** Maximum number that are looked for in every form, base64 and parts included: tokens, then what a text of the report holds. */
const MOST_SOUGHT = 256;
/** Tokens that are looked for whether or not they show. */
const MOST_TOKENS = 64;
/** Shorter values are no credible secrets anywhere but in their place. */
const SHORTEST = 8;
/** A value of letters, digits aside, is a word; of these only long ones are secrets, and only where their name says so. */
const WORD = /^[A-Za-z]+(?:[-_. /][A-Za-z]+)*$/;
const LONGEST_WORD = 15;
const NAMES_A_WORD = /passw|passphrase|pwd|secret/i;

const SHAPES = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\b(Bearer|Basic) +(?!\[)[\w.~+/-]{12,}=*/gi;

export class ForeignSecrets {
  readonly #tokens = new Map<string, string>();
  readonly #values = new Map<string, string>();

  /** A value that stands where its name tells of a secret. */
  readonly tell = (name: string, value: string): void => {
    if (this.#values.size < MOST_KEPT && isSearchable(name, value)) this.#values.set(value, name);
  };

  /** Remembers a value that was sent as a token. */
  readonly tellToken = (name: string, value: string): void => {
    if (value.length >= 2 * SHORTEST && this.#tokens.size < MOST_TOKENS) this.#tokens.set(value, name);
    else this.tell(name, value);
  };

  /** A redactor that takes them out of the texts of `told`, with what `redactor` knows, and whatever has the shape of a token. */
  sealing(redactor: Redactor, told: unknown): Pick<Redactor, 'conceal'> {
    for (const [value, name] of this.#tokens) redactor.add({ name, value });
    let room = MOST_SOUGHT;
    for (const [value, name] of this.#shownIn(JSON.stringify(told))) {
      if (room === 0) break;
      room -= 1;
      redactor.add({ name, value });
    }
    return { conceal: (text) => withoutShapes(redactor.conceal(text)) };
  }

  /** The values of which the text holds some characters in a row. */
  #shownIn(text: string): ReadonlyMap<string, string> {
    const parts = new Map<string, string>();
    for (const value of this.#values.keys())
      for (const form of [value, uriEncoded(value), JSON.stringify(value).slice(1, -1)])
        for (let at = 0; at + SHORTEST <= form.length; at += 1) parts.set(form.slice(at, at + SHORTEST), value);
    const shown = new Map<string, string>();
    for (let at = 0; parts.size > 0 && at + SHORTEST <= text.length; at += 1) {
      const value = parts.get(text.slice(at, at + SHORTEST));
      if (value !== undefined) shown.set(value, this.#values.get(value) ?? '');
    }
    return shown;
  }
}

function isSearchable(name: string, value: string): boolean {
  if (value.length < SHORTEST) return false;
  return !WORD.test(value) || (value.length > LONGEST_WORD && NAMES_A_WORD.test(name));
}

function withoutShapes(text: string): string {
  return text.replace(SHAPES, (_whole, scheme: string | undefined) =>
    scheme === undefined ? '[redacted token]' : `${scheme} [redacted token]`,
  );
}
