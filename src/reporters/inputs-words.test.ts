import { describe, expect, it } from 'vitest';
import type { OpenInput, OperationRow, Report } from '../contract/report.ts';
import { inputsOfOperation, inputsSentence } from './inputs-words.ts';

const open = (reason: OpenInput['reason'], at = '/query/limit'): OpenInput => ({ at, kind: 'minimum', reason });
const row = (targets: number, left: readonly OpenInput[]) =>
  ({ tested: true, inputs: { targets, exercised: targets - left.length, open: left } }) as unknown as OperationRow;

const CONFORM = { seed: 1 } as Report['run'];

describe('the inputs of a report', () => {
  it('are told with what is open, by reason, the commonest first', () => {
    const operations = [row(10, [open('precondition')]), row(20, [open('budget'), open('budget')])];
    expect(inputsSentence({ operations, run: CONFORM })).toBe(
      '27 of 30 targets exercised; 3 open: 2 left out by the request budget, 1 a precondition was not met',
    );
  });

  it('are not said to lack a budget where none was set', () => {
    const deep: OpenInput = { ...open('budget'), note: 'without --budget a run goes only so deep on each operation' };
    expect(inputsSentence({ operations: [row(10, [deep])], run: CONFORM })).toBe(
      '9 of 10 targets exercised; 1 open: 1 deeper than a run without --budget goes',
    );
  });

  it('are not said to lack time where no limit was set', () => {
    const late: OpenInput = { ...open('time-limit'), note: 'the run fits itself to its time; --full judges all' };
    expect(inputsSentence({ operations: [row(10, [late, open('time-limit')])], run: CONFORM })).toBe(
      '8 of 10 targets exercised; 2 open: 1 left out to fit the run to its time, 1 the time limit was reached',
    );
  });

  it('are told of traffic by what it held', () => {
    const run = { ...CONFORM, command: 'check' as const };
    expect(inputsSentence({ operations: [row(10, [open('precondition')])], run })).toBe(
      '9 of 10 targets exercised; 1 open: 1 the traffic did not exercise it',
    );
  });

  it('are not told where no row has them', () => {
    expect(inputsSentence({ operations: [{} as OperationRow], run: CONFORM })).toBeNull();
  });

  it('are told for an operation with the places that are open', () => {
    expect(inputsOfOperation(row(3, [open('budget')]))).toBe(
      '2 of 3 input targets exercised; open: /query/limit minimum',
    );
    expect(inputsOfOperation(row(3, []))).toBe('3 of 3 input targets exercised');
  });
});
