import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { codeParts, marked, type Piece, unparted, versus, withCommands } from './text.ts';

it('commands of Assay in a reason are marked as code, quoted or not', () => {
  expect(withCommands('judged by assay client -- COMMAND')).toBe('judged by `assay client -- COMMAND`');
  expect(withCommands('conform drains up to 500 calls, "assay load ratelimit" more')).toBe(
    'conform drains up to 500 calls, `assay load ratelimit` more',
  );
});

it('no line parts a number from its unit', () => {
  expect(unparted('98 % succeeded, p99 7.84 ms at 262 requests/s of 3 systems')).toBe(
    '98\u00a0% succeeded, p99 7.84\u00a0ms at 262\u00a0requests/s of 3 systems',
  );
});

it('a sentence is shown with its code marked and without asterisks', () => {
  expect(codeParts('reported as *pending*, `a * b * c`')).toEqual([
    { code: false, text: 'reported as pending, ' },
    { code: true, text: 'a * b * c' },
  ]);
});

const text = (pieces: readonly Piece[]) => pieces.map((piece) => piece.text).join('');
const marks = (pieces: readonly Piece[]) => pieces.filter(({ mark }) => mark).map((piece) => piece.text);

describe('expected against actual', () => {
  test('marks the words that differ', () => {
    const [expected, actual] = versus('a list of at most 20 items', 'a list of at most 21 items');
    expect([marks(expected), marks(actual)]).toEqual([['20'], ['21']]);
  });

  test('marks the lines of JSON that differ', () => {
    const [expected, actual] = versus('{"id":"a","name":"x","n":1}', '{"id":"a","name":"x","n":2}');
    expect([marks(expected), marks(actual)]).toEqual([['  "n": 1\n'], ['  "n": 2\n']]);
  });

  test('marks nothing where little is the same', () => {
    const [expected, actual] = versus('401 with error.code auth_token_invalid', '200');
    expect([...marks(expected), ...marks(actual)]).toEqual([]);
  });

  test('loses no character of texts, whatever they are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        fc.pre(!/^\s*[[{]/.test(left));
        const [expected, actual] = versus(left, right);
        expect([text(expected), text(actual)]).toEqual([left, right]);
      }),
    );
  });
});

describe('lines of a body that a pointer means', () => {
  const body = JSON.stringify(
    { error: { status: 500, errors: [{ field: 'a' }, { field: 'b/c' }] }, 'x/y': { '~': 1 } },
    null,
    2,
  );

  test.each([
    ['/error/status', '    "status": 500,'],
    ['/error/errors/1/field', '        "field": "b/c"'],
    ['/x~1y/~0', '    "~": 1'],
    ['/error/errors/0/code', '      {'],
    ['/error/missing', '  "error": {'],
  ])('%s is marked', (pointer, line) => {
    expect(marks(marked(body, pointer))).toEqual([line]);
  });

  test('of an object are all its lines', () => {
    expect(marks(marked(body, '/x~1y'))).toEqual(['  "x/y": {\n    "~": 1\n  }']);
  });

  test.each([
    ['the whole', body, ''],
    ['what is nowhere', body, '/nowhere'],
    ['no JSON', 'status 500', '/status'],
    ['broken JSON', '{"a', '/b'],
    ['JSON nested without end', '['.repeat(20_000) + ']'.repeat(20_000), '/0/0'],
    ['an empty body', '', '/a'],
  ])('%s is left unmarked', (_, json, pointer) => {
    expect(marks(marked(json, pointer))).toEqual([]);
    expect(text(marked(json, pointer))).toBe(json);
  });

  test('carry the note', () => {
    expect(marked(body, '/error/status', 'expected 404').find(({ mark }) => mark)?.note).toBe('expected 404');
  });

  test('no pointer and no text lose a character', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, pointer) => {
        expect(text(marked(json, `/${pointer}`))).toBe(json);
      }),
    );
  });
});
