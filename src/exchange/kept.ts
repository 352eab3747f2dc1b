// An exchange that is kept beyond its judgement, and texts cut so that what is cut off can be forgotten.
import type { Exchange } from './exchange.ts';

/** Characters of a body that is kept whole. */
const MAX_BODY_CHARS = 32 * 1024;

/** The exchange to keep: its body is cut where it is long, and counts as cut then. */
export function toKeep(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response === null || response.body.length <= MAX_BODY_CHARS) return exchange;
  return { ...exchange, response: { ...response, body: beginning(response.body, MAX_BODY_CHARS), truncated: true } };
}

/** Beginning of the text, as a text of its own: V8 keeps all of a text for as long as a slice of it lives. */
export function beginning(text: string, chars: number): string {
  return Buffer.from(text.slice(0, chars), 'utf16le').toString('utf16le');
}
