// Logins by OAuth 2.0 (RFC 6749): client credentials, or a refresh token. A token is fetched once for all that need it.

import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetchOptions,
  clientCredentialsGrantRequest,
  customFetch,
  None,
  processClientCredentialsResponse,
  processRefreshTokenResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { type Dispatcher, request } from 'undici';
import { type Clock, LIMIT } from '../clock/clock.ts';
import type { OauthConfig } from '../config/config.ts';
import { oncePer } from '../exchange/once-per.ts';
import type { Redactor } from '../exchange/secrets/known-secrets.ts';

/** A token and its end; epoch ms, Infinity where the provider does not say. */
export interface Grant {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Opens what sends requests to an address: by its proxy, and trusting its authorities. */
export type Dispatchers = (address: string) => Dispatcher;

export interface LoginOptions {
  /** The key's name. */
  readonly key: string;
  readonly oauth: OauthConfig;
  readonly dispatcherOf: Dispatchers;
  /** Learns every token as soon as it is there. */
  readonly redactor: Redactor;
  readonly clock: Clock;
}

/** The provider gave no token. Names the key and what the provider said, never a secret. Caught where the token is asked for. */
export class LoginFailed extends Error {}

/** Shared state of the logins of one configuration, whoever asks. */
interface Shared {
  grant: Grant | null;
  /** Refresh tokens may be for one use: the newest one. */
  refreshToken: string | null;
  pending: Promise<Grant> | null;
}

const sharedOf = oncePer(({ refreshToken }: OauthConfig): Shared => ({ grant: null, refreshToken, pending: null }));

/** A token that is not the stale one: that of an earlier login while it lasts, else of a new one. Rejects with LoginFailed. */
export function login(options: LoginOptions, stale: string | null): Promise<Grant> {
  const { oauth, clock, redactor, key } = options;
  const shared = sharedOf(oauth);
  const { grant } = shared;
  if (grant !== null && grant.token !== stale && clock.now() < grant.expiresAtMs) return Promise.resolve(grant);
  shared.pending ??= granted(options, shared)
    .then((fresh) => {
      shared.grant = fresh;
      return fresh;
    })
    .finally(() => {
      shared.pending = null;
    });
  return shared.pending.then((fresh) => {
    redactor.add({ name: `key ${key}`, value: fresh.token });
    return fresh;
  });
}

async function granted({ key, oauth, dispatcherOf, redactor, clock }: LoginOptions, shared: Shared): Promise<Grant> {
  const { tokenUrl, clientId, clientSecret } = oauth;
  for (const value of [clientSecret, shared.refreshToken])
    if (value !== null) redactor.add({ name: `login of key ${key}`, value });
  const provider = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
  const client = { client_id: clientId };
  const late = new AbortController();
  const limit = clock.after(MAX_LOGIN_MS, () => late.abort(new Error(TOO_LATE)), LIMIT);
  const options = {
    // Only an address of this machine may go without TLS: the configuration is checked for that.
    [allowInsecureRequests]: true,
    [customFetch]: (url: string, options: CustomFetchOptions<'POST', URLSearchParams>) =>
      answerOf(url, options, dispatcherOf(url), late.signal),
  };
  const sentAtMs = clock.now();
  try {
    const answer =
      shared.refreshToken === null
        ? await processClientCredentialsResponse(
            provider,
            client,
            await clientCredentialsGrantRequest(provider, client, authOf(oauth), parametersOf(oauth), options),
          )
        : await processRefreshTokenResponse(
            provider,
            client,
            await refreshTokenGrantRequest(provider, client, authOf(oauth), shared.refreshToken, {
              ...options,
              additionalParameters: parametersOf(oauth),
            }),
          );
    return adopted(answer, shared, { key, redactor, sentAtMs });
  } catch (error) {
    const why = redactor.conceal(reasonOf(error as Error)).slice(0, MAX_REASON_CHARS);
    throw new LoginFailed(`Key "${key}" cannot log in at ${tokenUrl}: ${why}. Look at its oauth (keys).`);
  } finally {
    limit.cancel();
  }
}

/** A login whose answer never ends, piece by piece, would hold all that wait for the token. */
const MAX_LOGIN_MS = 30_000;
const TOO_LATE = `its answer was not whole within ${MAX_LOGIN_MS / 1000} s`;

const MAX_REASON_CHARS = 300;

function adopted(
  { access_token: token, refresh_token: refreshToken, expires_in: seconds }: TokenEndpointResponse,
  shared: Shared,
  { key, redactor, sentAtMs }: { readonly key: string; readonly redactor: Redactor; readonly sentAtMs: number },
): Grant {
  redactor.add({ name: `key ${key}`, value: token });
  if (refreshToken !== undefined) redactor.add({ name: `login of key ${key}`, value: refreshToken });
  // A refresh token beside client credentials is of no use: they log in again (RFC 6749, 4.4.3).
  if (refreshToken !== undefined && shared.refreshToken !== null) shared.refreshToken = refreshToken;
  return { token, expiresAtMs: seconds === undefined ? Number.POSITIVE_INFINITY : sentAtMs + seconds * 1000 };
}

function authOf({ clientSecret, clientAuth }: OauthConfig): ReturnType<typeof None> {
  if (clientSecret === null) return None();
  return clientAuth === 'post' ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

function parametersOf({ scope, audience }: OauthConfig): URLSearchParams {
  const stated = Object.entries({ scope, audience }).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(stated);
}

/** The provider's answer without its challenge, which says less than the error in the body. */
async function answerOf(
  url: string,
  { method, headers, body }: CustomFetchOptions<'POST', URLSearchParams>,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Response> {
  const answer = await request(url, { method, headers, body: String(body), dispatcher, signal, ...LIMITS });
  const type = answer.headers['content-type'];
  const init = { status: answer.statusCode, headers: { 'content-type': String(type ?? '') } };
  return new Response(await answer.body.text(), init);
}

/** Until a provider answers, and between two pieces of its answer. ms. */
const LIMITS = { headersTimeout: 20_000, bodyTimeout: 20_000 } as const;

/** Words of the provider, or why it said nothing. */
function reasonOf(error: Error): string {
  if (error instanceof ResponseBodyError) {
    const { status, error: code, error_description: description } = error;
    return `it answers ${status} ${code}${description === undefined ? '' : ` (${description})`}`;
  }
  const { cause } = error;
  if (cause instanceof Response) return `it answers ${cause.status}, and not as RFC 6749 has it`;
  if (cause instanceof Error && cause.message !== '') return cause.message;
  return error.message;
}
