// Builds the recorded exchange. Secrets are redacted here, so that no exchange ever holds one.
import { header } from '../exchange/body.ts';
import { decoded } from '../exchange/content-coding.ts';
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
import type { Redactor } from '../exchange/redaction.ts';
import type { Outcome, Received } from './transfer.ts';
import type { WireRequest } from './wire.ts';

/** A refused token counts as echoed from this length on: shorter ones are ordinary words. */
const SHORTEST_SENT_TOKEN = 16;

export interface Attempt {
  readonly id: string;
  readonly plan: RequestPlan;
  readonly attempt: number;
  readonly previous: string | null;
  readonly sentAt: number;
  readonly durationMs: number;
  readonly request: WireRequest;
  /** The request with markers in place of its credentials. */
  readonly shown: WireRequest;
  readonly outcome: Outcome;
}

export interface Recorder {
  record(attempt: Attempt): Exchange;
}

export function createRecorder(options: {
  readonly baseUrl: string;
  readonly redactor: Redactor;
  readonly byteLimit: number;
}): Recorder {
  const { baseUrl, redactor, byteLimit } = options;
  return {
    record({ id, plan, attempt, previous, sentAt, durationMs, request, shown, outcome }) {
      const recorded = recordRequest(shown, baseUrl, redactor);
      const echoes: EchoedSecret[] = [];
      let response: RecordedResponse | null = null;
      let failure: Failure | null = null;
      if ('received' in outcome) {
        response = recordResponse(outcome.received, byteLimit, new EchoSearch(plan, request, redactor, echoes));
      } else failure = outcome.failure;
      return {
        id,
        plan: withoutSecrets(plan, shown, recorded, redactor),
        attempt,
        previous,
        sentAt,
        durationMs,
        request: recorded,
        response,
        failure,
        echoed: echoes,
      };
    },
  };
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

function recordResponse(received: Received, byteLimit: number, search: EchoSearch): RecordedResponse {
  const { status, truncated } = received;
  const bytes = decoded(received.body, header(received.headers, 'content-encoding'), byteLimit);
  return {
    status,
    headers: received.headers.map(([name, value]) => [name, search.redact(value, name)] as const),
    body: search.redact(bytes.toString('utf8'), 'body'),
    bytes: received.body.length,
    truncated,
  };
}

/** Redacts one response and notes which secrets it echoes. */
class EchoSearch {
  readonly #plan: RequestPlan;
  readonly #request: WireRequest;
  readonly #redactor: Redactor;
  readonly #echoes: EchoedSecret[];
  readonly #sentToken: string | null;

  constructor(plan: RequestPlan, request: WireRequest, redactor: Redactor, echoes: EchoedSecret[]) {
    this.#plan = plan;
    this.#request = request;
    this.#redactor = redactor;
    this.#echoes = echoes;
    this.#sentToken = refusedToken(plan.credential);
  }

  redact(text: string, where: string): string {
    if (this.#sentToken !== null && text.includes(this.#sentToken)) this.#echoes.push({ secret: 'sent token', where });
    const clean = this.#redactor.redact(text);
    if (clean === text) return text;
    for (const secret of this.#redactor.found(text)) {
      if (!this.#isOwnWords(secret)) this.#echoes.push({ secret, where });
    }
    return clean;
  }

  /** A secret that the request carried in its path, query, headers or body, and not as its token: the answer may quote those. */
  #isOwnWords(secret: string): boolean {
    const { path, query, headers, body } = this.#request;
    const authorization = header(headers, 'authorization');
    if (authorization !== null && this.#redactor.found(authorization).includes(secret)) return false;
    const others = this.#plan.headers.map(([, value]) => value);
    return [path, query, body ?? '', ...others].some((text) => this.#redactor.found(text).includes(secret));
  }
}

function refusedToken(credential: Credential): string | null {
  if (credential.kind !== 'invalid') return null;
  const token = credential.authorization.replace(/^\S+ +/, '');
  return token.length >= SHORTEST_SENT_TOKEN ? token : null;
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
    (credential.kind !== 'invalid' || redactor.redact(credential.authorization) === credential.authorization) &&
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
    credential:
      credential.kind === 'invalid'
        ? { ...credential, authorization: redactor.redact(credential.authorization) }
        : credential,
  };
}
