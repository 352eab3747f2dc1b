import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { UnjudgedAnswers } from './unjudged.ts';

const whole = exchangeWith();
const cut: Exchange = { ...whole, response: { ...whole.response!, truncated: true } };
const noHttp: Exchange = {
  ...whole,
  response: null,
  failure: { kind: 'protocol', message: 'bad', reusedSocket: false },
};
const unanswered: Exchange = { ...noHttp, failure: { kind: 'reset', message: 'gone', reusedSocket: false } };
const stream: Exchange = {
  ...cut,
  response: { ...cut.response!, headers: [['content-type', 'text/event-stream']] },
};

function reasonAfter(...exchanges: readonly Exchange[]): string | null {
  const answers = new UnjudgedAnswers();
  for (const [at, exchange] of exchanges.entries())
    answers.count({ service: 'admin', operation: `GET /${at % 3}` }, exchange);
  return answers.reason;
}

const times = (count: number, exchange: Exchange): Exchange[] => Array<Exchange>(count).fill(exchange);

describe('too little can be judged', () => {
  it.each([
    ['of answers that are cut in the end', [...times(50, whole), ...times(5, cut)], /^none of the last 5 answers/],
    ['of answers that are no HTTP', [...times(50, whole), ...times(9, noHttp)], /^none of the last 9 answers/],
    ['of requests without an answer', [...times(50, whole), ...times(10, unanswered)], /^none of the last 10 requests/],
    [
      'where most answers are cut',
      [...times(6, unanswered), whole, ...times(6, cut), ...times(8, whole)],
      /^12 of 21 requests/,
    ],
  ])('%s', (_, exchanges, reason) => {
    expect(reasonAfter(...exchanges)).toMatch(reason);
  });

  it.each([
    ['half of the answers are', [...times(9, cut), ...times(9, whole)]],
    ['a few are in the end', [...times(9, whole), ...times(4, cut)]],
    ['requests without an answer are', [...times(10, whole), ...times(9, unanswered)]],
    ['the only ones are', times(9, unanswered)],
    ['streams are', times(9, stream)],
  ])('but not where no more than %s', (_, exchanges) => {
    expect(reasonAfter(...exchanges)).toBeNull();
  });

  it('but not where one operation alone answers so', () => {
    const answers = new UnjudgedAnswers();
    for (const exchange of [...times(20, whole), ...times(9, cut)])
      answers.count({ service: 'admin', operation: 'GET /' }, exchange);
    expect(answers.reason).toBeNull();
  });

  describe('where the target has fallen silent when the run is stopped', () => {
    const began = 1_000_000;
    const sound: Exchange = { ...whole, sentAt: began, durationMs: 50 };
    const waiting = (sentAt: number, durationMs: number): Exchange => ({ ...unanswered, sentAt, durationMs });
    const reasonAtStop = (...stopped: readonly Exchange[]): string | null => {
      const answers = new UnjudgedAnswers();
      for (let at = 0; at < 20; at += 1) answers.count({ service: 'admin', operation: `GET /${at % 3}` }, sound);
      for (const [at, exchange] of stopped.entries())
        answers.countStopped({ service: 'admin', operation: `GET /${at}` }, exchange);
      return answers.reason;
    };

    it('on several operations for long', () => {
      expect(reasonAtStop(...times(8, waiting(began + 60, 4000)))).toMatch(/^the target had fallen silent/);
    });

    it('on requests that were sent beside the last sound answer', () => {
      expect(reasonAtStop(...times(8, waiting(began + 10, 4000)))).toMatch(/^the target had fallen silent/);
    });

    it.each([
      ['for a moment only', times(8, waiting(began + 60, 1500))],
      ['on one request only', [waiting(began + 60, 4000)]],
      ['while others were answered', times(8, waiting(began - 3000, 4000))],
    ])('but not %s', (_, stopped) => {
      expect(reasonAtStop(...stopped)).toBeNull();
    });
  });

  it('answers of those that only ask whether the target is there do not count', () => {
    const asking: Exchange = { ...whole, plan: { ...whole.plan, onlyAlive: true } };
    const mixed = times(10, unanswered).flatMap((one) => [one, asking]);
    expect(reasonAfter(...times(50, whole), ...mixed)).toMatch(/^none of the last 10 requests/);
  });
});
