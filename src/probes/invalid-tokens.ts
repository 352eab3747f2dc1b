// Authorization values that no service may accept (AUTH-02).
import type { Credential, Placement } from '../exchange/exchange.ts';
import { draw, words } from '../generate/sampling.ts';

export interface InvalidToken {
  readonly name: string;
  /** What is sent, in words: "a random token". */
  readonly sent: string;
  readonly credential: Credential;
  /** Query to add; empty for none. */
  readonly query: string;
  /** Whether a server may read it as no token at all. */
  readonly isNearlyNone: boolean;
}

/**
 * What must be refused where a description places credentials: a random one, and a valid one altered. `token` is a valid
 * token to derive from, null for none. Any of them may be read as no credential at all.
 */
export function invalidCredentials(
  form: Placement['form'],
  token: string | null,
  seed: number,
): readonly InvalidToken[] {
  const random = draw(words(40, 40, 'abcdefghijkmnpqrstuvwxyz23456789'), seed, 'random token');
  const written: Readonly<Record<Placement['form'], (secret: string) => string>> = {
    bearer: (secret) => `Bearer ${secret}`,
    basic: (secret) => `Basic ${Buffer.from(secret).toString('base64')}`,
    plain: (secret) => secret,
  };
  const invalid = (name: string, sent: string, secret: string): InvalidToken => ({
    name,
    sent,
    credential: { kind: 'invalid', how: name, authorization: written[form](secret) },
    query: '',
    isNearlyNone: true,
  });
  // Wrong passwords of a real user may lock the account: the user is random too.
  const made = invalid('random', 'random credentials', form === 'basic' ? `${random}:${random}` : random);
  if (token === null || form === 'basic') return [made];
  return [
    made,
    invalid('altered', 'altered credentials', altered(token)),
    ...(form === 'bearer' ? [invalid('alg-none', 'an unsigned token (alg: none)', unsigned(token))] : []),
  ];
}

/** One of each kind. `token` is a valid token to derive from; without it only those that need none. */
export function invalidTokens(token: string | null, seed: number): readonly InvalidToken[] {
  const random = draw(words(40, 40, 'abcdefghijkmnpqrstuvwxyz23456789'), seed, 'random token');
  const invalid = (name: string, sent: string, authorization: string): InvalidToken => ({
    name,
    sent,
    credential: { kind: 'invalid', how: name, authorization },
    query: '',
    isNearlyNone: name === 'empty',
  });
  const independent = [
    invalid('random', 'a random token', `Bearer ${random}`),
    invalid('alg-none', 'an unsigned token (alg: none)', `Bearer ${unsigned(token)}`),
    invalid('empty', 'an empty token', 'Bearer '),
  ];
  if (token === null) return independent;
  return [
    ...independent,
    invalid('altered-signature', 'a token with an altered signature', `Bearer ${altered(token)}`),
    invalid(
      'altered-end',
      'a token with an altered end',
      `Bearer ${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`,
    ),
    invalid('extended', 'a token with something added', `Bearer ${token}AAAA`),
    ...alteredClaims(token).map((claims) =>
      invalid('altered-claims', 'a token with altered claims', `Bearer ${claims}`),
    ),
    invalid('basic', 'a valid token under the scheme Basic', `Basic ${token}`),
    {
      name: 'query-only',
      isNearlyNone: true,
      sent: 'a valid token in the query only',
      credential: { kind: 'none' },
      query: ['access_token', 'token', 'api_key'].map((name) => `${name}=${encodeURIComponent(token)}`).join('&'),
    },
  ];
}

/** The claims of a valid JWT under a header that asks for no signature; made-up claims for an opaque token. */
function unsigned(token: string | null): string {
  const claims = token?.split('.').length === 3 ? token.split('.')[1] : encode({ sub: 'assay', exp: 4_102_444_800 });
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

/** The same header and signature around other claims; none for a token that is no JWT. */
function alteredClaims(token: string): readonly string[] {
  const [header, , signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) return [];
  return [`${header}.${encode({ sub: 'assay', plan: 'enterprise', exp: 4_102_444_800 })}.${signature}`];
}
