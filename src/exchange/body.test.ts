import { describe, expect, it } from 'vitest';
import { exactBody, header, headers, jsonBody } from './body.ts';
import type { Exchange } from './exchange.ts';

function answering(body: string, truncated = false): Exchange {
  return { response: { status: 200, headers: [], body, bytes: body.length, truncated } } as unknown as Exchange;
}

describe('jsonBody', () => {
  it('decodes once', () => {
    const exchange = answering('{"a":[1]}');
    expect(jsonBody(exchange)).toEqual({ ok: true, value: { a: [1] } });
    expect(jsonBody(exchange)).toBe(jsonBody(exchange));
  });

  it('ignores a byte order mark', () => {
    expect(jsonBody(answering('\ufeff[]'))).toEqual({ ok: true, value: [] });
  });

  it.each(['', '<html>', '{"a":'])('is not ok for %j', (body) => {
    expect(jsonBody(answering(body))).toEqual({ ok: false });
  });

  it('is not ok for a cut body or no response', () => {
    expect(jsonBody(answering('[]', true))).toEqual({ ok: false });
    expect(jsonBody({ response: null } as unknown as Exchange)).toEqual({ ok: false });
  });
});

describe('exactBody', () => {
  it('keeps the digits of integers that no number holds, and nothing else as text', () => {
    const text =
      '{"ids":[1189274612837461231,-9007199254740993],"safe":9007199254740991,"share":0.1234567890123456,"most":1e20}';
    const value = {
      ids: ['1189274612837461231', '-9007199254740993'],
      safe: 9007199254740991,
      share: 0.1234567890123456,
      most: 1e20,
    };
    expect(exactBody(answering(text))).toEqual({ ok: true, value });
  });

  it('is the body itself where no integer is so long, and not ok where that is not', () => {
    const exchange = answering('{"id":"1","at":1764000000000}');
    expect(exactBody(exchange)).toBe(jsonBody(exchange));
    expect(exactBody(answering('{"id":1189274612837461231'))).toEqual({ ok: false });
  });
});

describe('header', () => {
  const list = [
    ['Set-Cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ] as const;

  it('finds values without regard to case', () => {
    expect(header(list, 'SET-COOKIE')).toBe('a=1');
    expect(headers(list, 'set-Cookie')).toEqual(['a=1', 'b=2']);
    expect(header(list, 'date')).toBeNull();
  });
});
