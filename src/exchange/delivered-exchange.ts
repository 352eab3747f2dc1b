// A delivery as an exchange, so that reports show what was received and what was answered as they show any evidence.
import type { Delivery } from './delivery.ts';
import type { Exchange, Failure } from './exchange.ts';
import { receivedExchange } from './received-exchange.ts';
import type { Redactor } from './secrets/known-secrets.ts';

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
