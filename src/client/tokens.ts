// Where bearer tokens come from, and when they are renewed: before a JWT's `exp`, and once when a token that worked is
// refused in mid-run. The same token is never tried again after a 401 or 403 (CLIENT-02).
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { Agent, type Dispatcher } from 'undici';
import { type Clock, LIMIT } from '../clock/clock.ts';
import type { OauthConfig } from '../config/config.ts';
import type { Credential } from '../exchange/exchange.ts';
import type { Redactor } from '../exchange/secrets/known-secrets.ts';
import { type Dispatchers, type Grant, LoginFailed, login } from './login.ts';

/** A token is renewed this long before it expires, or at half its life if that is short. ms. */
const AHEAD_MS = 30_000;
/** No second renewal after a refusal, and no second try after a failed renewal, within this time. ms. */
const RENEWAL_PAUSE_MS = 30_000;
const COMMAND_LIMIT_MS = 30_000;
const LONGEST_TOKEN_BYTES = 64 * 1024;

export interface TokenSource {
  readonly name: string;
  readonly token: string | null;
  /** Program and arguments that print a fresh token on stdout. */
  readonly tokenCommand: readonly string[] | null;
  /** Absent: the key does not log in. */
  readonly oauth?: OauthConfig;
}

export interface TokenOptions {
  readonly keys: readonly TokenSource[];
  /** How keys that log in reach their providers; absent: directly. */
  readonly dispatcherOf?: Dispatchers;
  readonly credentials: { readonly locked: string | null; readonly expired: string | null };
  /** Learns every token before it is used. */
  readonly redactor: Redactor;
  readonly clock: Clock;
}

export interface Tokens {
  /** The token to send now; a promise where it must be fetched first. Throws or rejects with `TokenUnavailable`. */
  tokenOf(credential: Credential & { kind: 'key' | 'locked' | 'expired' }): string | Promise<string>;
  /** The key's token was accepted: from now on a 401 can mean that it has aged. */
  accepted(key: string, token: string): void;
  /** Another token after a 401, null when there is none or the key's token never worked. Concurrent calls share one renewal. */
  afterRefusal(key: string, token: string): Promise<string | null>;
}

/**
 * A request needs a token that the configuration does not yield. Names the key, never shows a command's output. Caught by the run,
 * which ends with that reason.
 */
export class TokenUnavailable extends Error {}

export function createTokens({ keys, credentials, redactor, clock, dispatcherOf = newAgent }: TokenOptions): Tokens {
  const ground = { redactor, clock, dispatcherOf };
  const byName = new Map(keys.map((source) => [source.name, new KeyToken(source, ground)]));
  for (const kind of ['locked', 'expired'] as const) {
    const value = credentials[kind];
    if (value !== null) redactor.add({ name: `${kind} token`, value });
  }
  const keyNamed = (name: string) => {
    const key = byName.get(name);
    if (key === undefined) throw new TokenUnavailable(`There is no key "${name}" in the configuration (keys).`);
    return key;
  };
  return {
    tokenOf(credential) {
      if (credential.kind === 'key') return keyNamed(credential.name).current();
      const token = credentials[credential.kind];
      if (token !== null) return token;
      throw new TokenUnavailable(`No ${credential.kind} token is configured (credentials.${credential.kind}).`);
    },
    accepted: (key, token) => keyNamed(key).accepted(token),
    afterRefusal: (key, token) => keyNamed(key).afterRefusal(token),
  };
}

type Ground = Pick<TokenOptions, 'redactor' | 'clock' | 'dispatcherOf'>;

function newAgent(): Dispatcher {
  return new Agent({ pipelining: 0 });
}

class KeyToken {
  readonly #source: TokenSource;
  readonly #redactor: Redactor;
  readonly #clock: Clock;
  readonly #dispatcherOf: Dispatchers;
  readonly #isRenewable: boolean;
  #token: string | null = null;
  /** Epoch ms; Infinity for a token that does not say. */
  #renewAt = Number.POSITIVE_INFINITY;
  #expiresAt = Number.POSITIVE_INFINITY;
  #hasWorked = false;
  #pausedUntil = 0;
  #renewal: Promise<string> | null = null;

  constructor(source: TokenSource, { redactor, clock, dispatcherOf }: Required<Ground>) {
    this.#source = source;
    this.#redactor = redactor;
    this.#clock = clock;
    this.#dispatcherOf = dispatcherOf;
    this.#isRenewable = source.tokenCommand !== null || source.oauth !== undefined;
    if (source.token !== null) this.#adopt(source.token);
  }

  current(): string | Promise<string> {
    if (this.#token === null) return this.#renew();
    if (this.#renewAt === Number.POSITIVE_INFINITY || !this.#isRenewable) return this.#token;
    const nowMs = this.#clock.now();
    if (nowMs < this.#renewAt || (nowMs < this.#pausedUntil && nowMs < this.#expiresAt)) return this.#token;
    return nowMs < this.#expiresAt ? this.#renewOrKeep(this.#token) : this.#renew();
  }

  accepted(token: string): void {
    if (token === this.#token) this.#hasWorked = true;
  }

  async afterRefusal(refused: string): Promise<string | null> {
    if (!this.#isRenewable) return null;
    if (this.#renewal === null && refused === this.#token) {
      if (!this.#hasWorked || this.#clock.now() < this.#pausedUntil) return null;
      this.#pausedUntil = this.#clock.now() + RENEWAL_PAUSE_MS;
    }
    const token = refused === this.#token ? await this.#renewOrKeep(refused) : this.#token;
    return token === refused ? null : token;
  }

  /** A renewal that fails while the old token still holds is tried again after a pause. */
  async #renewOrKeep(token: string): Promise<string> {
    try {
      return await this.#renew();
    } catch {
      // The old token is used on: the target refuses it where it no longer holds.
      this.#pausedUntil = this.#clock.now() + RENEWAL_PAUSE_MS;
      return token;
    }
  }

  #renew(): Promise<string> {
    this.#renewal ??= this.#obtain()
      .then(({ token, expiresAtMs }) => this.#adopt(token, expiresAtMs))
      .finally(() => {
        this.#renewal = null;
      });
    return this.#renewal;
  }

  #obtain(): Promise<Grant> {
    const { name, oauth } = this.#source;
    if (oauth === undefined)
      return runTokenCommand(this.#source, this.#clock).then((token) => ({
        token,
        expiresAtMs: Number.POSITIVE_INFINITY,
      }));
    const ground = { redactor: this.#redactor, clock: this.#clock, dispatcherOf: this.#dispatcherOf };
    return login({ key: name, oauth, ...ground }, this.#token).catch((error: Error) => {
      throw error instanceof LoginFailed ? new TokenUnavailable(error.message, { cause: error }) : error;
    });
  }

  #adopt(token: string, expiresAtMs = Number.POSITIVE_INFINITY): string {
    if (token === this.#token) return token;
    this.#redactor.add({ name: `key ${this.#source.name}`, value: token });
    const nowMs = this.#clock.now();
    this.#token = token;
    this.#hasWorked = false;
    this.#expiresAt = Math.min(expiryOf(token), expiresAtMs);
    this.#renewAt = this.#expiresAt - Math.min(AHEAD_MS, Math.max(0, (this.#expiresAt - nowMs) / 2));
    return token;
  }
}

/** The `exp` of a JWT as epoch ms; Infinity for any other token. */
export function expiryOf(token: string): number {
  const payload = token.split('.')[1];
  if (payload === undefined) return Number.POSITIVE_INFINITY;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY;
  } catch {
    // A token that is no JWT says nothing of its end.
    return Number.POSITIVE_INFINITY;
  }
}

function runTokenCommand({ name, tokenCommand }: TokenSource, clock: Clock): Promise<string> {
  const [program, ...args] = tokenCommand ?? [];
  if (program === undefined)
    return Promise.reject(new TokenUnavailable(`Key "${name}" has neither token, tokenCommand nor oauth.`));
  const fail = (what: string) =>
    new TokenUnavailable(`tokenCommand of key "${name}" (${basename(program)}) ${what}. Run it by hand to see why.`);
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: LONGEST_TOKEN_BYTES, windowsHide: true };
    const child = execFile(program, args, options, (error, stdout) => {
      limit.cancel();
      const token = stdout.trim();
      if (error?.killed) reject(fail(`gave no token within ${COMMAND_LIMIT_MS / 1000} s`));
      else if (error)
        reject(fail(typeof error.code === 'number' ? `ended with ${error.code}` : `failed: ${error.code}`));
      else if (!/^[\x21-\x7e]+$/.test(token)) reject(fail('must print one token on stdout, and nothing else'));
      else resolve(token);
    });
    // One that ignores a polite signal would be waited for without end.
    const limit = clock.after(COMMAND_LIMIT_MS, () => child.kill('SIGKILL'), LIMIT);
  });
}
