// A request that was received, and not sent, as an exchange: reports show it as they show any evidence. Webhook deliveries
// are such requests.
import type { Delivery } from './delivery.ts';
import type { Exchange, Failure, HeaderList, RecordedResponse } from './exchange.ts';
import type { Redactor } from './secrets/known-secrets.ts';

interface ReceivedRequest {
  readonly id: string;
  /** Source under which it is shown: "webhook delivery", "client". */
  readonly probe: string;
  /** Epoch ms. */
  readonly at: number;
  readonly durationMs: number;
  readonly method: string;
  /** Path and query as received. */
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: string;
  /** The answer, its secrets redacted, or why there was none. */
  readonly answer: RecordedResponse | Failure;
}

/** The request with its answer, secrets redacted. `base`: scheme and host of the receiver, without a slash at its end. */
export function receivedExchange(received: ReceivedRequest, base: string, redactor: Redactor): Exchange {
  const { id, probe, at, durationMs, method, answer } = received;
  const whole = redactor.redact(received.path);
  const [path = '', query = ''] = whole.split(/\?(.*)/s);
  const headers = redactedHeaders(received.headers, redactor);
  return {
    id,
    plan: {
      ...{ service: null, operation: null, probe, method, path, query, headers },
      ...{ body: { kind: 'none' }, credential: { kind: 'none' }, retry: 'once' },
    },
    attempt: 1,
    previous: null,
    sentAt: at,
    durationMs,
    request: { method, url: `${base}${whole}`, path, query, headers, body: redactor.redact(received.body) },
    response: 'kind' in answer ? null : answer,
    failure: 'kind' in answer ? answer : null,
    echoed: [],
  };
}

export function redactedHeaders(headers: HeaderList, redactor: Redactor): HeaderList {
  return headers.map(([name, value]) => [redactor.redact(name), redactor.redact(value)] as const);
}

const PROBE = 'webhook delivery';

/** The delivery with its answer, secrets redacted. `base`: scheme and host of the receiver, without a slash at its end. */
export function deliveredExchange(delivery: Delivery, base: string, redactor: Redactor): Exchange {
  const { id, at, method, path, headers, answer } = delivery;
  const status = answer?.status ?? null;
  return receivedExchange(
    {
      ...{ id, probe: PROBE, at, durationMs: Math.round(answer?.afterMs ?? 0), method, path, headers },
      body: textOf(delivery),
      answer: status === null ? unanswered(delivery) : { status, headers: [], body: '', bytes: 0, truncated: false },
    },
    base,
    redactor,
  );
}

function textOf({ body, plain = body }: Delivery): string {
  const text = plain.toString('utf8');
  return text.includes('\ufffd') ? `[${body.length} bytes that are no text]` : text;
}

function unanswered({ answer }: Delivery): Failure {
  const base = { kind: 'aborted' as const, reusedSocket: false };
  if (answer === null) return { ...base, message: 'the recording does not say what was answered' };
  const ending = answer.senderLeft ? 'the sender closed the connection' : 'no answer was given';
  return { ...base, message: `${ending} (${answer.said})` };
}
