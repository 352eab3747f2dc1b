// Tries which forms of secrets are found in texts, from how many characters on, and that masks leave a text as it was.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, RunTable } from '../redaction.ts';
import { formsOf } from './forms.ts';
import { RunSearch } from './runs.ts';

const KEY = 'sk_live_9f8e7d6c5b4a39281706abcdefXYZW';
const ALTERED = `${KEY.slice(0, -4)}AAAA`;
const redactor = createRedactor([
  { name: 'key std-1', value: KEY },
  { name: 'key std-1', value: ALTERED, altered: 'last 4 characters' },
]);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a secret', () => {
  it.each([
    ['as it is', KEY, '[redacted key std-1]'],
    ['in lower case', KEY.toLowerCase(), '[redacted key std-1]'],
    ['in upper case', KEY.toUpperCase(), '[redacted key std-1]'],
    ['over lines', KEY.match(/.{1,5}/g)?.join('\n'), '[redacted key std-1]'],
    ['in UTF-16', [...KEY].join('\0'), '[redacted key std-1]'],
    [
      'in \\u escapes',
      [...KEY].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join(''),
      '[redacted key std-1]',
    ],
    ['in HTML', [...KEY].map((one) => `&#${one.charCodeAt(0)};`).join(''), '[redacted key std-1]'],
    ['in percent signs of percent signs', KEY.replaceAll('_', '%255f'), '[redacted key std-1]'],
    ['in base64, but for a letter that its neighbours share', base64(KEY), '[redacted key std-1 in base64]c='],
    ['in hex', Buffer.from(KEY).toString('hex').toUpperCase(), '[redacted key std-1 in hex]'],
    ['in part', KEY.slice(0, 12), '[part of key std-1]'],
    ['altered', ALTERED, '[altered key std-1: last 4 characters]'],
    ['altered, in hex', Buffer.from(ALTERED).toString('hex'), '[altered key std-1: last 4 characters, in hex]'],
  ])('is concealed %s', (_, text = '', marker) => {
    expect(redactor.conceal(`<${text}>`)).toBe(`<${marker}>`);
    expect(redactor.conceal(redactor.conceal(text))).toBe(redactor.conceal(text));
  });

  it('is concealed where letters beyond ASCII are in upper case, percent-encoded, and have zeros between them', () => {
    const foreign = 'EykZtxNonUOжRJK字MØ5JaIzåaY6E字Soéd1éMQ';
    const apart = [...foreign.toUpperCase()].map((one) => `${encodeURIComponent(one)}%00`).join('');
    const concealed = createRedactor([{ name: 'key std-1', value: foreign }]).conceal(`<${apart}>`);
    expect(concealed).toMatch(/^<\[(redacted|part of) key std-1\].{0,6}>$/);
  });

  it.each(['&amp;(Z?\\NU~', '%26amp;%28Z%3f%5cNU~', '%26%61%6d%70%3b%28%5a%3f%5c%4e%55%7e'])(
    'is concealed in part with a backslash of its own beside escapes of another kind: %s',
    (text) => {
      const known = createRedactor([{ name: 'key k', value: 'I1IvflCww:.D`7ge=>$%~t^Fq&(Z?\\NU~' }]);
      expect(known.conceal(`<${text}>`)).toBe('<[part of key k]>');
    },
  );

  it('is found in base64 of base64', () => {
    expect(redactor.found(base64(`Basic ${base64(`user:${KEY}`)}`))).toEqual(['key std-1']);
  });

  it('is found whole alone: a hint at it is no echo', () => {
    expect(redactor.found(`${KEY.slice(0, 12)}…${KEY.slice(-8)}`)).toEqual([]);
    expect(redactor.found(ALTERED)).toEqual(['altered key std-1: last 4 characters']);
  });
});

describe('what checks judge', () => {
  it('keeps what has fewer than sixteen characters in common with a key', () => {
    const text = `{"hint":"${KEY.slice(0, 15)}"}`;
    expect(redactor.redact(text)).toBe(text);
    expect(redactor.conceal(text)).toBe('{"hint":"[part of key std-1]"}');
    expect(redactor.redact(KEY.slice(0, 16))).toBe('[part of key std-1]');
  });
});

describe('a mask', () => {
  it('cuts no escape in half', () => {
    const known = createRedactor([{ name: 'key k', value: 'nabcdefghijklmno' }]);
    expect(JSON.parse(known.conceal('{"a":"x\\nabcdefgh"}'))).toEqual({
      a: 'x\nabcdefgh'.replace('\nabcdefgh', '[part of key k]'),
    });
  });

  it('keeps seven characters, and a text without secrets the same string', () => {
    for (const text of [KEY.slice(8, 15), 'nothing', '{"a":"\\u0041 %20 &amp;"}'])
      expect(redactor.conceal(text)).toBe(text);
  });

  it('is not masked itself where a key is named in its token', () => {
    const known = createRedactor([{ name: 'key standard-1', value: 'standard-1-0123456789' }]);
    expect(known.conceal('standard-1-0123456789')).toBe('[redacted key standard-1]');
    expect(known.conceal('[redacted key standard-1]')).toBe('[redacted key standard-1]');
  });

  it('is not kept off by brackets of somebody else', () => {
    expect(redactor.conceal(`[redacted ${KEY}]`)).toBe('[redacted [redacted key std-1]]');
  });
});

it('k6 finds what Node finds, in the same places', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-.+/='), minLength: 16, maxLength: 30 });
  fc.assert(
    fc.property(letters, letters, fc.nat(20), (secret, other, from) => {
      const [table, search] = [new RunTable(), new RunSearch()];
      for (const { text } of formsOf(secret)) {
        table.add(text);
        search.add(text);
      }
      const text = `${other}${secret.slice(from)}${other}${base64(secret)} ${secret.toUpperCase()}`;
      expect(search.runsIn(text)).toEqual(table.runsIn(text));
      expect(search.holds(text)).toBe(table.holds(text));
    }),
  );
});
