import { describe, expect, it } from 'vitest';
import { type Changes, errorExchange, errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Effects } from '../../facts/effects.ts';
import { KeyedHistory } from '../../facts/key-history.ts';
import { identityOf } from '../../facts/resource.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { judgeNewest } from '../law.ts';
import { bodyDifference } from './difference.ts';
import { IDEM_LAWS } from './family.ts';
import { judgeRefusedForGood } from './idem-02-one-effect.ts';
import { judgeRefused } from './idem-04-separate.ts';
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

const OPERATION = { neverTwice: true } as Operation;

/** One step under a key: an answer, answers at once, the ids that a list shows, or the effects that a thing shows since it was read before. */
type Step =
  | Exchange
  | readonly Exchange[]
  | { readonly shown: readonly string[] | null }
  | { readonly effects: number | null }
  | { readonly reused: Exchange; readonly effectsOfIt: number };

const OTHER_BODY = { idempotency: { otherBody: { statuses: [422], code: null } }, errors: null } as unknown as Terms;
const changed = (count: number): Effects => ({
  ...{ least: count, most: count, member: '/balance' },
  told: `balance goes from 0 to ${count}`,
});

/** The judgement of the clause on the last step; null for none. */
function judged(clause: string, ...steps: readonly Step[]): Judgement | null {
  const history = new KeyedHistory(OPERATION, { contract: 'commerce', terms: OTHER_BODY }).of('a');
  for (const step of steps)
    if ('shown' in step) history.add('looked', [], step.shown);
    else if ('effects' in step) history.add('watched', [], step.effects === null ? null : changed(step.effects));
    else if ('reused' in step) history.add('reused', [step.reused, answer()], changed(step.effectsOfIt));
    else if ('plan' in step) history.add('sent', [step]);
    else history.add('together', step);
  return judgeNewest(IDEM_LAWS, history).find((said) => said.clause === clause)?.judgement ?? null;
}

describe('a law over the history of a key', () => {
  const other = (status: number, body: unknown = STORE): Exchange => answer(status, body);
  const listed = (...shown: readonly string[]): Step => ({ shown });
  const unlisted: Step = { shown: null };

  it.each<[string, string, readonly Step[], readonly string[] | string]>([
    ['IDEM-01', 'an equal answer', [answer(), answer()], 'holds'],
    ['IDEM-01', 'another status', [answer(), other(200)], ['a replay has another status than the original']],
    ['IDEM-01', 'another body', [answer(), other(201, {})], ['a replay has another body than the original']],
    ['IDEM-01', 'a refusal', [answer(), refusedAs(409)], ['a replay is refused']],
    ['IDEM-01', 'a first refusal', [refusedAs(400)], 'cannot-tell'],
    ['IDEM-01', 'nothing', [answer(), droppedAs()], 'cannot-tell'],
    ['IDEM-01', 'a throttle', [answer(), refusedAs(429)], 'cannot-tell'],
    ['IDEM-01', 'a token that may have run out', [answer(), refusedAs(401)], 'cannot-tell'],
    ['IDEM-01', 'a cut body', [answer(), answer(201, STORE, { response: { truncated: true } })], 'cannot-tell'],
    ['IDEM-05', 'the same result', [answer(), answer()], 'holds'],
    ['IDEM-05', 'another id', [answer(), other(201, { id: 'b' })], ['a payment is executed again under its key']],
    ['IDEM-05', 'another amount', [answer(), other(201, { id: 'store_1' })], ['a payment resent has another result']],
    ['IDEM-05', 'a refusal', [answer(), refusedAs(409)], ['a payment resent is not answered its result']],
    ['IDEM-05', 'a throttle', [answer(), refusedAs(429)], 'cannot-tell'],
    ['IDEM-02', 'one in the list', [answer(), answer(), listed('store_1')], 'holds'],
    ['IDEM-02', 'two there', [answer(), answer(), listed('store_1', 'b')], ['a list shows two effects of one key']],
    ['IDEM-02', 'two there before', [answer(), listed('store_1', 'b'), answer(), listed('store_1', 'b')], 'holds'],
    ['IDEM-02', 'no list, one id', [answer(), answer(), unlisted], 'cannot-tell'],
    ['IDEM-02', 'neither list nor id', [other(201, {}), other(201, {}), listed()], 'cannot-tell'],
    [
      ...(['IDEM-02', 'no list, two ids', [answer(), other(201, { id: 'b' }), unlisted]] as const),
      ['the answers tell of two effects of one key'],
    ],
    ['IDEM-03', 'equal answers that a list bears out', [[answer(), answer()], listed('store_1')], 'holds'],
    ['IDEM-03', 'equal answers that none does', [[answer(), answer()]], 'cannot-tell'],
    ['IDEM-03', 'one success', [[refusedAs(409), answer(), refusedAs(425)], listed('store_1')], 'holds'],
    ['IDEM-03', 'throttles', [[answer(), refusedAs(429), refusedAs(503), droppedAs()]], 'cannot-tell'],
    ['IDEM-03', 'two ids', [[answer(), other(201, { id: 'b' })]], ['sends at once have more than one effect']],
    ['IDEM-03', 'two listed', [[answer(), answer()], listed('a', 'b')], ['sends at once have more than one effect']],
    ['IDEM-03', 'a server error', [[answer(), refusedAs(500)]], ['sends at once are answered a server error']],
    ['IDEM-03', 'no envelope', [[answer(), other(409, {})]], ['sends at once are refused without the envelope']],
    ['IDEM-03', 'another status', [[answer(), other(200)]], ['sends at once differ in their status']],
    ['IDEM-03', 'another body', [[answer(), other(201, { id: 'store_1' })]], ['sends at once differ in their body']],
    ['IDEM-03', 'a redirect', [[answer(), other(302)]], ['sends at once are answered neither a success nor a 4xx']],
    [
      ...(['IDEM-03', 'an earlier original', [other(201, { id: 'z' }), [answer(), answer()]]] as const),
      ['sends at once have more than one effect'],
    ],
    ['IDEM-02', 'a thing that stays', [answer(), { effects: 1 }, answer(), { effects: 0 }], 'holds'],
    [
      ...(['IDEM-02', 'a thing that changes', [answer(), { effects: 1 }, answer(), { effects: 1 }]] as const),
      ['a key that is sent again changes a thing once more'],
    ],
    [
      ...(['IDEM-05', 'a thing that changes', [answer(), { effects: 1 }, answer(), { effects: 1 }]] as const),
      ['a key that is sent again changes a thing once more'],
    ],
    ['IDEM-03', 'a thing that changes once', [[answer(), answer()], { effects: 1 }], 'holds'],
    [
      ...(['IDEM-03', 'a thing that changes twice', [[answer(), answer()], { effects: 2 }]] as const),
      ['sends at once have more than one effect'],
    ],
    ['IDEM-04', 'a thing that changes', [answer(), { effects: 1 }], 'holds'],
    ['IDEM-04', 'a thing that stays', [answer(), { effects: 0 }], ['no key has no effect of its own']],
    ['IDEM-04', 'a thing that counts nothing', [answer(), { effects: null }], 'cannot-tell'],
    ['IDEM-08', 'the refusal that is stated', [answer(), { reused: refusedAs(422), effectsOfIt: 0 }], 'holds'],
    [
      ...(['IDEM-08', 'a refusal with an effect', [answer(), { reused: refusedAs(422), effectsOfIt: 1 }]] as const),
      ['another body under a known key is refused and has an effect'],
    ],
    [
      ...(['IDEM-08', 'another refusal', [answer(), { reused: refusedAs(409), effectsOfIt: 0 }]] as const),
      ['another body under a known key is refused with another status'],
    ],
    [
      ...(['IDEM-08', 'the first response', [answer(), { reused: answer(), effectsOfIt: 0 }]] as const),
      ['another body under a known key is answered the first response'],
    ],
    ['IDEM-04', 'an id of its own', [answer()], 'holds'],
    ['IDEM-04', 'no id', [other(201, {})], 'cannot-tell'],
    ['IDEM-04', 'a refusal', [refusedAs(409)], 'cannot-tell'],
  ])('%s says of %s what is so', (clause, _what, steps, expected) => {
    const said = judged(clause, ...steps);
    expect(said && causes(said)).toEqual(expected);
  });

  it('says on what IDEM-05 rests', () => {
    expect(judged('IDEM-05', answer(), answer())?.observed).toMatchObject([
      { value: 'answered its result', basis: expect.stringContaining('not seen from outside') },
    ]);
  });

  it.each([
    ['key-1', 'KEY-1', 'a key that differs in case'],
    ['key-1', 'key1', 'a key that differs in its dashes'],
    ['key-1', 'key-2', 'a key that differs in one character'],
    ['key-1', 'other', 'another key and an equal body'],
    ['key-1', null, 'no key and an equal body'],
  ])('tells how %s differs from %s where both are answered one resource', (first, second, how) => {
    const among = new KeyedHistory(OPERATION);
    const keyed = (key: string | null): Exchange =>
      answer(201, STORE, { plan: { headers: key === null ? [] : [['Idempotency-Key', key]] } });
    among.of(first).add('sent', [keyed(first)]);
    const history = among.of(second);
    history.add('sent', [keyed(second)]);
    const [said] = judgeNewest(IDEM_LAWS, history).filter(({ clause }) => clause === 'IDEM-04');
    expect(said && causes(said.judgement)).toEqual([`${how} is answered with the first resource`]);
  });
});

/** Answers to the same request as the others. */
function refusedAs(status: number): Exchange {
  return { ...refused(status), plan: answer().plan };
}

function droppedAs(): Exchange {
  return { ...dropped, plan: answer().plan };
}

describe('a key that the limiter refused at first', () => {
  const between = (old: Exchange, after: Exchange = answer()) => ({ old, fresh: [answer(), after] as const });

  it('is refused for good where fresh keys are answered successes before and after it', () => {
    const judged = judgeRefusedForGood(refused(429), [between(refused(429)), between(refused(429))]);
    expect(causes(judged.judgement)).toEqual(['a key refused with 429 stays refused']);
  });

  it.each([
    ['it was admitted once', [between(refused(429)), between(answer())]],
    ['fresh keys were refused, too', [between(refused(429)), between(refused(429), refused(429))]],
    ['nothing was sent', []],
  ])('is no matter of the key where %s', (_, turns) => {
    expect(causes(judgeRefusedForGood(refused(429), turns).judgement)).toBe('cannot-tell');
  });
});

describe('IDEM-04', () => {
  it('is breached by a key refused again and again', () => {
    expect(causes(judgeRefused(refused(409), 'key-case'))).toEqual([
      'a key that differs in case is refused as if the key had been used',
    ]);
    expect(causes(judgeRefused(refused(429), 'key-case'))).toBe('cannot-tell');
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
