// What the property on leaks draws: secrets of every kind, and exchanges in which a target accepts, refuses or echoes them.
import fc from 'fast-check';
import type { Credential } from '../../src/exchange/exchange.ts';
import { invalidTokens } from '../../src/probes/auth/invalid-tokens.ts';

export interface DrawnSecret {
  readonly name: string;
  readonly value: string;
}

/** What of a secret comes back, how it is written, and where it stands. */
export interface Echo {
  readonly text: string;
  readonly place: Place;
}

export const PLACES = [
  ...([
    'header',
    'header name',
    'location',
    'cookie',
    'json value',
    'json name',
    'json in json',
    'plain',
    'html',
  ] as const),
  ...(['code', 'type', 'param', 'field', 'instance', 'doc_url', 'request_id', 'debug', 'message', 'detail'] as const),
] as const;
export type Place = (typeof PLACES)[number];

export interface Draw {
  readonly secrets: readonly DrawnSecret[];
  readonly credential: Credential;
  /** Where the request carries a secret besides: the client's own mistakes, and what probes do on purpose. */
  readonly sentIn: 'nowhere' | 'query' | 'path' | 'body' | 'header' | 'constant header' | 'failure';
  readonly status: number;
  readonly echoes: readonly Echo[];
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SPECIAL = `${LETTERS}+/=&<>"'\\%{}[]():;,.!?*#$@^|~\`-_`;
const WIDE = `${LETTERS}éßñåØжЩ漢字😀`;

/** Texts that have nothing in common with others: not drawn towards what is simple. */
function texts(alphabet: string, least: number, most: number): fc.Arbitrary<string> {
  return fc.noBias(fc.noShrink(fc.string({ unit: fc.constantFrom(...alphabet), minLength: least, maxLength: most })));
}

const base64url = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const opaque = fc
  .tuple(fc.constantFrom('', 'sk_live_', 'key-', 'shpat_'), texts(LETTERS, 16, 60))
  .map(([prefix, rest]) => prefix + rest);
const jwt = fc
  .tuple(texts(LETTERS, 8, 30), texts(LETTERS, 20, 200), texts(SPECIAL, 32, 32))
  .map(([kid, subject, signature]) =>
    [{ alg: 'HS256', typ: 'JWT', kid }, { sub: subject, exp: 4_102_444_800 }, signature].map(base64url).join('.'),
  );
const password = fc.tuple(texts(LETTERS, 4, 12), texts(SPECIAL, 12, 30)).map(([user, secret]) => `${user}:${secret}`);
const value = fc.oneof(
  { weight: 4, arbitrary: opaque },
  { weight: 3, arbitrary: jwt },
  { weight: 2, arbitrary: texts(SPECIAL, 16, 60) },
  { weight: 1, arbitrary: texts(WIDE, 16, 40) },
  { weight: 1, arbitrary: password },
  { weight: 1, arbitrary: texts(LETTERS, 6, 15) },
);

/** The whole, a beginning, an end, or something from its middle: never fewer than eight characters. */
function partsOf(secret: string): fc.Arbitrary<string> {
  const cut = fc
    .tuple(fc.nat({ max: Math.max(0, secret.length - 8) }), fc.integer({ min: 8, max: 40 }))
    .map(([from, length]) => secret.slice(from, from + length));
  const halves = `${secret.slice(0, 12)}…${secret.slice(-8)}`;
  return fc.oneof({ weight: 4, arbitrary: fc.constant(secret) }, { weight: 3, arbitrary: cut }, fc.constant(halves));
}

type Writing = (text: string) => string;
const hex = (text: string): string => Buffer.from(text).toString('hex');
const each =
  (write: (code: number) => string): Writing =>
  (text) =>
    Array.from({ length: text.length }, (_, index) => write(text.charCodeAt(index))).join('');
const padded = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const CASES: readonly Writing[] = [(text) => text, (text) => text.toLowerCase(), (text) => text.toUpperCase()];
const ENCODINGS: readonly Writing[] = [
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
  (text) => Buffer.from(`x${text}y`).toString('base64'),
  (text) => Buffer.from(`Bearer: ${text}`).toString('base64url'),
  hex,
  (text) => hex(text).toUpperCase(),
];
const TWICE: Writing = (text) => Buffer.from(`Basic ${Buffer.from(`u:${text}`).toString('base64')}`).toString('base64');
const ESCAPES: readonly Writing[] = [
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => [...Buffer.from(text)].map((byte) => `%${padded(byte, 2)}`).join(''),
  (text) => [...Buffer.from(text)].map((byte) => `%${padded(byte, 2).toUpperCase()}`).join(''),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  each((code) => `\\u${padded(code, 4)}`),
  each((code) => `\\u${padded(code, 4).toUpperCase()}`),
  (text) => [...text].map((one) => `&#${one.codePointAt(0)};`).join(''),
  (text) => [...text].map((one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(''),
  (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
];

/** Every way of writing a text, one by one. */
export const WRITINGS: readonly Writing[] = [...CASES, ...ENCODINGS, TWICE, ...ESCAPES];

/** How a text is written: in another case, encoded, wrapped over lines, and escaped up to twice. */
const writing: fc.Arbitrary<Writing> = fc
  .record({
    letters: fc.constantFrom(...CASES),
    encoding: fc.option(fc.constantFrom(...ENCODINGS), { freq: 2 }),
    twice: fc.integer({ min: 0, max: 9 }).map((turn) => turn === 0),
    lineLength: fc.option(fc.integer({ min: 3, max: 76 }), { freq: 1 }),
    wide: fc.integer({ min: 0, max: 9 }).map((turn) => turn === 0),
    escapes: fc.array(fc.constantFrom(...ESCAPES), { maxLength: 2 }),
  })
  .map(({ letters, encoding, twice, lineLength, wide, escapes }) => (text: string) => {
    let written = twice ? TWICE(text) : letters(text);
    if (!twice && encoding !== null) written = encoding(written);
    if (lineLength !== null) written = written.match(new RegExp(`[^]{1,${lineLength}}`, 'g'))?.join('\n') ?? '';
    else if (wide) written = [...written].join('\0');
    return escapes.reduce((rest, write) => write(rest), written);
  });

function credentials(secrets: readonly DrawnSecret[], seed: number): fc.Arbitrary<Credential> {
  const [first] = secrets;
  if (first === undefined) throw new Error('there is a first secret');
  const key = first.name.replace('key ', '');
  const invalid = invalidTokens({ key, token: first.value }, seed).map(({ credential }) => credential);
  return fc.constantFrom<Credential>({ kind: 'key', name: key }, { kind: 'none' }, ...invalid, ...invalid);
}

/** What comes back: one of the secrets, or the credential as it was sent. */
function echoes(secrets: readonly DrawnSecret[], credential: Credential): fc.Arbitrary<readonly Echo[]> {
  const sent = credential.kind === 'invalid' ? [credential.authorization] : [];
  const whole = fc.constantFrom(...secrets.map((secret) => secret.value), ...sent);
  const echo = fc
    .tuple(whole.chain(partsOf), writing, fc.constantFrom(...PLACES))
    .map(([text, write, place]): Echo => ({ text: write(text), place }));
  return fc.array(echo, { maxLength: 5 });
}

/** One draw; all secrets of a draw have names that end in `serial`, so that draws can share a report. */
export function drawing(serial: number): fc.Arbitrary<Draw> {
  return fc
    .tuple(fc.array(value, { minLength: 1, maxLength: 3 }), fc.nat())
    .chain(([values, seed]) => {
      const secrets = values.map((one, index) => ({ name: `key k${serial}-${index}`, value: one }));
      return fc.tuple(fc.constant(secrets), credentials(secrets, seed));
    })
    .chain(([secrets, credential]) =>
      fc.record({
        secrets: fc.constant(secrets),
        credential: fc.constant(credential),
        sentIn: fc.constantFrom(
          'nowhere',
          'nowhere',
          'nowhere',
          'query',
          'path',
          'body',
          'header',
          'constant header',
          'failure',
        ),
        status: fc.constantFrom(200, 201, 302, 400, 401, 404, 500),
        echoes: echoes(secrets, credential),
      }),
    );
}
