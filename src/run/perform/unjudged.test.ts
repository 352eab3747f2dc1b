import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../checks/testing/exchanges.ts';
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
});
