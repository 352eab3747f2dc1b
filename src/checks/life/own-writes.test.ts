// Tests that writes of the run itself explain what a judge of LIFE finds, and nothing else does.
import { expect, test } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { breached } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { OwnWrites } from './own-writes.ts';

function sent(
  at: number,
  method: string,
  path: string,
  status = 200,
  value: Record<string, unknown> | null = null,
): Exchange {
  const body = value === null ? ({ kind: 'none' } as const) : ({ kind: 'json', value } as const);
  return { ...exchangeWith({ plan: { method, path, body }, status, body: value ?? {} }), sentAt: at };
}

const breach = (pointer = '', expected = '1', actual = '2', code = 'life-02.other') =>
  breached([{ weight: 'breach', code, cause: 'differs', message: 'differs', expected, actual, pointer }]);

function kindOf(own: readonly Exchange[], evidence: readonly Exchange[], judgement = breach()): string {
  const writes = new OwnWrites();
  for (const one of own) writes.observe(one);
  return writes.excused(judgement, evidence).kind;
}

const made = sent(1, 'POST', '/things', 201, { name: 'a' });
const gone = sent(9, 'GET', '/things/a', 404);

test('an item that the run deleted meanwhile, or what it lies below, is not missed', () => {
  expect(kindOf([made, sent(5, 'DELETE', '/things/a', 204)], [made, gone])).toBe('cannot-tell');
  expect(kindOf([made, sent(5, 'DELETE', '/things', 204)], [made, gone])).toBe('cannot-tell');
});

test('an item is not missed either where nobody knows what a delete of it did', () => {
  const lost = { ...sent(5, 'DELETE', '/things/a'), response: null };
  for (const one of [lost, sent(5, 'DELETE', '/things/a', 500)])
    expect(kindOf([made, one], [made, gone])).toBe('cannot-tell');
  expect(kindOf([made, sent(5, 'DELETE', '/things/a', 503)], [made, gone])).toBe('breached');
  expect(kindOf([made, { ...sent(5, 'GET', '/things/a'), response: null }], [made, gone])).toBe('breached');
});

test('a delete of another item, before it was made, or that was refused explains nothing', () => {
  for (const other of [
    sent(5, 'DELETE', '/things/b', 204),
    sent(0, 'DELETE', '/things/a', 204),
    sent(5, 'DELETE', '/things/a', 409),
  ])
    expect(kindOf([other, made], [made, gone])).toBe('breached');
});

test('an item is not missed that referred to what the run deleted, or to nothing as anything was deleted', () => {
  const child = sent(2, 'POST', '/parts', 201, { id: 'p', thingId: 7 });
  const missing = sent(9, 'GET', '/parts/p', 404);
  const there = (id: number): Exchange => sent(1, 'GET', `/things/${id}`, 200, { id });
  const deleted = (id: number, at = 5): Exchange => sent(at, 'DELETE', `/things/${id}`, 204);
  const beside = sent(5, 'DELETE', '/parts/q', 204);
  expect(kindOf([child, deleted(7)], [child, missing])).toBe('cannot-tell');
  for (const other of [deleted(8), beside]) {
    expect(kindOf([there(8), child, other], [child, missing])).toBe('cannot-tell');
    expect(kindOf([there(7), child, other], [child, missing])).toBe('breached');
    expect(kindOf([child, other], [child, missing])).toBe('breached');
  }
  expect(kindOf([child, deleted(7, 1)], [child, missing])).toBe('breached');
});

test('an item is not missed in a list before which the run deleted it', () => {
  const [reading, list] = [sent(3, 'GET', '/things/a', 200, { id: 'a' }), sent(9, 'GET', '/things')];
  const judged = (code: string, own: readonly Exchange[]) =>
    kindOf(own, [made, reading, list], breach('', 'one', 'none', code));
  expect(judged('life-01.not-listed', [made, sent(5, 'DELETE', '/things/a', 500)])).toBe('cannot-tell');
  expect(judged('life-01.not-listed', [made, sent(5, 'DELETE', '/things/b', 204)])).toBe('breached');
  expect(judged('life-04.still-listed', [made, sent(5, 'DELETE', '/things/a', 204)])).toBe('breached');
});

test('an item that the run renamed is not missed under its old name', () => {
  expect(kindOf([sent(5, 'PUT', '/things/a', 200, { name: 'b' })], [made, gone])).toBe('cannot-tell');
  expect(kindOf([sent(5, 'PUT', '/things/a', 200, { name: 'a', size: 2 })], [made, gone])).toBe('breached');
});

test('a name that is wrapped is a name, and an id that is not sent is none', () => {
  const wrapped = (at: number, method: string, name: string, status: number) =>
    sent(at, method, method === 'POST' ? '/things' : '/things/a', status, {
      data: { type: 't', attributes: { name } },
    });
  const read = sent(3, 'GET', '/things/a', 200, { id: 'a' });
  expect(kindOf([wrapped(5, 'PUT', 'b', 200)], [wrapped(1, 'POST', 'a', 201), gone])).toBe('cannot-tell');
  expect(kindOf([wrapped(5, 'PUT', 'b', 200)], [read, gone])).toBe('breached');
});

test('the create alone may tell that the name is what an item is addressed by', () => {
  const renamed = sent(5, 'PATCH', '/things/a', 204, { name: 'b' });
  expect(kindOf([made, renamed], [renamed, gone])).toBe('cannot-tell');
  const byId = sent(1, 'POST', '/things', 201, { name: 'other' });
  expect(kindOf([byId, renamed], [renamed, gone])).toBe('breached');
});

test('a create that is answered 200 may have found what was there', () => {
  const [earlier, reading] = [sent(1, 'GET', '/things/a'), sent(9, 'GET', '/things/a')];
  const create = (status: number): Exchange => sent(5, 'POST', '/things', status, { name: 'a' });
  expect(kindOf([earlier, create(200), reading], [create(200), reading])).toBe('cannot-tell');
  expect(kindOf([earlier, create(201), reading], [create(201), reading])).toBe('breached');
  expect(kindOf([create(200), reading], [create(200), reading])).toBe('breached');
});

test('a place in an order moves by what the run wrote beside the item, and by no more', () => {
  const [before, after] = [sent(1, 'GET', '/things/a'), sent(9, 'GET', '/things/a')];
  const beside = [sent(5, 'POST', '/things', 201, { name: 'b', priority: 1 })];
  expect(kindOf(beside, [before, after], breach('/priority'))).toBe('cannot-tell');
  expect(kindOf(beside, [before, after], breach('/priority', '1', '7'))).toBe('breached');
  expect(kindOf(beside, [before, after], breach('/price'))).toBe('breached');
  expect(kindOf([], [before, after], breach('/priority'))).toBe('breached');
});

test('what the run called below the item, or with its name, may have changed its members', () => {
  const write = sent(1, 'PATCH', '/things/17', 200, { slots: 9 });
  const reading = sent(9, 'GET', '/things/17', 200, { name: 'a' });
  const kind = (beside: Exchange, pointer = '/slots', read = reading): string =>
    kindOf([write, beside], [write, read], breach(pointer));
  const [below, named] = [
    sent(5, 'POST', '/things/17/increment', 200, {}),
    sent(5, 'POST', '/things/increment', 200, { names: ['a'], slots: 1 }),
  ];
  expect(kind(below)).toBe('cannot-tell');
  expect(kind(named)).toBe('cannot-tell');
  expect(kind(below, '')).toBe('breached');
  expect(kind(named, '/0/slots', sent(9, 'GET', '/things'))).toBe('breached');
  for (const other of [
    sent(5, 'POST', '/things/increment', 200, { names: ['b'], slots: 17 }),
    sent(5, 'POST', '/things/18/increment', 200, {}),
    sent(5, 'POST', '/things', 201, { name: 'a' }),
    sent(5, 'POST', '/parts', 201, { thing: 'a' }),
    sent(5, 'POST', '/things/increment', 422, { names: ['a'] }),
    sent(0, 'POST', '/things/increment', 200, { names: ['a'] }),
  ])
    expect(kind(other)).toBe('breached');
});
