// How the platform delivers webhooks: what is sent, how it is signed, and when it is sent again. The source shows no
// more than that deliveries are signed and repeated, so that everything else here is this platform's own choice.
import { createHmac } from 'node:crypto';
import type { JsonObject } from '../json.ts';

/** Something that happened on the platform. */
export interface PlatformEvent {
  readonly id: string;
  /** "store.created". */
  readonly type: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly data: unknown;
}

export interface Attempt {
  readonly event: PlatformEvent;
  /** 1 for the first attempt. */
  readonly number: number;
  /** Epoch ms. */
  readonly nowMs: number;
  /** The subscription's secret as its owner knows it. */
  readonly secret: string;
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Faults and tolerance cases take the rules and return others. */
export interface DeliveryRules {
  message(attempt: Attempt): Message;
  /** Units of the schedule to wait before the next attempt, after so many; null: there is none. */
  wait(attempts: number, accepted: boolean): number | null;
}

export const SIGNATURE_HEADER = 'x-webhook-signature';
const MAX_ATTEMPTS = 6;

export const STANDARD_RULES: DeliveryRules = {
  message({ event, secret }) {
    const body = JSON.stringify(payloadOf(event));
    const headers = { ...plainHeaders(event), [SIGNATURE_HEADER]: `sha256=${signature(secret, body, 'hex')}` };
    return { headers, body };
  },
  wait: (attempts, accepted) => (accepted || attempts >= MAX_ATTEMPTS ? null : 2 ** (attempts - 1)),
};

export function payloadOf({ id, type, createdAt, data }: PlatformEvent): JsonObject {
  return { id, type, created_at: new Date(createdAt).toISOString(), data };
}

export function plainHeaders({ id, type }: PlatformEvent): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'commerce-webhooks/1.0',
    'x-webhook-id': id,
    'x-webhook-event': type,
  };
}

/** HMAC-SHA256 unless another algorithm is named. */
export function signature(
  key: string | Buffer,
  content: string,
  encoding: 'hex' | 'base64' | 'base64url',
  algorithm = 'sha256',
): string {
  return createHmac(algorithm, key).update(content).digest(encoding);
}
