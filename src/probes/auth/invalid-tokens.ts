// Authorization values that no service may accept (AUTH-02).
import { uriEncoded } from '../../exchange/decoded.ts';
import type { Credential, Derived, Placement } from '../../exchange/exchange.ts';
import { draw, words } from '../../generate/sampling.ts';

const UNSIGNED = 'an unsigned token (alg: none)';

export interface InvalidToken {
  readonly name: string;
  /** The value in words: "a random token". */
  readonly sent: string;
  readonly credential: Credential;
  /** Query to add; empty for none. */
  readonly query: string;
  /** True where a server may read it as no token at all. */
  readonly isNearlyNone: boolean;
  /** Sent on operations that read alone: who checks a token so checks it so everywhere. */
  readonly isForReads?: true;
  /** Sent on one operation of the description alone: many wrong passwords of a real user lock the account. */
  readonly isForOnce?: true;
}

/** A valid token to derive from, and the key that it belongs to. */
export interface ValidToken {
  readonly key: string;
  readonly token: string;
}

/**
 * Credentials that must be refused where a description places some: a random one, and a valid one altered. `valid`
 * null: there is none to derive from. Any of them may be read as no credential at all.
 */
export function invalidCredentials(
  form: Placement['form'],
  valid: ValidToken | null,
  seed: number,
): readonly InvalidToken[] {
  const written: Readonly<Record<Placement['form'], (secret: string) => string>> = {
    bearer: (secret) => `Bearer ${secret}`,
    basic: (secret) => `Basic ${Buffer.from(secret).toString('base64')}`,
    plain: (secret) => secret,
  };
  const invalid = (name: string, sent: string, secret: string, derived?: Derived): InvalidToken => ({
    ...invalidToken(name, sent, written[form](secret), derived),
    isNearlyNone: true,
  });
  const random = randomToken(seed);
  // Wrong passwords of a real user may lock the account: the user is random too.
  const made = invalid('random', 'random credentials', form === 'basic' ? `${random}:${random}` : random);
  if (valid === null) return [made];
  const { token } = valid;
  const from = (name: string, sent: string, change: string, value: string): InvalidToken =>
    invalid(name, sent, value, derivedFrom(valid, change, value));
  if (form === 'basic')
    return [
      made,
      { ...from('altered', 'a wrong password', 'two characters of the password', misspelt(token)), isForOnce: true },
    ];
  const further =
    form === 'bearer'
      ? invalidTokens(valid, seed).filter(({ name }) => OF_ANY_BEARER.includes(name))
      : [from('altered-end', 'credentials with an altered end', 'last 4 characters', otherEnd(token))];
  return [
    made,
    from('altered', 'altered credentials', 'two characters', altered(token)),
    ...(form === 'bearer' ? [invalid('alg-none', UNSIGNED, unsigned(token), unsignedFrom(valid))] : []),
    ...[...further, invalid('empty', 'empty credentials', '')].map((one): InvalidToken => {
      return { ...one, isNearlyNone: true, isForReads: true };
    }),
  ];
}

/** Forms of a bearer token that no description admits; whether it may stand in a query, or be a user of Basic, is left open. */
const OF_ANY_BEARER = ['altered-end', 'no-signature', 'two-parts', 'alg-none-case', 'altered-claims', 'basic'];

/** The credentials with another password; without one, with another user. Source: RFC 7617, 2. */
function misspelt(credentials: string): string {
  const password = credentials.indexOf(':') + 1;
  return credentials.slice(0, password) + altered(credentials.slice(password));
}

/** One of each kind; without a valid token only those that need none. */
export function invalidTokens(valid: ValidToken | null, seed: number): readonly InvalidToken[] {
  const from = (name: string, sent: string, change: string, value: string): InvalidToken =>
    invalidToken(name, sent, `Bearer ${value}`, valid === null ? undefined : derivedFrom(valid, change, value));
  const independent = [
    invalidToken('random', 'a random token', `Bearer ${randomToken(seed)}`),
    invalidToken('alg-none', UNSIGNED, `Bearer ${unsigned(valid?.token ?? null)}`, unsignedFrom(valid)),
    { ...invalidToken('empty', 'an empty token', 'Bearer '), isNearlyNone: true },
  ];
  if (valid === null) return independent;
  const { token } = valid;
  return [
    ...independent,
    from('altered-signature', 'a token with an altered signature', 'two characters of the signature', altered(token)),
    from('altered-end', 'a token with an altered end', 'last 4 characters', otherEnd(token)),
    from('extended', 'a token with something added', '4 characters added', `${token}AAAA`),
    ...strippedForms(token).map(([name, sent, change, value]) => ({
      ...from(name, sent, change, value),
      isForReads: true as const,
    })),
    ...alteredClaims(token).map((claims) => from('altered-claims', 'a token with altered claims', 'claims', claims)),
    invalidToken('basic', 'a valid token under the scheme Basic', `Basic ${token}`),
    invalidToken('basic-user', 'a valid token as the user of Basic credentials', `Basic ${basicUser(token)}`),
    {
      name: 'query-only',
      isNearlyNone: true,
      sent: 'a valid token in the query only',
      credential: { kind: 'none' },
      query: ['access_token', 'token', 'api_key'].map((name) => `${name}=${uriEncoded(token)}`).join('&'),
    },
  ];
}

function invalidToken(name: string, sent: string, authorization: string, derived?: Derived): InvalidToken {
  const credential = { kind: 'invalid', how: name, authorization, ...(derived && { derived }) } as const;
  return { name, sent, credential, query: '', isNearlyNone: false };
}

function randomToken(seed: number): string {
  return draw(words(40, 40, 'abcdefghijkmnpqrstuvwxyz23456789'), seed, 'random token');
}

/** The token as a user without a password. Source: RFC 7617, 2. */
function basicUser(token: string): string {
  return Buffer.from(`${token}:`).toString('base64');
}

function derivedFrom({ key }: ValidToken, change: string, value: string): Derived {
  return { from: `key ${key}`, change, value };
}

/** Only of a JWT something remains in its unsigned form. */
function unsignedFrom(valid: ValidToken | null): Derived | undefined {
  return valid !== null && isJwt(valid.token) ? derivedFrom(valid, 'alg none', unsigned(valid.token)) : undefined;
}

function isJwt(token: string): boolean {
  return token.split('.').length === 3;
}

/** The claims of a valid JWT under a header that asks for no signature; made-up claims for an opaque token. */
function unsigned(token: string | null): string {
  const claims = token !== null && isJwt(token) ? token.split('.')[1] : encode({ sub: 'assay', exp: 4_102_444_800 });
  return `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Changes characters in the middle of the last segment, where every bit of the encoding counts. */
function altered(token: string): string {
  const start = token.lastIndexOf('.') + 1;
  const middle = start + Math.floor((token.length - start) / 2);
  const replace = (character: string | undefined): string => (character === 'A' ? 'B' : 'A');
  return `${token.slice(0, middle)}${replace(token[middle])}${replace(token[middle + 1])}${token.slice(middle + 2)}`;
}

function otherEnd(token: string): string {
  return `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
}

/** The token without its signature, cut before it, and with an algorithm that is none to who compares names without their case. */
function strippedForms(
  token: string,
): readonly (readonly [name: string, sent: string, change: string, value: string])[] {
  const [header, claims, signature] = token.split('.');
  if (!isJwt(token) || signature === '') return [];
  const other = encode({ alg: 'None', typ: 'JWT' });
  return [
    ['no-signature', 'a token without its signature', 'signature removed', `${header}.${claims}.`],
    ['two-parts', 'a token cut before its signature', 'cut before the signature', `${header}.${claims}`],
    ['alg-none-case', 'an unsigned token (alg: None)', 'alg None', `${other}.${claims}.`],
  ];
}

/** The same header and signature around other claims; none for a token that is no JWT. */
function alteredClaims(token: string): readonly string[] {
  if (!isJwt(token)) return [];
  const [header, , signature] = token.split('.');
  return [`${header}.${encode({ sub: 'assay', plan: 'enterprise', exp: 4_102_444_800 })}.${signature}`];
}
