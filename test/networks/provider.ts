// A provider of tokens by OAuth 2.0 on this machine: client credentials and refresh tokens for one client.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ProviderOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly seconds: number;
}

export interface Provider extends AsyncDisposable {
  readonly tokenUrl: string;
  /** Tokens that were given, in order. */
  readonly given: readonly string[];
  /** Bodies of the requests, in order. */
  readonly asked: readonly URLSearchParams[];
  /** Whether the token was given and has not expired. */
  isAlive(token: string): boolean;
  /** The refresh token that is good now; null: none was given. */
  refreshToken: string | null;
}

/** Serves on a free port of this machine. The error for a wrong secret quotes it, as no provider should. */
export async function startProvider({ clientId, clientSecret, seconds }: ProviderOptions): Promise<Provider> {
  const given: string[] = [];
  const asked: URLSearchParams[] = [];
  const ends = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    asked.push(form);
    const basic = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    const [id, secret] = form.has('client_secret')
      ? [form.get('client_id'), form.get('client_secret')]
      : basic.split(':').map(decodeURIComponent);
    const say = (status: number, body: object): void => {
      const challenge = status === 401 ? { 'www-authenticate': 'Basic realm="tokens"' } : {};
      response.writeHead(status, { 'content-type': 'application/json', ...challenge }).end(JSON.stringify(body));
    };
    if (id !== clientId || secret !== clientSecret) {
      say(401, { error: 'invalid_client', error_description: `the secret ${secret} is wrong` });
      return;
    }
    const isRefresh = form.get('grant_type') === 'refresh_token';
    if (isRefresh && form.get('refresh_token') !== provider.refreshToken) {
      say(400, { error: 'invalid_grant', error_description: 'the refresh token was used before' });
      return;
    }
    const token = `tok-${randomBytes(18).toString('hex')}`;
    given.push(token);
    ends.set(token, Date.now() + seconds * 1000);
    if (isRefresh) provider.refreshToken = `ref-${randomBytes(18).toString('hex')}`;
    const more = isRefresh ? { refresh_token: provider.refreshToken } : {};
    say(200, { access_token: token, token_type: 'Bearer', expires_in: seconds, ...more });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider: Provider = {
    tokenUrl: `http://127.0.0.1:${port}/token`,
    given,
    asked,
    isAlive: (token) => (ends.get(token) ?? 0) > Date.now(),
    refreshToken: null,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  return provider;
}
