// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Assay takes these from the environment
// Where --key and --header go: to a security scheme of the description, or as a header of all requests; and how a value is told
// again without being shown.
import { describe, expect, test } from 'vitest';
import type { SecurityScheme } from '../../openapi/model/operation.ts';
import { credentialsIn, type Typed } from './credentials.ts';

const scheme = (name: string, more: Partial<SecurityScheme>): SecurityScheme => ({
  ...{ name, type: 'http', scheme: null, bearerFormat: null, in: null, parameter: null },
  ...more,
});
const BEARER = scheme('bearer', { scheme: 'bearer' });
const OAUTH = scheme('login', { type: 'oauth2' });
const BASIC = scheme('basic', { scheme: 'basic' });
const API_KEY = scheme('api_key', { type: 'apiKey', in: 'header', parameter: 'X-Key' });
const COOKIE = scheme('session', { type: 'apiKey', in: 'cookie', parameter: 'sid' });
const TLS = scheme('tls', { type: 'mutualTLS' });

const files: Readonly<Record<string, string>> = { 'key.txt': 'token-of-a-file\n' };
const read = (path: string): string => files[path] ?? '';
const given = (typed: Partial<Typed>, ...schemes: readonly SecurityScheme[]) =>
  credentialsIn({ headers: [], keys: [], ...typed }, schemes, read);
/** Text of the configuration, values of its names, and what is typed again. */
const keysOf = (typed: Partial<Typed>, ...schemes: readonly SecurityScheme[]) =>
  given(typed, ...schemes).keys.map(({ scheme: name, value }) => [name, value.text, value.brought, value.again]);

const TOKEN = { ASSAY_KEY: 'token-of-mine' };

describe('a key', () => {
  test('goes to the only scheme, whatever its value looks like', () => {
    expect(keysOf({ keys: ['token-of-mine'] }, BEARER)).toEqual([['bearer', '${ASSAY_KEY}', TOKEN, 'env:ASSAY_KEY']]);
    expect(keysOf({ keys: ['dG9rZW4='] }, BEARER)).toEqual([
      ['bearer', '${ASSAY_KEY}', { ASSAY_KEY: 'dG9rZW4=' }, 'env:ASSAY_KEY'],
    ]);
  });

  test('comes from a file or a variable, which alone is told again', () => {
    expect(keysOf({ keys: ['@key.txt'] }, BEARER)).toEqual([
      ['bearer', '${ASSAY_KEY}', { ASSAY_KEY: 'token-of-a-file' }, '@key.txt'],
    ]);
    expect(keysOf({ keys: ['env:PETS'] }, BEARER)).toEqual([['bearer', '${PETS}', {}, 'env:PETS']]);
    expect(keysOf({ keys: ['${PETS}'] }, BEARER)).toEqual([['bearer', '${PETS}', {}, '${PETS}']]);
  });

  test('that is typed around a variable in part is told again without that part', () => {
    expect(keysOf({ keys: ['bearer=open-${PETS}-sesame'] }, BEARER)).toEqual([
      [
        ...['bearer', '${ASSAY_KEY}${PETS}${ASSAY_KEY_PART_2}'],
        { ASSAY_KEY: 'open-', ASSAY_KEY_PART_2: '-sesame' },
        '${ASSAY_KEY}${PETS}${ASSAY_KEY_PART_2}',
      ],
    ]);
  });

  test('goes to the scheme that is named, and a second one has a variable of its own', () => {
    expect(keysOf({ keys: ['bearer=token-of-mine', 'api_key=env:PETS'] }, BEARER, API_KEY)).toEqual([
      ['bearer', '${ASSAY_KEY}', TOKEN, 'env:ASSAY_KEY'],
      ['api_key', '${PETS}', {}, 'env:PETS'],
    ]);
    expect(keysOf({ keys: ['one-key', 'other-key'] }, BEARER).map(([, text]) => text)).toEqual([
      '${ASSAY_KEY}',
      '${ASSAY_KEY_2}',
    ]);
  });

  test('goes to all schemes that send the same token in the same place', () => {
    expect(keysOf({ keys: ['token-of-mine'] }, BEARER, OAUTH).map(([name]) => name)).toEqual(['bearer', 'login']);
  });

  test.each<[string, string, readonly SecurityScheme[], RegExp]>([
    ['for no scheme', 'secret-1234', [], /names no security scheme/],
    ['for a scheme that no key satisfies', 'secret-1234', [TLS], /names no security scheme/],
    ['for one of several', 'secret-1234', [BEARER, API_KEY], /several security schemes: bearer, api_key/],
    ['for an unknown one', 'apikey=secret-1234', [API_KEY], /did you mean "api_key"/],
    ['of an unknown file', '@none.txt', [BEARER], /its value is empty/],
    ['of no variable', 'env:A-B', [BEARER], /no name of a variable/],
  ])('%s is refused without being shown', (_which, key, schemes, message) => {
    expect(() => given({ keys: [key] }, ...schemes)).toThrow(message);
    expect(() => given({ keys: [key] }, ...schemes)).not.toThrow(/secret-1234/);
  });
});

describe('a header', () => {
  test('of all requests is a secret, but for what names no one', () => {
    const { headers } = given(
      { headers: ['X-Gate: open-sesame', 'Accept-Language: de', 'X-Other: env:OTHER'] },
      BEARER,
    );
    expect(headers.map(({ name, value }) => [name, value.text, value.again])).toEqual([
      ['X-Gate', '${ASSAY_HEADER_X_GATE}', 'env:ASSAY_HEADER_X_GATE'],
      ['Accept-Language', 'de', 'de'],
      ['X-Other', '${OTHER}', 'env:OTHER'],
    ]);
  });

  test('that is typed before a variable in part is told again without that part', () => {
    const { headers } = given({ headers: ['X-Gate: sesame env:GATE', 'X-Other: open-${OTHER}'] }, BEARER);
    expect(headers.map(({ value }) => [value.text, value.brought, value.again])).toEqual([
      [
        '${ASSAY_HEADER_X_GATE_WORD}${GATE}',
        { ASSAY_HEADER_X_GATE_WORD: 'sesame ' },
        '${ASSAY_HEADER_X_GATE_WORD}${GATE}',
      ],
      ['${ASSAY_HEADER_X_OTHER}${OTHER}', { ASSAY_HEADER_X_OTHER: 'open-' }, '${ASSAY_HEADER_X_OTHER}${OTHER}'],
    ]);
  });

  test('in which a scheme is sent is its key', () => {
    expect(keysOf({ headers: ['authorization: Bearer token-of-mine'] }, BEARER, OAUTH, API_KEY)).toEqual([
      ['bearer', '${ASSAY_KEY}', TOKEN, 'env:ASSAY_KEY'],
      ['login', '${ASSAY_KEY}', TOKEN, 'env:ASSAY_KEY'],
    ]);
    expect(keysOf({ headers: ['x-key: env:PETS'] }, API_KEY)).toEqual([['api_key', '${PETS}', {}, 'env:PETS']]);
    const basic = `Basic ${Buffer.from('bob:builder').toString('base64')}`;
    expect(keysOf({ headers: [`Authorization: ${basic}`] }, BASIC)[0]?.[2]).toEqual({ ASSAY_KEY: 'bob:builder' });
  });

  test('that names a file as a whole is told how the file is given', () => {
    const hint = '--key bearer=@token.txt gives the token alone, without the word before it';
    expect(() => given({ headers: ['Authorization: @token.txt'] }, BEARER)).toThrow(expect.objectContaining({ hint }));
  });

  test('with a token that no scheme speaks of is sent as it is', () => {
    const [header] = given({ headers: ['Authorization: Bearer env:TOKEN'] }, API_KEY).headers;
    expect(header).toEqual({
      name: 'Authorization',
      value: { text: 'Bearer ${TOKEN}', brought: {}, again: 'Bearer env:TOKEN' },
    });
    const [filled] = given({ headers: ['Authorization: Bearer ${TOKEN}'] }, API_KEY).headers;
    expect(filled?.value).toEqual({ text: 'Bearer ${TOKEN}', brought: {}, again: 'Bearer ${TOKEN}' });
  });

  test.each([
    ['no-header', /no header/],
    ['Host: other.example', /sets it itself/],
    ['Authorization: Token secret-1234', /sent as Authorization: Bearer/],
    ['Cookie: a=1; sid=secret-1234', /the cookie sid is a key/],
  ])('%s is refused', (header, message) => {
    expect(() => given({ headers: [header] }, BEARER, COOKIE)).toThrow(message);
    expect(() => given({ headers: [header] }, BEARER, COOKIE)).not.toThrow(/secret-1234/);
  });
});
