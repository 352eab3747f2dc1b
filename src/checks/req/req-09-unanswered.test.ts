import { describe, expect, it } from 'vitest';
import { declaring, exchangeWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import { spoken } from '../../../test/support/checks/judging.ts';
import { NO_TERMS } from '../../contract/terms.ts';
import type { Exchange, Failure } from '../../exchange/exchange.ts';
import { type Drops, isMoreThan, judgeAnswered, judgeDrops } from './req-09-unanswered.ts';

const failed = (kind: Failure['kind'], reusedSocket = false): Exchange => ({
  ...exchangeWith({ response: null }),
  failure: { kind, message: kind, reusedSocket },
});
const brokenOff: Exchange = {
  ...exchangeWith({ response: null }),
  failure: { kind: 'reset', message: 'reset', reusedSocket: false, status: 400 },
};
const answered = (status: number): Exchange => exchangeWith({ status });
const causes = (sends: readonly Exchange[], hostile: string | null = null): unknown => {
  const said = spoken(judgeAnswered(sends, null, hostile === null ? null : { code: hostile, name: hostile }, NO_TERMS));
  return typeof said === 'string' ? said : said.map(({ cause }) => cause);
};

describe('REQ-09', () => {
  const rows: [string, readonly Exchange[], string | null, unknown][] = [
    ['an answer', [answered(200)], null, 'holds'],
    ['a 500 to an ordinary request, which SCH-06 judges', [answered(500)], null, 'holds'],
    ['a 4xx to hostile input', [answered(400)], 'emoji', 'holds'],
    ['a time-out', [failed('timeout')], null, ['a request goes unanswered']],
    ['a time-out of hostile input', [failed('timeout')], 'emoji', ['hostile input (emoji) goes unanswered']],
    ['one drop', [failed('reset')], null, 'cannot tell'],
    ['one drop, then answers', [failed('reset'), answered(200), answered(200)], null, 'cannot tell'],
    ['two drops, then an answer', [failed('reset'), failed('reset'), answered(200)], 'emoji', 'cannot tell'],
    ['two drops', [failed('reset'), failed('reset')], null, ['a request drops the connection']],
    ['drops of sockets that had served before', [failed('reset', true), failed('reset', true)], null, 'cannot tell'],
    ['three 500s to hostile input', [500, 500, 500].map(answered), 'emoji', ['hostile input (emoji) is answered 5xx']],
    ['a 500 that does not come again', [500, 200, 500].map(answered), 'emoji', 'holds'],
    ['503s, which the limiter may answer', [503, 503, 503].map(answered), 'emoji', 'holds'],
    ['errors whose bodies break off, which ERR-01 judges', [brokenOff, brokenOff, brokenOff], 'emoji', 'cannot tell'],
    ['a run that was stopped', [failed('aborted')], null, 'cannot tell'],
    ['nothing sent', [], null, 'cannot tell'],
  ];
  it.each(rows)('is judged for %s', (_name, sends, hostile, expected) => {
    expect(causes(sends, hostile)).toEqual(expected);
  });

  it('is no dropped connection where a target that something else has ended is not there', () => {
    const [cut, away] = [failed('reset'), failed('refused')];
    expect(causes([cut, cut, cut])).toEqual(['a request drops the connection']);
    for (const sends of [
      [cut, away, away],
      [away, away, away],
      [away, cut, cut],
    ])
      expect(causes(sends)).toBe('cannot tell');
  });

  it('is not judged by a time-out of less than the 30 s that it allows', () => {
    const failure = { kind: 'timeout', message: '', reusedSocket: false, withinMs: 5000 } as const;
    expect(causes([{ ...failed('timeout'), failure }])).toBe('cannot tell');
  });

  it('is judged for an answer that who waits longer sees come after 30 s', () => {
    const answeredAfter = (durationMs: number): Exchange => ({ ...answered(200), durationMs });
    expect(causes([answeredAfter(41_000)])).toEqual(['a request goes unanswered']);
    expect(causes([answeredAfter(29_000)])).toBe('holds');
    expect(causes([{ ...answeredAfter(41_000), halted: true }])).toBe('holds');
  });

  it('is not judged for a stream of messages, as descriptions of gRPC services tell it, that goes on', () => {
    const operation = operationWith({ responses: [declaring('200', { title: 'Stream result of WatchResponse' })] });
    const failure = { kind: 'timeout', message: '', reusedSocket: false, status: 200 } as const;
    expect(spoken(judgeAnswered([{ ...failed('timeout'), failure }], operation, null, NO_TERMS))).toBe('cannot tell');
  });

  it.each([
    ['application/x-ndjson', 200, 'cannot tell'],
    ['application/x-ndjson', undefined, ['a request goes unanswered']],
    ['text/event-stream', 200, 'cannot tell'],
    ['text/event-stream', undefined, 'cannot tell'],
    ['application/json', 200, ['a request goes unanswered']],
  ])('is judged for %s declared, and %s come by the end of the time', (mediaType, status, expected) => {
    const content = [{ mediaType, schema: null, examples: [] }];
    const operation = operationWith({ responses: [declaring('200', undefined, { content })] });
    const late = failed('timeout');
    const failure = {
      kind: 'timeout',
      message: '',
      reusedSocket: false,
      ...(status === undefined ? {} : { status }),
    } as const;
    const said = spoken(judgeAnswered([{ ...late, failure }], operation, null, NO_TERMS));
    expect(typeof said === 'string' ? said : said.map(({ cause }) => cause)).toEqual(expected);
  });
});

const of = (drops: number, sends: number): Drops => ({ drops, sends });
const answer = exchangeWith({});
const drop: Exchange = {
  ...exchangeWith({ response: null }),
  failure: { kind: 'reset', message: 'reset', reusedSocket: false },
};

describe('drops of an operation', () => {
  it.each([
    ['one in seven, nothing elsewhere', of(4, 28), of(0, 1000), true],
    ['two of two, nothing elsewhere', of(2, 2), of(0, 1000), true],
    ['each of three, nothing else sent', of(3, 3), of(0, 0), true],
    ['one in seven everywhere', of(20, 140), of(150, 1000), true],
    ['one', of(1, 1), of(0, 5000), false],
    ['as many as elsewhere', of(8, 2000), of(4, 1000), false],
    ['some more than elsewhere', of(8, 1000), of(4, 1000), false],
    ['many more than elsewhere', of(30, 1000), of(1, 1000), true],
    ['two of many, nothing elsewhere', of(2, 500), of(0, 500), false],
    ['all there are, where nothing else was sent', of(2, 500), of(0, 0), false],
  ] as const)('%s', (_name, own, elsewhere, expected) => {
    expect(isMoreThan(own, elsewhere)).toBe(expected);
  });

  it('are not held against it where connections are lost as often everywhere, whatever their number', () => {
    for (const times of [1, 10, 100])
      expect(isMoreThan(of(4 * times, 1000 * times), of(4 * times, 1000 * times))).toBe(false);
  });

  it('that show on one request alone are told by its repeats', () => {
    const repeats = [drop, drop, drop];
    const own = { drops: 4, sends: 4000, sound: of(4, 4000), evidence: [drop], looks: [{ first: drop, repeats }] };
    expect(spoken(judgeDrops(own, of(4, 4000), NO_TERMS))).toMatchObject([{ cause: 'a request drops the connection' }]);
    const once = { ...own, looks: [{ first: drop, repeats: [answer, answer, drop] }] };
    expect(spoken(judgeDrops(once, of(4, 4000), NO_TERMS))).toBe('cannot tell');
  });
});
