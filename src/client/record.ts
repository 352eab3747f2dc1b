// Builds the recorded exchange. Secrets are redacted here, so that no exchange ever holds one.

import { isUtf8 } from 'node:buffer';
import type { ConstantHeader } from '../config/constant-header.ts';
import { header } from '../exchange/body.ts';
import { type Decoded, decoded } from '../exchange/content-coding.ts';
import type {
  Credential,
  EchoedSecret,
  Exchange,
  Failure,
  HeaderList,
  RecordedRequest,
  RecordedResponse,
  RequestPlan,
} from '../exchange/exchange.ts';
import { beginning } from '../exchange/kept.ts';
import { isInUtf8, textIn } from '../exchange/media-type.ts';
import { oncePerValue } from '../exchange/once-per.ts';
import { createRedactor } from '../exchange/redaction.ts';
import { nameOf, type Redactor, type Secret } from '../exchange/secrets/known-secrets.ts';
import { LargeBodies } from './large-bodies.ts';
import type { Outcome, Received } from './transfer.ts';
import type { WireRequest } from './wire.ts';

/** A refused token counts as echoed from this length on: shorter ones are ordinary words. */
const MIN_SENT_TOKEN_CHARS = 16;
const MAX_SENT_TOKENS = 16;
/** Name of a refused token that comes back. */
const SENT_TOKEN = 'sent token';

export interface Attempt {
  readonly id: string;
  readonly plan: RequestPlan;
  readonly attempt: number;
  readonly previous: string | null;
  readonly sentAt: number;
  readonly durationMs: number;
  readonly halted?: true;
  readonly request: WireRequest;
  /** The request with markers in place of its credentials. */
  readonly shown: WireRequest;
  /** Headers that the request shares with all others; absent: none. */
  readonly constant?: readonly ConstantHeader[];
  /** Knows secrets of this request alone; absent: it has none. */
  readonly own?: Redactor | null;
  readonly outcome: Outcome;
}

export interface Recorder {
  record(attempt: Attempt): Exchange;
  /** The request as it is recorded. */
  recordRequest(shown: WireRequest): RecordedRequest;
}

export function createRecorder(options: {
  readonly baseUrl: string;
  readonly redactor: Redactor;
  readonly byteLimit: number;
}): Recorder {
  const { baseUrl, redactor, byteLimit } = options;
  const tokens = new SentTokens();
  const large = new LargeBodies();
  return {
    recordRequest: (shown) => recordRequest(shown, baseUrl, redactor),
    record({ id, plan, attempt, previous, sentAt, durationMs, halted, request, shown, constant, own, outcome }) {
      const derived = derivedSecret(plan.credential);
      if (derived !== null) redactor.add(derived);
      const recorded = recordRequest(shown, baseUrl, redactor);
      const echoes: EchoedSecret[] = [];
      let response: RecordedResponse | null = null;
      let failure: Failure | null = null;
      if ('received' in outcome) {
        const sent = tokens.of(plan.credential);
        const search = new EchoSearch({ plan, request: { ...request, constant, own }, redactor, sent, echoes });
        response = recordResponse(outcome.received, { byteLimit, large }, search);
      } else failure = { ...outcome.failure, message: redactor.redact(outcome.failure.message) };
      return {
        id,
        plan: withoutSecrets(plan, shown, recorded, redactor),
        attempt,
        previous,
        sentAt,
        durationMs,
        ...(halted ? { halted } : {}),
        request: recorded,
        response,
        failure,
        echoed: echoes,
      };
    },
  };
}

/** Finds refused tokens again that are no secrets. They are few: most are drawn once a run. */
class SentTokens {
  readonly #redactorOf = oncePerValue(
    (value: string): Redactor => createRedactor([{ name: SENT_TOKEN, value }]),
    MAX_SENT_TOKENS,
  );

  /** null: the credential carries no such token, or one that is too short to tell. */
  of(credential: Credential): Redactor | null {
    if (credential.kind !== 'invalid' || credential.derived !== undefined) return null;
    const value = credential.authorization.replace(/^\S+ +/, '');
    return value.length < MIN_SENT_TOKEN_CHARS ? null : this.#redactorOf(value);
  }
}

function recordRequest(request: WireRequest, baseUrl: string, redactor: Redactor): RecordedRequest {
  const path = redactor.redact(request.path);
  const query = redactor.redact(request.query);
  return {
    method: request.method,
    url: query === '' ? `${baseUrl}${path}` : `${baseUrl}${path}?${query}`,
    path,
    query,
    headers: redactHeaders(request.headers, redactor),
    body: request.body === null ? null : redactor.redact(request.body),
  };
}

function redactHeaders(headers: HeaderList, redactor: Redactor): HeaderList {
  return headers.map(([name, value]) => [name, redactor.redact(value)] as const);
}

/** Bytes that are kept of a body for which there is no room: what shows what it was. */
const CUT_BYTES = 16 * 1024;
/** Longer texts are looked at as bytes. Characters. */
const MAX_TEXT_CHARS = 32 * 1024;
/** Characters that a secret takes at most, in any form. */
const MAX_SECRET_CHARS = 32 * 1024;

interface Room {
  readonly byteLimit: number;
  readonly large: LargeBodies;
}

function recordResponse(received: Received, { byteLimit, large }: Room, search: EchoSearch): RecordedResponse {
  const { status, truncated } = received;
  const { content, isTooLong, isMiscoded } = contentOf(received, byteLimit);
  const weight = typeof content === 'string' ? 0 : large.weightOf(content);
  const isWhole = large.hasRoom(weight);
  const type = header(received.headers, 'content-type') ?? '';
  const text = isWhole ? textOf(content, type) : '';
  const headers = received.headers.map(([name, value]) => search.redactHeader(name, value));
  const body = isWhole ? search.redact(text, 'body') : beginningOf(content, type, search);
  const response = {
    status,
    headers,
    body,
    bytes: typeof received.body === 'string' ? Buffer.byteLength(received.body) : received.body.length,
    truncated: truncated || isTooLong || !isWhole,
    ...(isMiscoded === true && !truncated ? { garbled: 'coding' as const } : {}),
    ...(isGarbled(content, text, type)
      ? { garbled: 'charset' as const, ...(body === text ? octetsOf(content) : {}) }
      : {}),
  };
  if (isWhole) large.hold(response, weight);
  return response;
}

/** The body without its content codings. A short text stays one: nothing has to be counted in its bytes. */
function contentOf(
  { headers, body }: Received,
  byteLimit: number,
): Omit<Decoded, 'bytes'> & { readonly content: Buffer | string } {
  if (typeof body === 'string')
    return { content: body.length < MAX_TEXT_CHARS ? body : Buffer.from(body), isTooLong: false };
  const { bytes, ...told } = decoded(body, header(headers, 'content-encoding'), byteLimit);
  return { content: bytes, ...told };
}

/** Stands for bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd';

/** Tells whether bytes were lost when the content became the text. Source: RFC 8259, 8.1. */
function isGarbled(content: Buffer | string, text: string, mediaType: string): boolean {
  if (typeof content === 'string' || !text.includes(REPLACEMENT)) return false;
  return isInUtf8(mediaType, content) && !isUtf8(content);
}

function octetsOf(content: Buffer | string): Pick<RecordedResponse, 'octets'> {
  return typeof content === 'string' || content.length > CUT_BYTES ? {} : { octets: content.toString('latin1') };
}

function textOf(content: Buffer | string, mediaType: string, bytes?: number): string {
  return typeof content === 'string' ? content : textIn(mediaType, content.subarray(0, bytes));
}

/** Beginning of a body that is not kept. Its end is dropped once it is redacted: a secret may be cut in two there. */
function beginningOf(content: Buffer | string, mediaType: string, search: EchoSearch): string {
  const text = search.redact(textOf(content, mediaType, CUT_BYTES + MAX_SECRET_CHARS), 'body');
  return beginning(text, Math.max(0, text.length - MAX_SECRET_CHARS));
}

interface Sought {
  readonly plan: RequestPlan;
  readonly request: WireRequest & Pick<Attempt, 'constant' | 'own'>;
  readonly redactor: Redactor;
  /** Finds the refused token that was sent; null: there is none to tell. */
  readonly sent: Redactor | null;
  /** Secrets that were found. */
  readonly echoes: EchoedSecret[];
}

/** Redacts one response and notes which secrets it echoes. */
class EchoSearch {
  readonly #of: Sought;

  constructor(sought: Sought) {
    this.#of = sought;
  }

  redact(given: string, where: string): string {
    const { request, redactor, sent, echoes } = this.#of;
    const text = request.own?.redact(given) ?? given;
    for (const secret of sent?.found(text) ?? []) echoes.push({ secret, where });
    const clean = redactor.redact(text);
    if (clean === text) return text;
    for (const secret of redactor.found(text)) {
      if (secret === this.#derivedName()) echoes.push({ secret: SENT_TOKEN, where });
      else if (!this.#isOwnWords(secret)) echoes.push({ secret, where });
    }
    return clean;
  }

  redactHeader(name: string, value: string): readonly [string, string] {
    const clean = this.redact(name, this.#of.redactor.redact(name));
    return [clean, this.redact(value, clean)];
  }

  #derivedName(): string | null {
    const derived = derivedSecret(this.#of.plan.credential);
    return derived === null ? null : nameOf(derived);
  }

  /** A secret that the request carried in its path, query, headers or body, and not as its token: the answer may quote those. */
  #isOwnWords(secret: string): boolean {
    const { plan, redactor, request } = this.#of;
    const { path, query, headers, body, constant = [] } = request;
    const holds = (text: string): boolean => redactor.found(text).includes(secret);
    if (holds(header(headers, 'authorization') ?? '')) return false;
    const others = [...plan.headers.map(([, value]) => value), ...constant.map(({ value }) => value)];
    return [path, query, body ?? '', ...others].some(holds);
  }
}

/** The plan as it was, or with its secrets redacted where a probe put some into it. */
function withoutSecrets(
  plan: RequestPlan,
  sent: WireRequest,
  recorded: RecordedRequest,
  redactor: Redactor,
): RequestPlan {
  const { credential, body } = plan;
  const isClean =
    recorded.path === sent.path &&
    recorded.query === sent.query &&
    recorded.body === sent.body &&
    withoutValue(credential, redactor) === credential &&
    plan.headers.every(([, value]) => redactor.redact(value) === value);
  if (isClean) return plan;
  return {
    ...plan,
    path: recorded.path,
    query: recorded.query,
    headers: redactHeaders(plan.headers, redactor),
    body:
      recorded.body === sent.body || body.kind === 'none'
        ? body
        : { kind: 'raw', text: recorded.body ?? '', contentType: body.contentType ?? 'application/json' },
    credential: withoutValue(credential, redactor),
  };
}

function withoutValue(credential: Credential, redactor: Redactor): Credential {
  if (credential.kind !== 'invalid') return credential;
  const { kind, how, authorization, derived } = credential;
  const shown = redactor.redact(authorization);
  return derived === undefined && shown === authorization ? credential : { kind, how, authorization: shown };
}

/** Secret that was made of another one: it differs in a few characters. null: none was. */
function derivedSecret(credential: Credential): Secret | null {
  if (credential.kind !== 'invalid' || credential.derived === undefined) return null;
  const { from, change, value } = credential.derived;
  return { name: from, altered: change, value };
}
