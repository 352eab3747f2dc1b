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
const MEMBER = /"((?:[^"\\]|\\.){1,64})"(\s*:\s*)"((?:[^"\\]|\\.){1,8192})"/g;
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

/** A body with the values of secret members masked: JSON, or a form. The same string where it holds none. */
export function maskBody(text: string, contentType: string, tell: Tell): string {
  if (!MAY_HOLD.test(text)) return text;
  if (/x-www-form-urlencoded/i.test(contentType)) return maskQuery(text, tell);
  return text.replace(MEMBER, (whole, name: string, between: string, value: string) =>
    isSecretName(name) ? `"${name}"${between}"${masked(name, value, tell)}"` : whole,
  );
}

/** Tells the secret members of a body that stays as it is, because it is judged. */
export function tellSecrets(text: string, tell: Tell): void {
  if (!MAY_HOLD.test(text)) return;
  for (const [, name = '', , value = ''] of text.matchAll(MEMBER)) if (isSecretName(name)) tell(name, value);
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
