// The bytes that a subscription's secret stands for. Most platforms take its text; some give it in hexadecimal or base64,
// and Standard Webhooks writes base64 after `whsec_`.
import { createSecretKey, type KeyObject } from 'node:crypto';

export interface SecretReading {
  /** "text", "hex", "base64", "base64 after whsec_". */
  readonly name: string;
  /** Digests faster than its bytes would, and does not show them. */
  readonly key: KeyObject;
}

interface Bytes {
  readonly name: string;
  readonly bytes: Buffer;
}

const PREFIX = /^(?:v1,)?(whsec_)/;
/** Shorter texts are hardly encoded keys. */
const SHORTEST_ENCODED = 16;

/** All readings, the text first; no two of them have the same bytes. */
export function readingsOf(secret: string): readonly SecretReading[] {
  const prefix = PREFIX.exec(secret);
  const rest = prefix === null ? null : secret.slice(prefix[0].length);
  const all = [
    { name: 'text', bytes: Buffer.from(secret) },
    ...encoded(secret, ''),
    ...(rest === null ? [] : [...encoded(rest, ` after ${prefix?.[1]}`), textAfter(rest, prefix?.[1] ?? '')]),
  ];
  const different = new Map(
    all
      .filter(({ bytes }) => bytes.length > 0)
      .map((one) => [one.bytes.toString('hex'), one] as const)
      .reverse(),
  );
  return [...different.values()].reverse().map(({ name, bytes }) => ({ name, key: createSecretKey(bytes) }));
}

function textAfter(rest: string, prefix: string): Bytes {
  return { name: `text after ${prefix}`, bytes: Buffer.from(rest) };
}

function encoded(text: string, after: string): readonly Bytes[] {
  if (text.length < SHORTEST_ENCODED) return [];
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(text);
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
  return [
    ...(isHex ? [{ name: `hex${after}`, bytes: Buffer.from(text, 'hex') }] : []),
    ...(isBase64 ? [{ name: `base64${after}`, bytes: Buffer.from(text, 'base64url') }] : []),
  ];
}
