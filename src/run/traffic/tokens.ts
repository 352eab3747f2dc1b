// Who sent a foreign request: a configured key, known by its digest, or a token that nobody named, which is a secret from
// then on. Bounded: of thousands of tokens the first have a name of their own.
import { hash } from 'node:crypto';
import { secretNameOf } from '../../client/placing.ts';
import type { Config } from '../../config/config.ts';
import { header } from '../../exchange/body.ts';
import { uriDecoded } from '../../exchange/decoded.ts';
import type { Credential, HeaderList } from '../../exchange/exchange.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { isSecretName } from './secrets.ts';
import type { SeenRequest } from './seen.ts';

/** Maximum number of tokens that are told apart; those beyond have one name together. */
const MOST_NAMED = 64;
/** The name of all tokens that are not told apart. */
export const UNTOLD = 'unknown-others';
/** A token of fewer characters may be an ordinary word of an answer, and is no secret to look for there. */
const SHORTEST_SOUGHT = 16;

type Known = Extract<Credential, { readonly kind: 'key' | 'locked' | 'expired' }>;

/** The credentials that a request shows. */
export interface Shown {
  readonly credential: Credential;
  /** The value of its Authorization header without the secret; null where it has none. */
  readonly authorization: string | null;
  /** True where it shows nothing that may entitle it. */
  readonly isAnonymous: boolean;
  /** A token that the configuration does not know, to be looked for in the answer; null: none, or one too short for that. */
  readonly sought: string | null;
}

export class Tokens {
  readonly #configured = new Map<string, Known>();
  readonly #named = new Map<string, string>();
  readonly #headers: ReadonlySet<string>;
  /** The last one, for a client sends the same many times in a row. */
  #last: { readonly value: string; readonly shown: Shown } | null = null;

  constructor(config: Pick<Config, 'keys' | 'credentials'>, descriptions: readonly Description[], redactor: Redactor) {
    for (const { name, token } of config.keys) if (token !== null) this.#know(token, { kind: 'key', name }, redactor);
    for (const kind of ['locked', 'expired'] as const) {
      const value = config.credentials[kind];
      if (value !== null) this.#know(value, { kind }, redactor);
    }
    const schemes = descriptions.flatMap(({ securitySchemes }) => securitySchemes);
    this.#headers = new Set(
      schemes.flatMap(({ type, parameter }) =>
        type === 'apiKey' && parameter !== null ? [parameter.toLowerCase()] : [],
      ),
    );
  }

  #know(value: string, credential: Known, redactor: Redactor): void {
    this.#configured.set(digestOf(value), credential);
    redactor.add({ name: secretNameOf(credential), value });
  }

  /** `told`: learns every token that the configuration does not know. */
  of(
    { headers, url }: Pick<SeenRequest, 'headers' | 'url'>,
    query: string,
    told: (name: string, value: string) => void,
  ): Shown {
    const value = header(headers, 'authorization') ?? authorizationIn(url);
    if (value === null) return this.#otherwise(headers, query);
    if (isBlanked(value)) return BLANKED;
    if (this.#last?.value === value) return this.#last.shown;
    const shown = this.#inAuthorization(value.trim(), told);
    this.#last = { value, shown };
    return shown;
  }

  #inAuthorization(value: string, told: (name: string, value: string) => void): Shown {
    const [, scheme = '', secret = ''] = /^(?:([A-Za-z][\w-]*) +)?(.+)$/s.exec(value) ?? [];
    const prefix = scheme === '' ? '' : `${scheme} `;
    const known = this.#configured.get(digestOf(secret)) ?? null;
    if (known !== null) {
      return {
        credential: known,
        authorization: `${prefix}[redacted ${secretNameOf(known)}]`,
        isAnonymous: false,
        sought: null,
      };
    }
    const name = this.#nameOf(secret);
    told(`key ${name}`, secret);
    if (scheme.toLowerCase() === 'basic')
      for (const part of Buffer.from(secret, 'base64').toString().split(':')) told(`key ${name}`, part);
    const shown = { credential: { kind: 'key', name }, isAnonymous: false } as const;
    const sought = secret.length >= SHORTEST_SOUGHT ? secret : null;
    return { ...shown, authorization: `${prefix}[redacted key ${name}]`, sought };
  }

  /** API keys, cookies and tokens in the query entitle, too. */
  #otherwise(headers: HeaderList, query: string): Shown {
    let isAnonymous = query === '' || ![...new URLSearchParams(query).keys()].some(isSecretName);
    for (const [name, value] of headers) {
      const lower = name.toLowerCase();
      const isKey = this.#headers.has(lower) || isSecretName(lower);
      if (!isKey) continue;
      isAnonymous = false;
      const known = this.#configured.get(digestOf(value));
      if (known !== undefined) return { credential: known, authorization: null, isAnonymous, sought: null };
    }
    return { credential: { kind: 'none' }, authorization: null, isAnonymous, sought: null };
  }

  #nameOf(secret: string): string {
    const digest = digestOf(secret);
    const known = this.#named.get(digest);
    if (known !== undefined) return known;
    if (this.#named.size >= MOST_NAMED) return UNTOLD;
    const name = `unknown-${this.#named.size + 1}`;
    this.#named.set(digest, name);
    return name;
  }
}

/** The credentials of a request whose token a recorder took out: those of some client, and nobody knows of which. */
const BLANKED: Shown = {
  credential: { kind: 'key', name: UNTOLD },
  authorization: `[redacted key ${UNTOLD}]`,
  isAnonymous: false,
  sought: null,
};

/** The header that clients send for the user and the password of an address; null where it names none. */
function authorizationIn(url: string): string | null {
  const { username = '', password = '' } = URL.parse(url) ?? {};
  const pair = [username, password].map(uriDecoded).join(':');
  return pair === ':' ? null : `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Tells whether a recorder took the secret out of the value. */
export function isBlanked(value: string): boolean {
  const secret = value.trim().replace(/^[A-Za-z][\w-]*\s+/, '');
  return /^(?:bearer|basic)?$|redact|removed|hidden|masked|filtered|sanitized|\*{3}|^x{4,}$|^[<[{(].*[>\]})]$|^[^A-Za-z0-9]*$/i.test(
    secret,
  );
}

/** Tokens are compared by digest, and kept as such. */
function digestOf(value: string): string {
  return hash('sha256', value, 'base64url');
}
