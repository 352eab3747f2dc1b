// The texts by which a secret shows, as it is and encoded. Pure ECMAScript: k6's scripts run it too.
import { uriEncoded } from '../decoded.ts';
import { joined, plainText } from './decoding.ts';

/** One text that gives a secret away. */
export interface Form {
  readonly text: string;
  /** Part of the secret, as markers say it: "", " payload", " in base64". */
  readonly part: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Segments of a JWT count as a secret of their own from this length on. */
const MIN_SEGMENT_CHARS = 16;
const [IN_BASE64, IN_HEX] = [' in base64', ' in hex'];

/**
 * Every form of the secret, each text once: as it is, without escapes of its own, as UTF-8 that is read as Latin-1, in
 * base64 and in hex of any spelling, and in base64 of base64. The case of ASCII letters makes no difference, but for what
 * was encoded in another case.
 */
export function formsOf(secret: string): readonly Form[] {
  const cases = [secret, secret.toLowerCase(), secret.toUpperCase()];
  // Read as Latin-1, letters beyond ASCII hold soft hyphens and spaces, which are gone where a text is joined.
  const asLatin1 = cases.map(utf8);
  const plain = [...cases, plainText(secret), ...asLatin1, ...asLatin1.map(joined)];
  const variants = [...variantsOf(secret)].map(utf8);
  return once([
    ...plain.map((text) => ({ text, part: '' })),
    ...encodingsOf(variants, ''),
    ...base64At(utf8(secret))
      .flatMap(base64At)
      .map((text) => ({ text, part: IN_BASE64 })),
    ...segmentsOf(secret).flatMap(([text, part]) => [{ text, part }, ...encodingsOf([text], part)]),
  ]);
}

function encodingsOf(bytes: readonly string[], part: string): readonly Form[] {
  return [
    ...bytes.flatMap(base64At).map((text) => ({ text, part: part + IN_BASE64 })),
    ...bytes.map((text) => ({ text: hexOf(text), part: part + IN_HEX })),
  ];
}

function once(forms: readonly Form[]): readonly Form[] {
  const parts = new Map<string, string>();
  for (const { text, part } of forms) if (text !== '' && !parts.has(text)) parts.set(text, part);
  return [...parts].map(([text, part]) => ({ text, part }));
}

/** The forms of a secret that is looked for as a whole, not folded: as it is, percent-encoded, in JSON, and in base64. */
export function shortFormsOf(secret: string): readonly Form[] {
  const percent = uriEncoded(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const lower = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const encoded = base64At(utf8(secret)).filter((letters) => letters.length >= MIN_SEGMENT_CHARS);
  return [
    ...[secret, percent, lower, json, json.split('/').join('\\/')].map((text) => ({ text, part: '' })),
    ...encoded.map((text) => ({ text, part: IN_BASE64 })),
  ];
}

/** Payload and signature of a JWT, which are secrets by themselves. */
function segmentsOf(secret: string): readonly (readonly [segment: string, part: string])[] {
  const [, payload = '', signature = '', ...more] = secret.split('.');
  const segments = [[payload, ' payload'] as const, [signature, ' signature'] as const];
  return more.length > 0 ? [] : segments.filter(([segment]) => segment.length >= MIN_SEGMENT_CHARS);
}

/** The spellings that are encoded otherwise: base64 of `a+b` and of `a%2Bb` have nothing in common. */
function variantsOf(text: string): ReadonlySet<string> {
  const json = JSON.stringify(text).slice(1, -1);
  const slashed = json.split('/').join('\\/');
  return new Set([text, text.toLowerCase(), text.toUpperCase(), json, slashed, uriEncoded(text)]);
}

/** The letters of base64 and base64url that the bytes decide alone, at each of the three places in a group. */
function base64At(bytes: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const letters = base64('\0'.repeat(offset) + bytes);
    const own = letters.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
    return [own, urlSafe(own)];
  });
}

/** Base64 of a text of code units below 256, without padding. */
function base64(bytes: string): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (unit(bytes, at) << 16) | (unit(bytes, at + 1) << 8) | unit(bytes, at + 2);
    for (const shift of [18, 12, 6, 0]) letters += ALPHABET.charAt((group >> shift) & 63);
  }
  return letters;
}

function unit(bytes: string, at: number): number {
  return at < bytes.length ? bytes.charCodeAt(at) : 0;
}

function urlSafe(letters: string): string {
  return letters.split('+').join('-').split('/').join('_');
}

function hexOf(bytes: string): string {
  return [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

/** The bytes of the text in UTF-8, one code unit each. */
function utf8(text: string): string {
  return uriEncoded(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
