// The recorded request and its answer: the only thing checks see. Immutable; secrets are redacted before one exists.
import type { ExperimentName } from '../contract/report.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Who the request claims to be. `key` is a configured plan key; the others are what AUTH probes send. */
export type Credential =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'expired' }
  /** A literal value of the Authorization header (or of the first placement) that must not be accepted; `how` names the variant ("altered-signature"). */
  | { readonly kind: 'invalid'; readonly how: string; readonly authorization: string; readonly derived?: Derived };

/** A credential that was made of a configured one: with the right characters put back it is that one. */
export interface Derived {
  /** Name in reports of its source: "key std-1". */
  readonly from: string;
  /** The change, in words: "last 4 characters". */
  readonly change: string;
  /** Value that is sent, without its scheme. */
  readonly value: string;
}

/** Where a secret goes, and in which form: a query parameter, a cookie, or a header after the name of its scheme. */
export interface Placement {
  readonly in: 'header' | 'query' | 'cookie';
  /** Name of the header, query parameter or cookie. */
  readonly name: string;
  /** `basic`: the secret is user:password and goes out in base64. */
  readonly form: 'bearer' | 'basic' | 'plain';
  /** The configured key whose secret goes here. */
  readonly key: string;
}

export type PlannedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly contentType?: string }
  | {
      readonly kind: 'raw';
      readonly text: string;
      readonly contentType: string;
      /** Set: each character is one byte, so that what is sent need not be UTF-8. */
      readonly isLatin1?: true;
    };

/**
 * Flaw of a request on purpose. sound: none. invalid: an input, path or method that the description does not allow.
 * unauthenticated: credentials that do not entitle to the answer. hostile: input that no sane client sends.
 */
export type Intent = 'sound' | 'invalid' | 'unauthenticated' | 'hostile';

/** A place of a request that must hold what reading the thing shows: the tag, the time or the version of its present state. */
export interface AsRead {
  readonly in: 'header' | 'query' | 'body';
  /** Name of the header, the parameter, or the member at the top of the body. */
  readonly name: string;
  /** Set: it is left out where nothing is there yet. */
  readonly optional?: true;
}

/** Request of a probe. Pure data: the client adds authentication, content type, pace, retries and the record. */
export interface RequestPlan {
  readonly service: string | null;
  /** Operation key (`GET /v1/stores/{storeId}`), null for paths that no description has. */
  readonly operation: string | null;
  /** Which probe sends it: "auth/no-token". A label, for people: nothing is decided by it. */
  readonly probe: string;
  /** Absent: sound. */
  readonly intent?: Intent;
  readonly method: string;
  /** Absolute path on the target, percent-encoded, without query. */
  readonly path: string;
  /** Raw query string without "?"; empty for none. */
  readonly query: string;
  /** Extra headers; Authorization and Content-Type are the client's. */
  readonly headers: HeaderList;
  readonly body: PlannedBody;
  readonly credential: Credential;
  /**
   * Where the description puts credentials; the first placement takes the plan's own, the others are needed beside it.
   * Absent: Authorization: Bearer, as this platform has it, and a content type even without a body (CLIENT-09).
   */
  readonly placements?: readonly Placement[];
  /** Filled in before it is sent, where `drawn` still stands; in the body of a sound request whatever stands. Absent: nothing. */
  readonly asRead?: readonly (AsRead & { readonly drawn: unknown })[];
  /** Set: on a connection that has served nothing yet. */
  readonly fresh?: true;
  /**
   * `contract`: 429, 503, other 5xx and lost connections are retried as the contract says. `never`: the first answer is
   * the answer, 429 and 503 aside, which are cleared before any clause is judged. A Retry-After beyond two minutes is
   * not waited for: then the 429 or 503 is the answer. `once`: exactly one attempt, at once whatever the key's pace: for
   * probes that want the refusal itself.
   */
  readonly retry: 'contract' | 'never' | 'once';
  /** Set: the experiment itself judges the waits that a refusal of it asks for, and the laws over each key's answers do not. */
  readonly ownWaits?: true;
  /** The experiment that sends it; set by the run. Absent: the run itself does. */
  readonly experiment?: ExperimentName;
  /** It is sent so long after the answer before it: what a write does may show late. ms. Absent: at once. */
  readonly afterMs?: number;
  /** Set: another shard of the run sends the same and answers for it; what comes is used here, and judged there. */
  readonly elsewhere?: true;
  /**
   * nothing: it is to make nothing new, for it is to be refused, or repeats a request under its key. named: where it is served it makes
   * what its path names, for nothing of that name is there. Absent: it may make something.
   */
  readonly makes?: 'nothing' | 'named';
  /**
   * How long what it makes is needed; turn: until its experiment sends another such request. Absent: it may be deleted as soon as the
   * answer is there.
   */
  readonly needed?: 'turn' | 'experiment' | 'run';
  /** Set: it only asks whether the target is there at all. What it is answered says nothing about how much can be judged. */
  readonly onlyAlive?: true;
  /** Set: it undoes what the run did. A part of the budget is kept back for such requests. */
  readonly undoes?: true;
  /** Set: the operation describes a traceparent header itself, so that none is added. */
  readonly untraced?: true;
  /** The number under which the run wrote down, before it sent this, that something may come of it. */
  readonly written?: number;
}

export interface RecordedRequest {
  readonly method: string;
  /** Absolute, secrets redacted. */
  readonly url: string;
  readonly path: string;
  readonly query: string;
  /** As sent; Authorization redacted to its scheme and the credential's name. */
  readonly headers: HeaderList;
  readonly body: string | null;
}

export interface RecordedResponse {
  readonly status: number;
  /** Names in lower case, in the order received. */
  readonly headers: HeaderList;
  /** Decoded as UTF-8, secrets redacted. Empty string for no body. */
  readonly body: string;
  /** Bytes received, before redaction. */
  readonly bytes: number;
  /** True when the limits of size cut the body (its bytes, its values, the memory of the run): it is not judged. */
  readonly truncated: boolean;
  /**
   * Why nobody can read the body for sure: bytes of it are no UTF-8 (each is U+FFFD in `body`), and its content type names no other charset; or it
   * is not coded as its Content-Encoding says, and is kept as received.
   */
  readonly garbled?: 'charset' | 'coding';
  /** The bytes of a short body that is no UTF-8, one a character, as received: text has lost some. None where it hides a secret. */
  readonly octets?: string;
}

export interface Failure {
  readonly kind: 'timeout' | 'refused' | 'reset' | 'unreachable' | 'protocol' | 'aborted';
  readonly message: string;
  /** The socket had already served a request: an idle connection closed by the peer is no defect. */
  readonly reusedSocket: boolean;
  /** The status that had come before the time for its body was up, or the connection ended; absent where no answer had begun. */
  readonly status?: number;
  /** Set where less was waited for an answer than the contract allows, and where the run ended before it came: so long, ms. */
  readonly withinMs?: number;
}

/** A secret of this run found in a response. */
export interface EchoedSecret {
  /** Name of the secret: "key std-1", "locked token", "sent token". */
  readonly secret: string;
  /** "body", or the header's name. */
  readonly where: string;
}

export interface Exchange {
  /** "ex-12". */
  readonly id: string;
  readonly plan: RequestPlan;
  /** 1 for the first attempt; retries count up. */
  readonly attempt: number;
  /** Id of the attempt before this one. */
  readonly previous: string | null;
  /** Epoch ms. */
  readonly sentAt: number;
  readonly durationMs: number;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse | null;
  /** Set exactly when `response` is null. */
  readonly failure: Failure | null;
  /** Set where this process did not run for a while meanwhile: how long the answer took, or that none came, says nothing. */
  readonly halted?: true;
  /** Set where a limiter refused the request by another status than 429. */
  readonly limited?: true;
  /** Secrets sent in this request's Authorization header, or configured, that the response echoes. */
  readonly echoed: readonly EchoedSecret[];
}

/** When the exchange ended, epoch ms. */
export function answeredMs({ sentAt, durationMs }: Pick<Exchange, 'sentAt' | 'durationMs'>): number {
  return sentAt + durationMs;
}
