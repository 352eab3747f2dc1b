import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invalidCredentials, invalidTokens } from './invalid-tokens.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'acc_1', plan: 'growth' })}.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg`;
const OPAQUE = 'sk_live_0123456789abcdef';

const validToken = (token: string | null) => (token === null ? null : { key: 'std-1', token });
const sentFor = (token: string | null): Record<string, string> =>
  Object.fromEntries(
    invalidTokens(validToken(token), 1).map(({ name, credential, query }) => [
      name,
      credential.kind === 'invalid' ? credential.authorization : `${credential.kind}?${query}`,
    ]),
  );

describe('invalid tokens', () => {
  it('are of thirteen kinds, of nine for a token that is no JWT, of three where no token is known', () => {
    const independent = ['random', 'alg-none', 'empty'];
    const altered = ['altered-signature', 'altered-end', 'extended'];
    const elsewhere = ['basic', 'basic-user', 'query-only'];
    expect(Object.keys(sentFor(JWT))).toEqual([
      ...independent,
      ...altered,
      ...['no-signature', 'two-parts', 'alg-none-case', 'altered-claims'],
      ...elsewhere,
    ]);
    expect(Object.keys(sentFor(OPAQUE))).toEqual([...independent, ...altered, ...elsewhere]);
    expect(Object.keys(sentFor(null))).toEqual(independent);
  });

  it('are read as none at all where they are empty or in the query', () => {
    const nearlyNone = invalidTokens(validToken(JWT), 1).filter(({ isNearlyNone }) => isNearlyNone);
    expect(nearlyNone.map(({ name }) => name)).toEqual(['empty', 'query-only']);
  });

  it("keep a JWT's claims and ask for no signature", () => {
    const [header = '', claims, signature] = (sentFor(JWT)['alg-none'] ?? '').replace('Bearer ', '').split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'none', typ: 'JWT' });
    expect([claims, signature]).toEqual([JWT.split('.')[1], '']);
  });

  it('keep the claims of a JWT and lack its signature, under its own header and under one of another case', () => {
    const sent = sentFor(JWT);
    expect(sent['no-signature']).toBe(`Bearer ${JWT.split('.').slice(0, 2).join('.')}.`);
    expect(sent['two-parts']).toBe(`Bearer ${JWT.split('.').slice(0, 2).join('.')}`);
    const [header = '', claims, signature] = (sent['alg-none-case'] ?? '').replace('Bearer ', '').split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'None', typ: 'JWT' });
    expect([claims, signature]).toEqual([JWT.split('.')[1], '']);
  });

  it("change a JWT's signature and nothing before it", () => {
    const [header, claims, signature = ''] = (sentFor(JWT)['altered-signature'] ?? '')
      .replace('Bearer ', '')
      .split('.');
    expect([header, claims]).toEqual(JWT.split('.').slice(0, 2));
    const original = JWT.split('.')[2] ?? '';
    expect(signature).toHaveLength(original.length);
    expect(Buffer.from(signature, 'base64url')).not.toEqual(Buffer.from(original, 'base64url'));
  });

  it("change a JWT's claims and keep header and signature", () => {
    const [header, claims = '', signature] = (sentFor(JWT)['altered-claims'] ?? '').replace('Bearer ', '').split('.');
    expect([header, signature]).toEqual([JWT.split('.')[0], JWT.split('.')[2]]);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ plan: 'enterprise' });
    expect(claims).not.toBe(JWT.split('.')[1]);
  });

  it('change the end of a token, or add to it, and keep the rest', () => {
    expect(sentFor(OPAQUE)['altered-end']).toBe('Bearer sk_live_0123456789abAAAA');
    expect(sentFor('0123AAAA')['altered-end']).toBe('Bearer 0123BBBB');
    expect(sentFor(OPAQUE).extended).toBe(`Bearer ${OPAQUE}AAAA`);
  });

  it('never are the token itself under Bearer, whatever the token', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9._-]{1,60}$/), (token) => {
        for (const [name, sent] of Object.entries(sentFor(token))) expect(sent, name).not.toBe(`Bearer ${token}`);
      }),
    );
  });

  it('send the valid token under another scheme, and in the query without a header', () => {
    expect(sentFor(OPAQUE).basic).toBe(`Basic ${OPAQUE}`);
    expect(sentFor('a+b/c=')['query-only']).toBe(
      'none?access_token=a%2Bb%2Fc%3D&token=a%2Bb%2Fc%3D&api_key=a%2Bb%2Fc%3D',
    );
  });

  it('are the same for the same seed', () => {
    expect(invalidTokens(validToken(JWT), 7)).toEqual(invalidTokens(validToken(JWT), 7));
    expect(sentFor(null).random).not.toBe(
      invalidTokens(null, 2).map(({ credential }) =>
        credential.kind === 'invalid' ? credential.authorization : '',
      )[0],
    );
  });
});

describe('credentials that no service may accept', () => {
  const sent = (form: 'bearer' | 'basic' | 'plain', token: string | null) =>
    invalidCredentials(form, validToken(token), 1).map(({ name, credential }) => [
      name,
      credential.kind === 'invalid' ? credential.authorization : '',
    ]);

  it('stand in the form of their scheme', () => {
    expect(sent('plain', 'abcdef')).toEqual([
      ['random', expect.stringMatching(/^[a-z0-9]{40}$/)],
      ['altered', 'abcAAf'],
      ['altered-end', 'abAAAA'],
      ['empty', ''],
    ]);
    const names = (token: string) => sent('bearer', token).map(([name]) => name);
    const usual = ['random', 'altered', 'alg-none', 'altered-end'];
    expect(names('abcdef')).toEqual([...usual, 'basic', 'empty']);
    const ofJwt = ['no-signature', 'two-parts', 'alg-none-case', 'altered-claims'];
    expect(names(JWT)).toEqual([...usual, ...ofJwt, 'basic', 'empty']);
    expect(sent('bearer', null).map(([name]) => name)).toEqual(['random']);
  });

  it('of HTTP Basic name nobody who exists, and somebody who does on one operation alone', () => {
    const decoded = (token: string) =>
      sent('basic', token).map(([, value = '']) => Buffer.from(value.replace('Basic ', ''), 'base64').toString());
    expect(decoded('bob:se:cret')).toEqual([expect.stringMatching(/^[a-z0-9]{40}:[a-z0-9]{40}$/), 'bob:se:AAet']);
    expect(decoded('sk_test')[1]).toBe('sk_AAst');
    const once = invalidCredentials('basic', validToken('bob:secret'), 1).map(({ isForOnce = false }) => isForOnce);
    expect(once).toEqual([false, true]);
  });
});
