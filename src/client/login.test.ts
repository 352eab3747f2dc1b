import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startProvider } from '../../test/networks/provider.ts';
import { simulatedClock } from '../clock/simulated.ts';
import type { OauthConfig } from '../config/config.ts';
import { createRedactor } from '../exchange/redaction.ts';
import { createTokens, TokenUnavailable } from './tokens.ts';

const SECRET = 'login-Hy63kDn90QsWc4Fj';
const CLIENT = { clientId: 'assay', clientSecret: SECRET, seconds: 60 };
const clock = simulatedClock();

function oauthOf(tokenUrl: string, more: Partial<OauthConfig> = {}): OauthConfig {
  const none = { refreshToken: null, scope: null, audience: null };
  return { ...{ tokenUrl, clientId: 'assay', clientSecret: SECRET, clientAuth: 'basic' }, ...none, ...more };
}

function tokensOf(oauth: OauthConfig) {
  const redactor = createRedactor();
  const keys = [{ name: 'std-1', token: null, tokenCommand: null, oauth }];
  const tokens = createTokens({ keys, credentials: { locked: null, expired: null }, redactor, clock });
  return { redactor, current: async () => tokens.tokenOf({ kind: 'key', name: 'std-1' }) };
}

describe('a login', () => {
  it('is made once for all who wait, anew before a token of 60 s expires, and its tokens are secrets', async () => {
    await using provider = await startProvider(CLIENT);
    const { current, redactor } = tokensOf(oauthOf(provider.tokenUrl, { scope: 'a b', audience: 'shop' }));
    const [first = '', ...others] = await Promise.all([current(), current(), current()]);
    expect(others).toEqual([first, first]);
    await clock.drive(clock.sleep(29_000));
    expect(await current()).toBe(first);
    await clock.drive(clock.sleep(2000));
    const second = await current();
    expect(provider.given).toEqual([first, second]);
    expect(redactor.redact(`${first} ${second}`)).toBe('[redacted key std-1] [redacted key std-1]');
    const [asked] = provider.asked;
    expect([asked?.get('grant_type'), asked?.get('scope'), asked?.get('audience')]).toEqual([
      'client_credentials',
      'a b',
      'shop',
    ]);
  });

  it('ends where the answer comes in pieces and does not end', async () => {
    const asked = Promise.withResolvers<void>();
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const dripping = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(dripping));
      asked.resolve();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const failed = tokensOf(oauthOf(`http://127.0.0.1:${port}/token`))
      .current()
      .catch((error: Error) => error.message);
    await asked.promise;
    await clock.drive(clock.sleep(31_000));
    expect(await failed).toContain('its answer was not whole within 30 s');
    server.closeAllConnections();
    server.close();
  });

  it('is shared by all that send under one configuration', async () => {
    await using provider = await startProvider(CLIENT);
    const oauth = oauthOf(provider.tokenUrl);
    expect(await tokensOf(oauth).current()).toBe(await tokensOf(oauth).current());
    expect(provider.given).toHaveLength(1);
  });

  it('sends its secret in the body where that is asked for', async () => {
    await using provider = await startProvider(CLIENT);
    await tokensOf(oauthOf(provider.tokenUrl, { clientAuth: 'post' })).current();
    expect(provider.asked[0]?.get('client_secret')).toBe(SECRET);
  });

  it('goes on with the newest refresh token', async () => {
    await using provider = await startProvider(CLIENT);
    provider.refreshToken = 'ref-that-was-configured-here';
    const { current, redactor } = tokensOf(oauthOf(provider.tokenUrl, { refreshToken: provider.refreshToken }));
    await current();
    const newer = provider.refreshToken;
    await clock.drive(clock.sleep(31_000));
    await current();
    expect(provider.asked.map((form) => form.get('refresh_token'))).toEqual(['ref-that-was-configured-here', newer]);
    expect(redactor.redact(`a ${newer} b`)).toBe('a [redacted login of key std-1] b');
  });

  it("that fails tells the provider's error without the secret that it quotes", async () => {
    await using provider = await startProvider(CLIENT);
    const wrong = 'wrong-Np27cXe94JtUb6Ws';
    const failed = await tokensOf(oauthOf(provider.tokenUrl, { clientSecret: wrong }))
      .current()
      .catch((error: Error) => error);
    expect(failed).toBeInstanceOf(TokenUnavailable);
    expect(String(failed)).toContain(
      `Key "std-1" cannot log in at ${provider.tokenUrl}: it answers 401 invalid_client`,
    );
    expect(String(failed)).not.toContain(wrong);
  });

  it('that nobody answers says so', async () => {
    const provider = await startProvider(CLIENT);
    await provider[Symbol.asyncDispose]();
    const { current } = tokensOf(oauthOf(provider.tokenUrl));
    await expect(current()).rejects.toThrow(/cannot log in at .*ECONNREFUSED/);
  });
});
