import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redaction.ts';

const NAME = 'key std-1';
const secret = fc.string({ minLength: 6, maxLength: 60 }).filter((value) => value.trim().length >= 6);
const around = fc.string({ maxLength: 20 });
/** Ends in nothing that becomes an escape with the first letters of what follows: `\\` and `name` read as a line break and `ame`. */
const before = around.filter((text) => !/(\\[ux]?\w{0,3}|%\w?|&[#\w]*)$/.test(text));

describe('createRedactor', () => {
  it('leaves no form of any secret in any text', () => {
    const encodings: ((value: string) => string)[] = [
      (value) => value,
      encodeURIComponent,
      (value) => JSON.stringify(value).slice(1, -1),
    ];
    fc.assert(
      fc.property(secret, before, around, fc.constantFrom(...encodings), (value, ahead, after, encode) => {
        const redactor = createRedactor([{ name: NAME, value }]);
        const text = ahead + encode(value) + after;
        expect(redactor.found(text)).toEqual([NAME]);
        expect(redactor.redact(text)).toContain('[redacted ');
        expect(redactor.redact(text)).not.toContain(encode(value));
      }),
    );
  });

  it.each(['\\', '\\\\', '\\q', '%', '%2', '&', '&a'])(
    'finds an encoded secret behind %j, which escapes nothing',
    (ahead) => {
      const value = '&a secret & "more"';
      const redactor = createRedactor([{ name: NAME, value }]);
      for (const encoded of [encodeURIComponent(value), value.replaceAll('&', '&amp;').replaceAll('"', '&#34;')])
        expect(redactor.found(ahead + encoded)).toEqual([NAME]);
    },
  );

  it('finds base64 of a secret wherever it begins', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 24, maxLength: 60, unit: 'grapheme-ascii' }),
        around,
        around,
        (value, before, after) => {
          const redactor = createRedactor([{ name: NAME, value }]);
          for (const encoding of ['base64', 'base64url'] as const) {
            expect(redactor.found(Buffer.from(before + value + after).toString(encoding))).toEqual([NAME]);
          }
        },
      ),
    );
  });

  it('gives back a text without secrets as it is', () => {
    const redactor = createRedactor([{ name: NAME, value: 'secret-value' }]);
    expect(redactor.redact('an ordinary body')).toBe('an ordinary body');
    expect(createRedactor().redact('anything')).toBe('anything');
  });

  it('learns secrets later and keeps the earlier ones', () => {
    const redactor = createRedactor([{ name: NAME, value: 'first-token' }]);
    redactor.add({ name: NAME, value: 'second-token' });
    expect(redactor.redact('first-token second-token')).toBe('[redacted key std-1] [redacted key std-1]');
  });

  it('does not take a value of a few characters for a secret', () => {
    expect(createRedactor([{ name: NAME, value: 'test' }]).redact('a test')).toBe('a test');
  });

  it('keeps JSON valid whatever the name', () => {
    const redactor = createRedactor([{ name: 'key "a\\b\n', value: 'secret-value' }]);
    expect(JSON.parse(redactor.redact('"secret-value"'))).toBe('[redacted key abn]'.replace('n]', ']'));
  });
});

describe('a secret of fewer than six characters', () => {
  const redactor = createRedactor([
    { name: NAME, value: 'zq7x1' },
    { name: 'header X-Tenant', value: '42' },
  ]);

  it.each([
    ['zq7x1', '[redacted key std-1]'],
    ['<http://x/a?api_key=zq7x1&page=42>', '<http://x/a?api_key=[redacted key std-1]&page=42>'],
    ['{"key":"zq7x1","n":42}', '{"key":"[redacted key std-1]","n":42}'],
    [' 42 ', '[redacted header X-Tenant]'],
    ['zq7x10 of azq7x1', 'zq7x10 of azq7x1'],
  ])('is hidden as a whole word, or as a whole text, where it is shown: %j', (text, shown) => {
    expect(redactor.conceal(text)).toBe(shown);
    expect(redactor.conceal(shown)).toBe(shown);
  });

  it('changes nothing that checks judge', () => {
    expect(redactor.redact('{"key":"zq7x1","n":42}')).toBe('{"key":"zq7x1","n":42}');
    expect(redactor.redact('42')).toBe('42');
    expect(redactor.found('zq7x1')).toEqual([]);
  });

  it('leaves the markers of others whole', () => {
    const both = createRedactor([
      { name: 'key of admin', value: 'a-long-secret-0001' },
      { name: 'password', value: 'admin' },
    ]);
    expect(both.conceal('a-long-secret-0001 by admin')).toBe('[redacted key of admin] by [redacted password]');
  });
});
