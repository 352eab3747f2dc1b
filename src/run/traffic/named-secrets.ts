// Secrets that the configuration does not know, found by the name of the place where they stand: headers, cookies, query
// parameters, members of bodies. Their values are masked there, and are searched for in whatever is written.
import type { HeaderList } from '../../exchange/exchange.ts';
import { markerOf } from '../../exchange/secrets/known-secrets.ts';

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

/** So many names are remembered, for they come again and again. */
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

/** Of a Set-Cookie header the attributes are masked, too: they need not be told. */
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
    return text;
  }
}
