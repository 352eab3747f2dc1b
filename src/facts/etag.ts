// Entity tags: read from answers, and from the conditions that requests name. Source: RFC 9110, 8.8.3 and 13.1.
import { header } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';

export interface Tag {
  /** As it was sent: `W/"a1"`. */
  readonly text: string;
  /** Text that is compared, without the part that a front end adds for a coding: Apache makes "a1-gzip" of "a1". */
  readonly opaque: string;
  readonly isWeak: boolean;
  /** True where a coding was added: some servers do not know such a tag again. */
  readonly isCoded: boolean;
}

const CODING = /[-;]{1,2}(gzip|br|deflate|zstd|df)$/i;

/** The tag that the answer shows; null for none. */
export function tagOf({ response }: Exchange): Tag | null {
  const text = header(response?.headers ?? [], 'etag')?.trim() ?? '';
  return text === '' ? null : tagFrom(text);
}

function tagFrom(text: string): Tag {
  const isWeak = /^W\//i.test(text);
  const inner = (isWeak ? text.slice(2) : text).replace(/^"|"$/g, '');
  return { text, opaque: inner.replace(CODING, ''), isWeak, isCoded: CODING.test(inner) };
}

/** Tags that the request's condition names; `*` for any state, null where it has no such condition. */
export function tagsNamed({ request }: Exchange, name: 'if-match' | 'if-none-match'): readonly Tag[] | '*' | null {
  const text = header(request.headers, name)?.trim() ?? '';
  if (text === '') return null;
  if (text === '*') return '*';
  return (text.match(/(?:W\/)?"[^"]*"|[^\s,"]+/gi) ?? []).map(tagFrom);
}

export function areSameWeakly(one: Tag, other: Tag): boolean {
  return one.opaque === other.opaque;
}

/** Weak tags are the same as none. */
export function areSameStrongly(one: Tag, other: Tag): boolean {
  return !one.isWeak && !other.isWeak && areSameWeakly(one, other);
}
