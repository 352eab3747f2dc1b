import { beforeEach, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { breached, holds } from '../../contract/judgement.ts';
import type { Exchange, Intent } from '../../exchange/exchange.ts';
import { Ledger } from './ledger.ts';

const SPOT = { service: 'admin', operation: 'POST /orders' };
const ELSEWHERE = { service: 'admin', operation: 'GET /orders' };
const CODE = 'sch-06.answered-500';
const sometimes = { code: `${CODE}.now-and-then`, cause: 'now and then', message: 'now and then' };
const broken = (intent: Intent) =>
  breached([
    {
      weight: 'breach',
      code: `${CODE}.${intent}`,
      cause: intent,
      message: intent,
      expected: '201',
      actual: '500',
      sometimes,
    },
  ]);
const sent = (intent: Intent, value: unknown): Exchange =>
  exchangeWith({ plan: { method: 'POST', intent, body: { kind: 'json', value } } });

let books: Ledger;
beforeEach(() => {
  books = new Ledger({ promote: [], expected: [] });
  // The target wavers: elsewhere the same request was answered otherwise, too.
  const [print = ''] = books.book('SCH-06', ELSEWHERE, broken('sound'), [sent('sound', null)]);
  books.markIntermittent(print);
});

const bookSound = (count: number): void => {
  for (let at = 0; at < count; at += 1) books.book('SCH-06', SPOT, holds(), [sent('sound', { at })]);
};
const told = () => {
  books.settleShaky();
  const here = books.findings().filter(({ operation }) => operation === SPOT.operation);
  return here.map(({ code, seen, intermittent }) => ({ code, ...seen, intermittent }));
};

describe('beside a target that wavers', () => {
  it('a body that is answered so each time is told as that, and its hostile finding beside it', () => {
    bookSound(30);
    for (let time = 0; time < 2; time += 1) {
      books.book('SCH-06', SPOT, broken('invalid'), [sent('invalid', { size: 'huge' })]);
      const [print = ''] = books.book('SCH-06', SPOT, broken('hostile'), [sent('hostile', { size: '\u0000' })]);
      books.markStanding(print);
    }
    expect(told().toSorted((one, other) => String(one.code).localeCompare(String(other.code)))).toMatchObject([
      { code: `${CODE}.hostile`, intermittent: false },
      { code: `${CODE}.invalid`, times: 2, of: 2, intermittent: false },
    ]);
  });

  it('what was sent once is counted among the answers to what is wrong in its way', () => {
    bookSound(30);
    books.book('SCH-06', SPOT, holds(), [sent('invalid', { size: -1 })]);
    books.book('SCH-06', SPOT, broken('unauthenticated'), [sent('unauthenticated', { size: 'huge' })]);
    expect(told()).toMatchObject([{ times: 1, of: 2, intermittent: false }]);
  });

  it('what seldom shows among requests of its kind wavers', () => {
    bookSound(20);
    books.book('SCH-06', SPOT, broken('sound'), [sent('sound', { at: 20 })]);
    bookSound(20);
    expect(told()).toMatchObject([{ code: sometimes.code, times: 1, of: 41, intermittent: true }]);
  });

  it('a request that is answered otherwise later is not steady', () => {
    for (let time = 0; time < 2; time += 1) books.book('SCH-06', SPOT, broken('sound'), [sent('sound', { at: 0 })]);
    bookSound(20);
    expect(told()).toMatchObject([{ code: sometimes.code, intermittent: true }]);
  });
});
