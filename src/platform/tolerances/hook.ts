// Allowances of webhooks: the source shows neither header, nor form, nor schedule.
import { randomUUID } from 'node:crypto';
import type { Deviation } from '../deviation.ts';
import { delivering } from '../faults/fault.ts';
import {
  type Attempt,
  type DeliveryRules,
  payloadOf,
  plainHeaders,
  SIGNATURE_HEADER,
  signature,
} from '../webhooks/rules.ts';

type Headers = Readonly<Record<string, string>>;

/** The standard body under other headers. */
function signedBy(headers: (body: string, attempt: Attempt) => Headers) {
  return (rules: DeliveryRules): Partial<DeliveryRules> => ({
    message: (attempt) => {
      const { body } = rules.message(attempt);
      const { 'content-type': type = '' } = plainHeaders(attempt.event);
      return { body, headers: { 'content-type': type, ...headers(body, attempt) } };
    },
  });
}

const secondsOf = ({ nowMs }: Attempt): string => String(Math.floor(nowMs / 1000));

/** The key that Standard Webhooks takes from a secret: base64 after `whsec_`. */
function decodedKey(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

const SIGNATURES: readonly Deviation[] = [
  delivering(
    'hook-01-base64',
    'Signatures are written in base64.',
    signedBy((body, { secret }) => ({ 'x-shop-hmac-sha256': signature(secret, body, 'base64') })),
  ),
  delivering(
    'hook-01-upper-case',
    'Signatures are written in upper-case hexadecimal, without a prefix.',
    signedBy((body, { secret }) => ({ [SIGNATURE_HEADER]: signature(secret, body, 'hex').toUpperCase() })),
  ),
  delivering(
    'hook-01-timestamp-joined',
    'A timestamp in the same header is joined to the body.',
    signedBy((body, attempt) => {
      const at = secondsOf(attempt);
      return { 'commerce-signature': `t=${at},v1=${signature(attempt.secret, `${at}.${body}`, 'hex')}` };
    }),
  ),
  delivering(
    'hook-01-version-and-time',
    'A version and a timestamp in another header are joined to the body by colons.',
    signedBy((body, attempt) => {
      const at = secondsOf(attempt);
      const made = `v0=${signature(attempt.secret, `v0:${at}:${body}`, 'hex')}`;
      return { 'x-request-timestamp': at, 'x-request-signature': made };
    }),
  ),
  delivering(
    'hook-01-standard-webhooks',
    'Id and timestamp are joined to the body, and the secret is base64 after whsec_, as Standard Webhooks has it.',
    signedBy((body, attempt) => {
      const [id, at] = [attempt.event.id, secondsOf(attempt)];
      const made = signature(decodedKey(attempt.secret), `${id}.${at}.${body}`, 'base64');
      return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${made}` };
    }),
  ),
  delivering(
    'hook-01-rotation',
    'While the key is rotated each delivery carries two signatures, the old one first.',
    signedBy((body, { secret }) => {
      const [before, now] = ['the key before', secret].map((key) => `v1=${signature(key, body, 'hex')}`);
      return { [SIGNATURE_HEADER]: `${before},${now}` };
    }),
  ),
  delivering('hook-01-other-names', 'Headers have names of their own, and more of them come.', (rules) => ({
    message: (attempt) => {
      const { body } = rules.message(attempt);
      const made = signature(attempt.secret, body, 'hex');
      const ids = { 'x-acme-trace': randomUUID().replaceAll('-', '').repeat(2), 'x-acme-shop': 'shop_1' };
      return { body, headers: { ...ids, 'content-type': 'application/vnd.acme+json', 'x-acme-mac': made } };
    },
  })),
];

const REDELIVERIES: readonly Deviation[] = [
  delivering('hook-02-slow-schedule', 'The first retry comes late, the second one later.', () => ({
    wait: (attempts, accepted) => (accepted || attempts > 3 ? null : 6 * 2 ** (attempts - 1)),
  })),
  delivering('hook-02-attempts-counted', 'The body counts the attempts, and is signed anew.', () => ({
    message: (attempt) => {
      const body = JSON.stringify({ ...payloadOf(attempt.event), attempt: attempt.number, extra: { member: null } });
      const made = `sha256=${signature(attempt.secret, body, 'hex')}`;
      return { body, headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: made } };
    },
  })),
  delivering('hook-02-new-ids', 'Each attempt has an id of its own.', (rules) => ({
    message: (attempt) => {
      const { body, headers } = rules.message(attempt);
      return { body, headers: { ...headers, 'x-webhook-id': randomUUID() } };
    },
  })),
  delivering('hook-03-delivered-twice', 'An accepted event is delivered once more.', (rules) => ({
    wait: (attempts, accepted) => (accepted && attempts < 3 ? 1 : rules.wait(attempts, accepted)),
  })),
];

export const HOOK_TOLERANCES: readonly Deviation[] = [...SIGNATURES, ...REDELIVERIES];
