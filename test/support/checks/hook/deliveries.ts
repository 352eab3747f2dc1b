// Deliveries for the tests of HOOK, signed by node:crypto alone: nothing here is shared with what is tested.
import { createHmac } from 'node:crypto';
import { type HookJudgement, judgeDeliveries } from '../../../../src/checks/hook/deliveries.ts';
import type { Subscription } from '../../../../src/checks/hook/signing.ts';
import type { Breach, Judgement } from '../../../../src/contract/judgement.ts';
import { type Delivery, type DeliveryAnswer, plainOf } from '../../../../src/exchange/delivery.ts';

export const SECRET = 'a-secret-of-the-subscription';
export const START = Date.UTC(2026, 0, 31, 12);
export const ACCEPTED: DeliveryAnswer = { status: 200, said: 'accept', afterMs: 5, senderLeft: false };
export const REFUSED: DeliveryAnswer = { status: 500, said: '500', afterMs: 5, senderLeft: false };

export function hmac(content: string | Buffer, key: string | Buffer = SECRET, algorithm = 'sha256'): Buffer {
  return createHmac(algorithm, key).update(content).digest();
}

export function deliveryWith({
  headers = {},
  body = '{"id":"evt_1","type":"store.created"}',
  ...rest
}: Partial<Omit<Delivery, 'headers' | 'body'>> & {
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
} = {}): Delivery {
  const received = {
    headers: Object.entries({ host: '127.0.0.1:4567', 'content-type': 'application/json', ...headers }),
    body: Buffer.from(body),
  };
  return {
    id: 'delivery-1',
    at: START,
    method: 'POST',
    path: '/hooks',
    ...received,
    ...plainOf(received),
    answer: ACCEPTED,
    ...rest,
  };
}

/** Signed in the plainest way: hexadecimal over the body, in X-Signature. */
export function signedDelivery(
  body: string,
  { headers, ...rest }: Parameters<typeof deliveryWith>[0] = {},
  secret = SECRET,
): Delivery {
  const signature = `sha256=${hmac(body, secret).toString('hex')}`;
  return deliveryWith({ body, headers: { 'x-signature': signature, ...headers }, ...rest });
}

export function judged(
  deliveries: readonly Delivery[],
  subscription: Partial<Subscription> = {},
  waitedSeconds = 120,
): readonly HookJudgement[] {
  return judgeDeliveries(deliveries, { secret: SECRET, header: null, form: null, ...subscription }, waitedSeconds);
}

/** The judgements on one clause. */
export function of(clause: string, judgements: readonly HookJudgement[]): readonly Judgement[] {
  return judgements.filter((one) => one.clause === clause).map(({ judgement }) => judgement);
}

export function kindsOf(clause: string, judgements: readonly HookJudgement[]): readonly string[] {
  return of(clause, judgements).map(({ kind }) => kind);
}

export function breachesOf(clause: string, judgements: readonly HookJudgement[]): readonly Breach[] {
  return of(clause, judgements).flatMap((one) => (one.kind === 'breached' ? one.breaches : []));
}

/** What was found out, by subject. */
export function observedIn(judgements: readonly HookJudgement[]): Readonly<Record<string, string>> {
  const rows = judgements.flatMap(({ judgement }) => judgement.observed ?? []);
  return Object.fromEntries(rows.map(({ subject, value }) => [subject, value]));
}
