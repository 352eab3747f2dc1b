import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { RunEvents } from './events.ts';
import { RunEnded } from './interruption.ts';

const TOLD = { kind: 'exchange', exchange: exchangeWith({ id: 'ex-7' }) } as const;

it('subscribers to one kind hear an event in the order in which they came, also where one of them throws', () => {
  const events = new RunEvents();
  const heard: string[] = [];
  events.on('exchange', ({ exchange }) => heard.push(`first ${exchange.id}`));
  events.on(
    'exchange',
    () => {
      throw new TypeError('a defect');
    },
    { clauses: ['ERR-04'], where: 'a check' },
  );
  events.on('stopped', () => heard.push('another kind'));
  events.on('exchange', () => heard.push('last'));
  events.tell(TOLD);
  expect(heard).toEqual(['first ex-7', 'last']);
  expect(events.errors.rows()).toMatchObject([
    { clauses: ['ERR-04'], where: 'a check', error: 'TypeError', exchange: 'ex-7', times: 1 },
  ]);
});

it('what ends the run is thrown on', () => {
  const events = new RunEvents();
  events.on('exchange', () => {
    throw new RunEnded('target-lost', 'gone');
  });
  expect(() => events.tell(TOLD)).toThrow(RunEnded);
});
