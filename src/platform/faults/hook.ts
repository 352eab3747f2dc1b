// HOOK: deliveries that are signed wrongly, and redeliveries that are. Conformance runs receive none, so that they are no part
// of the proof by faults; `assay webhooks` must catch them.
import type { Deviation } from '../deviation.ts';
import {
  type Attempt,
  type DeliveryRules,
  type Message,
  payloadOf,
  plainHeaders,
  SIGNATURE_HEADER,
  signature,
} from '../webhooks/rules.ts';
import { delivering } from './fault.ts';

type Change = (rules: DeliveryRules) => Partial<DeliveryRules>;

/** Messages whose signature is another; null: there is none. `when`: the attempts concerned. */
function signing(
  sign: (message: Message, attempt: Attempt) => string | null,
  when: (attempt: Attempt) => boolean = () => true,
): Change {
  return (rules) => ({
    message: (attempt) => {
      const message = rules.message(attempt);
      if (!when(attempt)) return message;
      const { [SIGNATURE_HEADER]: _right, ...headers } = message.headers;
      const made = sign(message, attempt);
      return { ...message, headers: made === null ? headers : { ...headers, [SIGNATURE_HEADER]: made } };
    },
  });
}

const hex = (key: string, content: string): string => `sha256=${signature(key, content, 'hex')}`;
const isRetry = ({ number }: Attempt): boolean => number > 1;

const SIGNATURES: readonly Deviation[] = [
  delivering(
    'hook-01-wrong-key',
    'Deliveries are signed with another key.',
    signing(({ body }, { secret }) => hex(`${secret} `, body)),
  ),
  delivering('hook-01-reserialised', 'Deliveries are indented, and signed as they were before.', (rules) => ({
    message: (attempt) => ({ ...rules.message(attempt), body: JSON.stringify(payloadOf(attempt.event), null, 2) }),
  })),
  delivering(
    'hook-01-cut-short',
    'Signatures have half of their characters.',
    signing(({ body }, { secret }) => `sha256=${signature(secret, body, 'hex').slice(0, 32)}`),
  ),
  delivering(
    'hook-01-other-body',
    'The signature is that of the data alone, without what stands around them.',
    signing((_message, { event, secret }) => hex(secret, JSON.stringify(event.data))),
  ),
  delivering(
    'hook-01-empty-body',
    'The signature is that of an empty body.',
    signing((_message, { secret }) => hex(secret, '')),
  ),
  delivering(
    'hook-01-unsigned',
    'Deliveries carry no signature.',
    signing(() => null),
  ),
  delivering(
    'hook-01-payments-unsigned',
    'Deliveries of payments carry no signature.',
    signing(
      () => null,
      ({ event }) => event.type === 'payment.processed',
    ),
  ),
  delivering(
    'hook-01-sha1',
    'Deliveries are signed with HMAC-SHA1.',
    signing(({ body }, { secret }) => `sha1=${signature(secret, body, 'hex', 'sha1')}`),
  ),
  delivering('hook-01-time-not-signed', 'The timestamp that is sent is not the one that is signed.', (rules) => ({
    message: (attempt) => {
      const { body } = rules.message(attempt);
      const [sent, signed] = [attempt.nowMs, attempt.nowMs - 7000].map((ms) => String(Math.floor(ms / 1000)));
      const made = `t=${sent},v1=${signature(attempt.secret, `${signed}.${body}`, 'hex')}`;
      return { body, headers: { ...plainHeaders(attempt.event), [SIGNATURE_HEADER]: made } };
    },
  })),
];

const REDELIVERIES: readonly Deviation[] = [
  delivering(
    'hook-02-unsigned-retry',
    'Redeliveries carry no signature.',
    signing(() => null, isRetry),
  ),
  delivering(
    'hook-02-third-unsigned',
    'The third attempt and those after it carry no signature.',
    signing(
      () => null,
      ({ number }) => number > 2,
    ),
  ),
  delivering(
    'hook-02-wrong-key-retry',
    'Redeliveries are signed with another key.',
    signing(({ body }, { secret }) => hex(`${secret} `, body), isRetry),
  ),
  delivering(
    'hook-02-first-signature',
    'The body counts the attempts, and keeps the signature of the first.',
    (rules) => ({
      message: (attempt) => {
        const [first, now] = [1, attempt.number].map((count) =>
          JSON.stringify({ ...payloadOf(attempt.event), attempt: count }),
        ) as [string, string];
        const headers = { ...rules.message(attempt).headers, [SIGNATURE_HEADER]: hex(attempt.secret, first) };
        return { headers, body: now };
      },
    }),
  ),
  delivering('hook-02-no-retry', 'Nothing is delivered again: the clause stays untested.', () => ({
    wait: () => null,
  })),
];

const OBSERVED: readonly Deviation[] = [
  delivering(
    'hook-03-endless-retry',
    'Events are delivered again without end, even when they were accepted: told, not judged.',
    () => ({ wait: () => 1 }),
  ),
];

export const HOOK_FAULTS: readonly Deviation[] = [...SIGNATURES, ...REDELIVERIES, ...OBSERVED];
