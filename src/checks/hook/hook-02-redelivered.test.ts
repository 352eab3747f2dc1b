// HOOK-02: redeliveries are told from other deliveries, and their signatures must still verify.
import { describe, expect, it } from 'vitest';
import {
  ACCEPTED,
  breachesOf,
  deliveryWith,
  hmac,
  judged,
  kindsOf,
  observedIn,
  of,
  REFUSED,
  START,
  signedDelivery,
} from '../../../test/support/checks/hook/deliveries.ts';
import { byEvent } from '../../exchange/delivered-events.ts';
import type { Delivery } from '../../exchange/delivery.ts';

const BODY = '{"id":"evt_1","type":"store.created"}';
const refused = signedDelivery(BODY, { answer: REFUSED });
const again = signedDelivery(BODY, { at: START + 2000 });

describe('a redelivery', () => {
  it('that verifies holds, and is no matter of HOOK-01', () => {
    const found = judged([refused, again]);
    expect(kindsOf('HOOK-01', found)).toEqual(['holds']);
    expect(kindsOf('HOOK-02', found)).toEqual(['holds']);
  });

  it.each([
    ['unsigned', {}, 'a redelivery carries no signature'],
    [
      'signed under another key',
      { 'x-signature': hmac(BODY, 'other').toString('hex') },
      'a redelivery carries a signature that does not verify under the secret',
    ],
    [
      'with a signature that is cut short',
      { 'x-signature': hmac(BODY).toString('hex').slice(0, 40) },
      'a redelivery carries a signature that is cut short',
    ],
  ])('that is %s is a breach of HOOK-02 alone', (_how, headers, cause) => {
    const found = judged([refused, deliveryWith({ body: BODY, headers })]);
    expect(breachesOf('HOOK-02', found).map((breach) => breach.cause)).toEqual([cause]);
    expect(breachesOf('HOOK-01', found)).toEqual([]);
  });

  it('with a timestamp that was not signed anew is a breach', () => {
    const stamped = (stamp: string, signed: string, rest = {}) =>
      deliveryWith({
        body: BODY,
        headers: { 'x-time': stamp, 'x-signature': hmac(`${signed}.${BODY}`).toString('hex') },
        ...rest,
      });
    const first = stamped('1769860800', '1769860800', { answer: REFUSED });
    expect(kindsOf('HOOK-02', judged([first, stamped('1769860802', '1769860802')]))).toEqual(['holds']);
    expect(kindsOf('HOOK-02', judged([first, stamped('1769860802', '1769860800')]))).toEqual(['breached']);
  });

  it('cannot be judged where the delivery before it does not verify either: that is HOOK-01’s finding', () => {
    const [one, two] = [REFUSED, ACCEPTED].map((answer) => signedDelivery(BODY, { answer }, 'another secret'));
    const found = judged([one as Delivery, two as Delivery]);
    expect(kindsOf('HOOK-01', found)).toEqual(['breached']);
    expect(kindsOf('HOOK-02', found)).toEqual(['cannot-tell']);
  });

  it('after a delivery that was accepted is a delivery like any other, and told', () => {
    const found = judged([signedDelivery(BODY), again]);
    expect(kindsOf('HOOK-01', found)).toEqual(['holds', 'holds']);
    expect(kindsOf('HOOK-02', found)).toEqual(['cannot-tell']);
    expect(observedIn(found)['delivered again although accepted']).toBe('1 more delivery of 1 accepted event');
  });
});

describe('without a redelivery', () => {
  const reasonOf = (deliveries: readonly Delivery[]) => of('HOOK-02', judged(deliveries));

  it('nothing is judged, and the reason says why', () => {
    expect(reasonOf([])).toMatchObject([{ kind: 'cannot-tell', reason: 'nothing was delivered' }]);
    expect(reasonOf([signedDelivery(BODY)])).toMatchObject([{ reason: 'every delivery was accepted' }]);
    expect(reasonOf([signedDelivery(BODY, { answer: null })])).toMatchObject([
      { reason: 'the recording does not say what was answered (status)' },
    ]);
    expect(reasonOf([refused, signedDelivery('{"id":"evt_2"}')])).toMatchObject([
      { reasonCode: 'precondition', reason: 'no delivery that was not accepted came again within 120 s' },
    ]);
  });
});

describe('deliveries of one event', () => {
  const same = (one: Delivery, other: Delivery) => byEvent([one, other]).length === 1;

  it('have one body, even if members count the attempts', () => {
    expect(same(refused, again)).toBe(true);
    const attempt = (count: number, id: string) =>
      deliveryWith({ body: `{"id":"${id}","attempt":${count},"sent_at":"2026-01-31T12:00:0${count}Z"}` });
    expect(same(attempt(1, 'a'), attempt(2, 'a'))).toBe(true);
    expect(same(attempt(1, 'a'), attempt(1, 'b'))).toBe(false);
  });

  it('have one id in the headers, if their bodies differ', () => {
    const named = (header: string, id: string, body: string) => deliveryWith({ body, headers: { [header]: id } });
    for (const header of ['webhook-id', 'x-event-id', 'x-github-delivery', 'x-message-id', 'idempotency-key']) {
      expect(same(named(header, '1', 'first'), named(header, '1', 'second'))).toBe(true);
      expect(same(named(header, '1', 'first'), named(header, '2', 'second'))).toBe(false);
    }
    expect(same(named('webhook-id', '1', 'ping'), named('webhook-id', '2', 'ping'))).toBe(false);
    expect(same(named('x-store-id', '1', 'first'), named('x-store-id', '1', 'second'))).toBe(false);
    expect(same(named('x-request-id', '1', 'ping'), named('x-request-id', '2', 'ping'))).toBe(true);
  });

  it('have one id and source, where they are CloudEvents', () => {
    const binary = (source: string, id: string, rest: number) =>
      deliveryWith({ body: `{"n":${rest}}`, headers: { 'ce-specversion': '1.0', 'ce-source': source, 'ce-id': id } });
    const structured = (source: string, id: string, time: number) =>
      deliveryWith({ body: JSON.stringify({ specversion: '1.0', id, source, type: 't', time, data: {} }) });
    for (const sent of [binary, structured]) {
      expect(same(sent('/a', '1', 1), sent('/a', '1', 2))).toBe(true);
      expect(same(sent('/a', '1', 1), sent('/b', '1', 2))).toBe(false);
      expect(same(sent('/a', '1', 1), sent('/a', '2', 1))).toBe(false);
    }
    const event = { specversion: '1.0', source: '/a' };
    const batch = (id: string) => deliveryWith({ body: JSON.stringify([{ ...event, id }]) });
    expect(same(batch('1'), batch('2'))).toBe(false);
  });
});
