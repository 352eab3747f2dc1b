import { describe, expect, it } from 'vitest';
import { type Changes, errorExchange, errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { identityOf } from '../../facts/identity.ts';
import { bodyDifference } from './difference.ts';
import { judgePaidOnce, judgeReplay } from './idem-01-and-05-replay.ts';
import {
  judgeOneEffect,
  judgeRefusedForGood,
  judgeRefusedKey,
  judgeSeparate,
  judgeTogether,
} from './idem-02-to-04-effects.ts';
import { judgeSilent } from './idem-06-silent-header.ts';
import { observeForm, observeReuse } from './idem-07-observed.ts';

const STORE = { id: 'store_1', name: 'Corner', address: { city: 'Bern', zip: ['30', '11'] } };

function answer(status = 201, body: unknown = STORE, changes: Changes = {}): Exchange {
  return exchangeWith({ status, body, plan: { method: 'POST', path: '/api/v1/stores' }, ...changes });
}

const paid = (body: unknown, status = 200): Exchange =>
  answer(status, body, { plan: { path: '/api/v1/stores/process-payment' } });
const refused = (status: number): Exchange => errorExchange(errorObject({ status, code: 'conflict' }));
const dropped = exchangeWith({ response: null });

function causes(judgement: Judgement): readonly string[] | string {
  return judgement.kind === 'breached' ? judgement.breaches.map(({ cause }) => cause) : judgement.kind;
}

describe('bodyDifference', () => {
  it('is null for members in another order and white space', () => {
    const other = answer(201, '{"name":"Corner",\n "address":{"zip":["30","11"],"city":"Bern"}, "id":"store_1"}');
    expect(bodyDifference(answer(), other)).toBeNull();
  });

  it.each([
    ['a nested member', { ...STORE, address: { ...STORE.address, zip: ['30', '12'] } }, '/address/zip/1'],
    ['a member more', { ...STORE, extra: null }, '/extra'],
    ['a member less', { id: 'store_1', name: 'Corner' }, '/address'],
    ['a longer array', { ...STORE, address: { ...STORE.address, zip: ['30', '11', ''] } }, '/address/zip'],
    [
      'a member that is inherited on one side',
      JSON.parse('{"id":"store_1","name":"Corner","address":{"city":"Bern","zip":["30","11"]},"constructor":1}'),
      '/constructor',
    ],
    ['no JSON', '<html>', ''],
  ])('points to %s', (_what, body, pointer) => {
    expect(bodyDifference(answer(), answer(201, body))?.pointer).toBe(pointer);
  });

  it('points to the first of several, in the order of the original', () => {
    const both = { ...STORE, name: 'Other', address: { city: 'Basel', zip: STORE.address.zip } };
    expect(bodyDifference(answer(), answer(201, both))?.pointer).toBe('/name');
  });

  it('is found however deep it lies', () => {
    const nested = (innermost: string): string => `${'{"a":['.repeat(50_000)}${innermost}${']}'.repeat(50_000)}`;
    expect(bodyDifference(answer(201, nested('1')), answer(201, nested('1')))).toBeNull();
    expect(bodyDifference(answer(201, nested('1')), answer(201, nested('2')))).toMatchObject({ actual: '2' });
  });
});

describe('identityOf', () => {
  it.each<[unknown, string | null]>([
    [{ id: 7 }, '7'],
    [{ data: { id: 'a' } }, 'a'],
    [{ store: { uuid: 'b' } }, 'b'],
    [{ store_id: 'c', account_id: 'x' }, 'c'],
    [{ status: 'ok', code: 'done', account_id: 'x' }, null],
    [[{ id: 'a' }], null],
    ['text', null],
  ])('of %j is %j', (body, id) => {
    expect(identityOf(answer(201, body))).toBe(id);
  });

  it('of a payment is its own, not that of the store it names', () => {
    expect(identityOf(paid({ store_id: 's', transactionId: 't' }))).toBe('t');
  });
});

describe('IDEM-01', () => {
  it('holds for an equal answer whose headers differ', () => {
    const replay = answer(201, STORE, { headers: [['idempotent-replayed', 'true']] });
    expect(causes(judgeReplay(answer(), replay, 'send 2'))).toBe('holds');
  });

  it.each([
    [answer(200), 'a replay has another status than the original'],
    [answer(201, { ...STORE, id: 'store_2' }), 'a replay has another body than the original'],
    [refused(409), 'a replay is refused'],
  ])('is breached by another answer', (replay, cause) => {
    expect(causes(judgeReplay(answer(), replay, 'send 2'))).toEqual([cause]);
  });

  it.each([
    [refused(400), answer()],
    [answer(), dropped],
    [answer(), refused(429)],
    [answer(), refused(503)],
    [answer(), refused(401)],
    [answer(), answer(201, STORE, { response: { truncated: true } })],
  ])('cannot be told without two answers to compare', (original, replay) => {
    expect(causes(judgeReplay(original, replay, 'send 2'))).toBe('cannot-tell');
  });
});

describe('a key that the limiter refused at first', () => {
  const between = (old: Exchange, after: Exchange = answer()) => ({ old, fresh: [answer(), after] as const });

  it('is refused for good where fresh keys are answered successes before and after it', () => {
    const judged = judgeRefusedForGood([between(refused(429)), between(refused(429))]);
    expect(causes(judged)).toEqual(['a key refused with 429 stays refused']);
  });

  it.each([
    ['it was admitted once', [between(refused(429)), between(answer())]],
    ['fresh keys were refused, too', [between(refused(429)), between(refused(429), refused(429))]],
    ['nothing was sent', []],
  ])('is no matter of the key where %s', (_, turns) => {
    expect(causes(judgeRefusedForGood(turns))).toBe('cannot-tell');
  });
});

describe('IDEM-05', () => {
  it.each<[string, Exchange, readonly string[] | string]>([
    ['the same result', paid({ id: 'p1' }, 202), 'holds'],
    ['another payment', paid({ id: 'p2' }), ['a payment is executed again under its key']],
    ['another amount', paid({ id: 'p1', amount: 2 }), ['a payment resent has another result']],
    ['a refusal', refused(409), ['a payment resent is not answered its result']],
    ['a throttle', refused(429), 'cannot-tell'],
    ['nothing', dropped, 'cannot-tell'],
  ])('on %s', (_what, resent, expected) => {
    expect(causes(judgePaidOnce(paid({ id: 'p1' }), resent, 'send 2'))).toEqual(expected);
  });
});

it('IDEM-05 says on what it rests', () => {
  expect(judgePaidOnce(paid({ id: 'p1' }), paid({ id: 'p1' }), 'send 2').observed).toMatchObject([
    { value: 'answered its result', basis: expect.stringContaining('not seen from outside') },
  ]);
});

describe('IDEM-02', () => {
  it.each<[string, readonly string[] | null, readonly Exchange[], readonly string[] | string]>([
    ['one in the list', ['store_1'], [answer(), answer()], 'holds'],
    ['two in the list', ['store_1', 'store_2'], [answer(), answer()], ['a list shows two effects of one key']],
    ['no list, one id', null, [answer(), answer()], 'cannot-tell'],
    ['no list, two ids', null, [answer(), answer(201, { id: 'b' })], ['the answers tell of two effects of one key']],
    ['a list that does not show it', [], [answer()], 'cannot-tell'],
    ['neither', null, [answer(201, {})], 'cannot-tell'],
  ])('on %s', (_what, shown, answers, expected) => {
    expect(causes(judgeOneEffect(answers.length, answers, shown))).toEqual(expected);
  });
});

describe('IDEM-03', () => {
  it.each<[string, readonly Exchange[], readonly string[] | null, readonly string[] | string]>([
    ['equal answers', [answer(), answer()], ['store_1'], 'holds'],
    ['equal answers that no list bears out', [answer(), answer()], null, 'cannot-tell'],
    ['one success and refusals', [refused(409), answer(), refused(425), refused(422)], ['store_1'], 'holds'],
    ['refusals alone', [refused(409), refused(409)], null, 'cannot-tell'],
    ['throttles and drops', [answer(), refused(429), refused(503), dropped], null, 'cannot-tell'],
    ['two ids', [answer(), answer(201, { id: 'b' })], null, ['sends at once have more than one effect']],
    ['one id, two in the list', [answer(), answer()], ['store_1', 'b'], ['sends at once have more than one effect']],
    ['a server error', [answer(), refused(500)], null, ['sends at once are answered a server error']],
    [
      'a bare refusal',
      [answer(), answer(409, { message: 'x' })],
      null,
      ['sends at once are refused without the envelope'],
    ],
    ['another status', [answer(), answer(200)], null, ['sends at once differ in their status']],
    ['another body', [answer(), answer(201, { ...STORE, name: 'x' })], null, ['sends at once differ in their body']],
    ['a redirect', [answer(), answer(302)], null, ['sends at once are answered neither a success nor a 4xx']],
  ])('on %s', (_what, answers, shown, expected) => {
    expect(causes(judgeTogether(null, answers, shown))).toEqual(expected);
  });

  it('compares with an earlier original', () => {
    expect(causes(judgeTogether(answer(201, { id: 'z' }), [answer(), answer()], null))).toEqual([
      'sends at once have more than one effect',
    ]);
  });
});

describe('IDEM-04', () => {
  it.each<[string, Exchange | null, Exchange, string | null, readonly string[] | string]>([
    ['an id of its own', null, answer(), 'store_1', 'holds'],
    ["an earlier send's id", answer(), answer(), 'store_1', ['another key is answered with the first resource']],
    ['no id', null, answer(), null, 'cannot-tell'],
    ['a refusal', null, refused(409), null, 'cannot-tell'],
    ['nothing', null, dropped, null, 'cannot-tell'],
  ])('on %s', (_what, owner, given, identity, expected) => {
    expect(causes(judgeSeparate(owner, given, identity, 'other-key'))).toEqual(expected);
  });

  it('is breached by a key refused again and again', () => {
    expect(causes(judgeRefusedKey(refused(409), 'key-case'))).toEqual([
      'a key that differs in case is refused as if the key had been used',
    ]);
    expect(causes(judgeRefusedKey(refused(429), 'key-case'))).toBe('cannot-tell');
  });
});

describe('IDEM-06', () => {
  it.each<[string, readonly Exchange[], readonly Exchange[], readonly string[] | string]>([
    ['a success with the header', [answer()], [], 'holds'],
    [
      'a refusal with it alone',
      [refused(400), refused(400)],
      [answer(), answer()],
      ['the idempotency key turns a success into an error'],
    ],
    [
      'a server error with it alone',
      [refused(500), refused(500)],
      [answer(), answer()],
      ['the idempotency key turns a success into an error'],
    ],
    ['a refusal without it, too', [refused(409)], [refused(409)], 'cannot-tell'],
    ['a refusal now and then', [refused(409), answer()], [answer(), answer()], 'cannot-tell'],
    ['a throttle', [refused(429), refused(429)], [answer(), answer()], 'cannot-tell'],
    ['one look only', [refused(400)], [answer()], 'cannot-tell'],
    ['nothing', [dropped], [], 'cannot-tell'],
  ])('on %s', (_what, keyed, plain, expected) => {
    expect(causes(judgeSilent(keyed, plain, 'with Idempotency-Key'))).toEqual(expected);
  });
});

describe('IDEM-07', () => {
  const LONG_KEY = { name: 'long', inWords: 'a long key' };

  it.each<[Exchange, string]>([
    [refused(422), 'the same key with another body is refused'],
    [answer(), 'the same key with another body is answered the first response'],
    [answer(201, { id: 'b' }), 'the same key with another body has an effect of its own'],
    [refused(503), 'the same key with another body is not answered'],
    [dropped, 'the same key with another body is not answered'],
  ])('names what a second use brings', (second, cause) => {
    const judgement = observeReuse('other-body', answer(), second);
    expect(judgement).toMatchObject({ kind: 'breached', breaches: [{ weight: 'observation', cause }] });
  });

  it('tells whether an unusual key is taken', () => {
    expect(causes(observeForm(LONG_KEY, answer()))).toEqual(['a long key is accepted']);
    expect(causes(observeForm(LONG_KEY, refused(400)))).toEqual(['a long key is refused']);
    expect(causes(observeForm(LONG_KEY, dropped))).toEqual(['a long key is not answered']);
  });
});
