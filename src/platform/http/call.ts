// One request as the platform handles it, and the answer it gets.
import type { IncomingHttpHeaders } from 'node:http';
import type { Role } from '../schema/role.ts';
import type { ServedOperation } from '../schema/served.ts';
import type { Key } from '../tokens.ts';

/** An operation together with what it does to the stored resources. */
export interface Route {
  readonly operation: ServedOperation;
  readonly role: Role;
}

export interface Call {
  readonly requestId: string;
  /** Epoch ms. */
  readonly receivedAt: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** null for a path or method that nothing describes. */
  readonly route: Route | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The JSON body; undefined for none. */
  body: unknown;
  /** Whom the token belongs to; null without a valid one. */
  key: Key | null;
  /** Headers that every answer to this call carries: those of the rate limit. */
  standing: Record<string, string>;
}

/** How the answer leaves, when not at once and whole. */
export interface Delivery {
  readonly delayMs?: number;
  /** The connection is closed without an answer. */
  readonly drop?: boolean;
  /** The connection is closed once half of the body is out. */
  readonly breakOff?: boolean;
  /** No answer, and the connection stays open. */
  readonly hang?: boolean;
  /** Sent in pieces, without Content-Length. */
  readonly chunked?: boolean;
  /** Header names are written in upper case. */
  readonly upperCase?: boolean;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Sent as JSON; undefined for no body. */
  body: unknown;
  /** Sent instead of `body`, as it is. */
  text?: string;
  delivery?: Delivery;
}
