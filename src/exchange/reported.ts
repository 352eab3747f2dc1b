// An exchange as a report keeps it: no secret, no error message, no long body.
import type { ReportedExchange } from '../contract/report.ts';
import { redactErrorMessages } from './error-messages.ts';
import type { Credential, Exchange, HeaderList } from './exchange.ts';
import { beginning } from './kept.ts';
import { traceIn } from './trace-context.ts';

/** Characters of a body that a report keeps. */
const MAX_BODY_CHARS = 16 * 1024;

/** A credential that was made of a key is recorded as the marker that says how. */
const DERIVED = /^(?:[A-Za-z]+ )?\[altered [^\]]+\]$/;
const SECRET_HEADERS = /^(cookie|set-cookie|proxy-authorization|x-auth-token|.*api-?key.*|.*-secret)$/i;

/** Tells whether the texts of `error.message` stay out of the report. They may hold personal data. */
export type ErrorMessages = 'redact' | 'keep';

/** The exchange for the report. Expects secrets already redacted, as in every recorded exchange. */
export function toReported(exchange: Exchange, messages: ErrorMessages = 'redact'): ReportedExchange {
  const { request, response, failure, plan } = exchange;
  const trace = traceIn(request.headers);
  return {
    id: exchange.id,
    probe: plan.probe,
    credential: isForeign(exchange) ? 'a token of its own' : credentialInWords(plan.credential),
    sentAt: instantOf(exchange.sentAt),
    durationMs: Math.max(0, exchange.durationMs),
    attempt: exchange.attempt,
    request: {
      method: request.method,
      url: request.url,
      headers: withoutSecrets(request.headers, plan.credential),
      body: request.body === null ? null : cut(request.body),
    },
    response: response && {
      status: response.status,
      headers: withoutSecrets(response.headers, plan.credential),
      body: cut(messages === 'keep' ? response.body : redactErrorMessages(response.body)),
    },
    failure: failure && `${failure.kind}: ${failure.message}`,
    ...(trace === null ? {} : { traceId: trace.traceId }),
  };
}

/** RFC 3339 knows the years 0 to 9999; a recording may tell of any. */
const [EARLIEST_MS, LATEST_MS] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

function instantOf(epochMs: number): string {
  return new Date(Math.min(Math.max(epochMs, EARLIEST_MS), LATEST_MS)).toISOString();
}

/** Tells whether the request was received with a token that is none of the run's: a client's. */
function isForeign({ plan, request }: Exchange): boolean {
  const isCarried = request.headers.some(([name]) => name.toLowerCase() === 'authorization');
  return plan.credential.kind === 'none' && isCarried;
}

/** "key std-1", "no token", "locked token", "expired token", "invalid token: alg-none". */
export function credentialInWords(credential: Credential): string {
  switch (credential.kind) {
    case 'key':
      return `key ${credential.name}`;
    case 'none':
      return 'no token';
    case 'invalid':
      return `invalid token: ${credential.how}`;
    default:
      return `${credential.kind} token`;
  }
}

function withoutSecrets(list: HeaderList, credential: Credential): HeaderList {
  return list.map(([name, value]) => {
    if (name.toLowerCase() === 'authorization') return [name, authorizationInWords(value, credential)] as const;
    return SECRET_HEADERS.test(name)
      ? ([name, `[redacted, ${value.length} characters]`] as const)
      : ([name, value] as const);
  });
}

function authorizationInWords(value: string, credential: Credential): string {
  if (DERIVED.test(value)) return value;
  const scheme = /^[A-Za-z]+(?= )/.exec(value)?.[0];
  const what = credential.kind === 'none' ? 'token' : credentialInWords(credential);
  return `${scheme === undefined ? '' : `${scheme} `}[redacted ${what}]`;
}

const CUT = /\n\[cut: \d+ of (\d+) characters\]$/;

/** A body as a report holds it, without the mark of what was cut; `characters` that it had before. */
export function uncut(body: string): { readonly text: string; readonly characters: number } {
  const whole = CUT.exec(body)?.[1];
  if (whole === undefined) return { text: body, characters: body.length };
  return { text: body.replace(CUT, ''), characters: Number(whole) };
}

function cut(text: string): string {
  if (text.length <= MAX_BODY_CHARS) return text;
  return `${beginning(text, MAX_BODY_CHARS)}\n[cut: ${MAX_BODY_CHARS} of ${text.length} characters]`;
}
