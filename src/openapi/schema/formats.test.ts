import { RegExpParser } from '@eslint-community/regexpp';
import { expect, it } from 'vitest';
import { BacktrackingBound } from '../patterns/bound.ts';
import { stepsACharacter } from '../patterns/pattern.ts';
import { Program } from '../patterns/program.ts';
import { EXPRESSIONS, FORMATS, isOfFormat } from './formats.ts';

const ofFormats = ['ipv4', 'ipv6', 'uuid', 'hostname'].map((name) => [name, FORMATS[name] as RegExp] as const);

it.each<readonly [string, RegExp]>([...ofFormats, ...Object.entries(EXPRESSIONS)])(
  'no text makes the expression of %s backtrack more than a bounded number of steps a character',
  (_, expression) => {
    const tree = new RegExpParser().parsePattern(expression.source, 0, expression.source.length, { unicode: false });
    const program = new Program(Number.POSITIVE_INFINITY);
    const first = program.add({ expression, tree });
    const bound = new BacktrackingBound(tree, expression.flags);
    expect(bound.starts(1000)).toBe(1);
    expect(stepsACharacter(program, first, expression.flags, Number.POSITIVE_INFINITY)).toBeLessThan(1000);
    expect(bound.around(1e6)).toBeLessThan(5000);
  },
);

it.each<[string, readonly string[], readonly string[]]>([
  [
    'email',
    [
      '"joe bloggs"@example.com',
      '"a@b"@example.com',
      'root@localhost',
      'a@[127.0.0.1]',
      'a@[IPv6:::1]',
      "o'neil+x@example.co.uk",
    ],
    [
      'a.example.com',
      '@example.com',
      'a@',
      'a b@example.com',
      '"a@example.com',
      '"a"b@example.com',
      'a..b@example.com',
      'a@b_c.de',
      'a@[1]',
    ],
  ],
  [
    'date-time',
    ['2026-01-31T10:00:00Z', '2026-01-31 10:00:00.123456789+05:30', '1998-12-31T15:59:60-08:00'],
    [
      '2026-01-31T10:00:00',
      '2026-01-31T10:00:00+01',
      '2026-01-31T10:00:00+0100',
      '2026-02-30T10:00:00Z',
      '2026-01-31T24:00:00Z',
    ],
  ],
  [
    'uri',
    [
      'https://a.example/b?c%5B%5D=d',
      'urn:isbn:0451450523',
      'mailto:a@example.com',
      'http://[::1]:8080/',
      'http://u:p@a.example:1',
    ],
    ['/a', 'http://a.example:x/', 'http:/[::1]', 'a b'],
  ],
])('%s', (format, good, bad) => {
  expect(good.filter((text) => !isOfFormat(format, text))).toEqual([]);
  expect(bad.filter((text) => isOfFormat(format, text))).toEqual([]);
});
