// An exchange between somebody else's client and a server, as a recording or the proxy hands it over.
import { hash } from 'node:crypto';
import type { HeaderList } from '../../exchange/exchange.ts';

/** The body of a request; `unrecorded`: there may have been one. */
export type SeenRequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'unrecorded' }
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Set where it is known to be all that was sent, as it was sent. */
      readonly isExact?: true;
    };

export interface SeenRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: HeaderList;
  /** True where these are all headers that were sent, credentials included. */
  readonly isComplete: boolean;
  readonly body: SeenRequestBody;
}

export interface SeenAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: {
    /** A text where it was recorded as one: then its content codings are undone, whatever the headers say. */
    readonly content: Buffer | string;
    /** False for a body that was not recorded, or was cut: nothing that stands in it is judged. */
    readonly isWhole: boolean;
  };
}

export interface SeenTimes {
  /** Epoch ms. */
  readonly sentAt: number;
  readonly durationMs: number;
  /** From the request to the first byte of the answer; null where the recording does not tell. ms. */
  readonly waitedMs: number | null;
}

/** Why an entry is counted and not judged. */
export type LeftOut =
  | 'has no answer'
  | 'was answered from a cache'
  | 'was answered by a service worker'
  | 'was answered by the client itself'
  | 'is a WebSocket or another protocol'
  | 'is a preflight request of a browser'
  | 'asks a proxy for a tunnel'
  | 'has no response headers'
  | 'has the headers of another answer'
  | 'may be the answer that a redirect led to'
  | 'is a page or a file of a site'
  | 'is recorded a second time'
  | 'belongs to another service'
  | 'belongs to another operation'
  | 'belongs to an operation that `skip` leaves out'
  | 'has a body above the bound'
  | 'came while the queue was full';

export interface Seen {
  /** Where it stands, for people: "shop.har#/log/entries/17". */
  readonly place: string;
  readonly request: SeenRequest;
  /** A reason in place of an answer that can be judged. */
  readonly answer: SeenAnswer | LeftOut;
  /** Null where the recording does not tell them. */
  readonly times: SeenTimes | null;
}

/** Maximum number of exchanges of earlier files that are remembered. */
const MOST = 200_000;

/**
 * Exchanges that stand in several recordings, or twice in one: exports overlap, and one request counted twice would look like two that
 * share an id. Within a file all of two answers is the same, for two calls may be sent at once.
 */
export class Duplicates {
  readonly #earlier = new Set<string>();
  readonly #current = new Set<string>();
  readonly #answers = new Set<string>();
  #isFirst = true;

  beginFile(): void {
    if (!this.#isFirst) for (const told of this.#current) if (this.#earlier.size < MOST) this.#earlier.add(told);
    this.#isFirst = false;
    this.#current.clear();
    this.#answers.clear();
  }

  /** Tells whether the same exchange was recorded before. Without times nothing is known to be the same. */
  has({ request, times }: Seen, { status, headers, body }: SeenAnswer): boolean {
    if (times === null) return false;
    const told = `${times.sentAt} ${times.durationMs} ${request.method} ${request.url} ${status} ${body.content.length}`;
    const answer = hash('sha256', JSON.stringify([told, request.headers, headers, String(body.content)]), 'base64url');
    const isKnown = this.#earlier.has(told) || this.#answers.has(answer);
    if (this.#current.size < MOST) this.#current.add(told);
    if (this.#answers.size < MOST) this.#answers.add(answer);
    return isKnown;
  }
}
