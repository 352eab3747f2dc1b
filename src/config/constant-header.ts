// Headers that a configuration sets for all requests, and which it may.
import { USUAL_KEY_HEADER } from '../contract/customs.ts';

/** A header that every request to the target carries. */
export interface ConstantHeader {
  readonly name: string;
  readonly value: string;
  /** As reports call its value: "header X-Gate"; null: the value is no secret. */
  readonly secret: string | null;
}

/** Headers of the connection or the body (RFC 9110, 7.6.1 and 8), and those that Assay itself tests: tokens, idempotency keys. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['content-length', 'content-type', 'content-encoding', 'authorization', USUAL_KEY_HEADER.toLowerCase()],
]);

/** Tells whether the configuration may set the header: Authorization, too, for a description may not say what guards its service. */
export function isTargetHeader(name: string): boolean {
  return isConstantHeader(name) || isAuthorization(name);
}

export function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

/** Tells whether the text names a header (RFC 9110, 5.6.2) that all requests may share. */
export function isConstantHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !lower.startsWith('proxy-') && !RESERVED.has(lower);
}
