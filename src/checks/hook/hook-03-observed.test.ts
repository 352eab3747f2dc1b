// HOOK-03: what deliveries show of a platform, told and never judged.
import { expect, it } from 'vitest';
import {
  ACCEPTED,
  deliveryWith,
  hmac,
  judged,
  kindsOf,
  observedIn,
  REFUSED,
  START,
} from '../../../test/support/checks/hook/deliveries.ts';
import type { DeliveryAnswer } from '../../exchange/delivery.ts';

const HUNG: DeliveryAnswer = { status: null, said: 'hang', afterMs: 5000, senderLeft: true };

function stamped(seconds: number, body: string, attempt: number, answer: DeliveryAnswer) {
  const stamp = String(START / 1000 + seconds);
  const signature = `t=${stamp},v1=${hmac(`${stamp}.${body}`).toString('hex')}`;
  const headers = { 'x-signature': signature, 'x-event-id': body.slice(7, 12), 'x-attempt': String(attempt) };
  return deliveryWith({ body, headers, answer, at: START + seconds * 1000 });
}

const ONE = '{"id":"evt_1","type":"store.created","data":{}}';
const TWO = '{"id":"evt_2","type":"payment.processed","data":{}}';

it('tells kinds, shape, headers, form, schedule, patience and what repeats', () => {
  const found = judged([
    stamped(0, ONE, 1, REFUSED),
    stamped(0, TWO, 1, HUNG),
    stamped(2, ONE, 2, REFUSED),
    stamped(6, ONE, 3, ACCEPTED),
    stamped(6, TWO, 2, ACCEPTED),
  ]);
  expect(kindsOf('HOOK-03', found).every((kind) => kind === 'breached')).toBe(true);
  expect(observedIn(found)).toEqual({
    'event kinds': 'store.created, payment.processed',
    'payload shape': 'application/json, an object with id, type, data',
    'header names': 'x-signature, x-event-id, x-attempt',
    'form of the signature': 'x-signature: hex of {x-signature:t}.{body}, the secret read as text',
    'retry schedule': '1st retry after 1 to 2 s, 2nd retry after 4 s',
    'deliveries not accepted': '500: 2 of 2 came again, hang: 1 of 1 came again',
    'what repeats on redelivery': 'same: x-event-id, the body; other: x-signature, x-attempt',
    'patience of the sender': 'gives up after 5 s',
    'signed timestamp': '0 s from the time of receipt',
    'timestamp of a redelivery': 'made anew',
  });
});

it('tells of stale deliveries, and judges them by their signature alone', () => {
  const stale = { ...stamped(0, ONE, 1, ACCEPTED), at: START + 3_600_000 };
  const found = judged([stale]);
  expect(kindsOf('HOOK-01', found)).toEqual(['holds']);
  expect(observedIn(found)['signed timestamp']).toBe(
    '3600 s from the time of receipt; 1 of 1 by more than five minutes',
  );
});

it('tells a bound where the sender was never seen to give up', () => {
  const kept = { ...HUNG, senderLeft: false };
  expect(observedIn(judged([stamped(0, ONE, 1, kept)]))['patience of the sender']).toBe('more than 5 s');
});

it('tells nothing where nothing was delivered', () => {
  expect(kindsOf('HOOK-03', judged([]))).toEqual([]);
});

it('is unsure of the form where none verifies', () => {
  const found = judged([stamped(0, ONE, 1, ACCEPTED)], { secret: 'another' });
  expect(observedIn(found)['form of the signature']).toBe('unknown');
});

it('events without a body are told apart by their ids', () => {
  const headers = { 'x-signature': hmac('').toString('hex') };
  const all = ['a', 'b', 'c'].map((id) =>
    deliveryWith({ body: '', id, headers: { ...headers, 'x-event-id': `evt_${id}` } }),
  );
  expect(observedIn(judged(all))).not.toHaveProperty('delivered again although accepted');
  const again = deliveryWith({ body: '', id: 'd', headers: { ...headers, 'x-event-id': 'evt_b' } });
  expect(observedIn(judged([...all, again]))).toHaveProperty('delivered again although accepted');
});

it('the type of the content is no kind of event', () => {
  expect(observedIn(judged([deliveryWith({ body: 'a=1', headers: { 'x-event-kind': 'other' } })]))).not.toHaveProperty(
    'event kinds',
  );
});
