// Values drawn from text: the same text gives the same value, so that two starts with one seed serve the same data.
import { createHash } from 'node:crypto';

/** An integer in [0, 2^32), well spread over similar texts (FNV-1a, then an avalanche). */
export function numberFrom(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hexadecimal digest of the text, 64 digits. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A version 4 shaped UUID. */
export function uuidFrom(text: string): string {
  const hex = digest(text);
  const variant = '89ab'[numberFrom(text) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
