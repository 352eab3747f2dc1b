// A delivery as an exchange, so that reports show what was received and what was answered as they show any evidence.
import type { Delivery } from './delivery.ts';
import type { Exchange, Failure } from './exchange.ts';
import type { Redactor } from './secrets/known-secrets.ts';

const PROBE = 'webhook delivery';

/** The delivery with its answer, secrets redacted. `base`: scheme and host of the receiver, without a slash at its end. */
export function deliveredExchange(delivery: Delivery, base: string, redactor: Redactor): Exchange {
  const { id, at, method, answer } = delivery;
  const whole = redactor.redact(delivery.path);
  const [path = '', query = ''] = whole.split(/\?(.*)/s);
  const headers = delivery.headers.map(([name, value]) => [redactor.redact(name), redactor.redact(value)] as const);
  const body = redactor.redact(textOf(delivery));
  const status = answer?.status ?? null;
  return {
    id,
    plan: {
      ...{ service: null, operation: null, probe: PROBE, method, path, query, headers },
      ...{ body: { kind: 'none' }, credential: { kind: 'none' }, retry: 'once' },
    },
    attempt: 1,
    previous: null,
    sentAt: at,
    durationMs: Math.round(answer?.afterMs ?? 0),
    request: { method, url: `${base}${whole}`, path, query, headers, body },
    response: status === null ? null : { status, headers: [], body: '', bytes: 0, truncated: false },
    failure: status === null ? unanswered(delivery) : null,
    echoed: [],
  };
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
