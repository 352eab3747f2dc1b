// A webhook delivery as the receiver recorded it, with the answer that it gave. The checks of webhooks see nothing else.

import { decoded } from './content-coding.ts';
import { parsedJson } from './decoded.ts';
import type { HeaderList } from './exchange.ts';

/** A compressed body is read up to this size; a larger one stays as received. */
const MAX_PLAIN_BYTES = 1024 * 1024;

export interface DeliveryAnswer {
  /** null where the sender got none: the receiver kept silent, or the sender left before the answer came. */
  readonly status: number | null;
  /** Answer that the receiver meant to give, in words: "500", "accept", "slow", "hang". */
  readonly said: string;
  /** From the receipt of the whole request to the answer, or to the end of the connection. */
  readonly afterMs: number;
  /** The sender closed the connection before an answer came. */
  readonly senderLeft: boolean;
}

export interface Delivery {
  /** "delivery-3", in the order received. */
  readonly id: string;
  /** Epoch ms, when the whole request was received. */
  readonly at: number;
  readonly method: string;
  /** Path and query as received. */
  readonly path: string;
  /** Names in lower case, in the order received. */
  readonly headers: HeaderList;
  /** The bytes as received. */
  readonly body: Buffer;
  /** The bytes as the sender's program wrote them, where they came compressed; absent otherwise. */
  readonly plain?: Buffer;
  /** null where a recording does not say what was answered. */
  readonly answer: DeliveryAnswer | null;
}

/** Tells whether the delivery was answered with a success; null where nobody knows. */
export function wasAccepted({ answer }: Delivery): boolean | null {
  if (answer === null) return null;
  return answer.status !== null && answer.status >= 200 && answer.status < 300;
}

/** The first value of the header, which is named in lower case; null when absent. */
export function headerOf({ headers }: Pick<Delivery, 'headers'>, name: string): string | null {
  return headers.find(([one]) => one === name)?.[1] ?? null;
}

/** The members of the query as headers are listed, by names such as "?signature", decoded. */
export function queryOf({ path }: Pick<Delivery, 'path'>): HeaderList {
  const [, query = ''] = path.split(/\?(.*)/s);
  return [...new URLSearchParams(query)].map(([name, value]) => [`?${name.toLowerCase()}`, value] as const);
}

/** Value for `plain` of a delivery; empty where the body did not come compressed. */
export function plainOf({ headers, body }: Pick<Delivery, 'headers' | 'body'>): Pick<Delivery, 'plain'> {
  const { bytes, isTooLong } = decoded(body, headerOf({ headers }, 'content-encoding'), MAX_PLAIN_BYTES);
  return bytes === body || isTooLong ? {} : { plain: bytes };
}

/** The body as received and, where it came compressed, as the sender's program wrote it. */
export function bodyReadings({ body, plain }: Pick<Delivery, 'body' | 'plain'>): readonly Buffer[] {
  return plain === undefined ? [body] : [body, plain];
}

/** The body as JSON; undefined where it is none. */
export function jsonOf({ body, plain = body }: Pick<Delivery, 'body' | 'plain'>): unknown {
  return parsedJson(plain.toString('utf8'));
}
