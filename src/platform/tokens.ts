// Bearer tokens: HS256 JWTs, signed with a secret of this start.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from './json.ts';
import { digest } from './store/hash.ts';

export interface Key {
  /** "std-1". */
  readonly name: string;
  readonly plan: string;
  readonly account: string;
  readonly locked: boolean;
}

export const KEYS: readonly Key[] = [
  { name: 'std-1', plan: 'standard', account: 'aurora', locked: false },
  { name: 'gro-1', plan: 'growth', account: 'borealis', locked: false },
  { name: 'ent-1', plan: 'enterprise', account: 'cascade', locked: false },
];
export const LOCKED_KEY: Key = { name: 'locked', plan: 'standard', account: 'dormant', locked: true };

const LIFETIME_SECONDS = 86_400;
const HEADER = base64url(JSON.stringify({ alg: 'HS256', typ: 'JWT' }));
const MAX_KNOWN = 1000;

export class Tokens {
  private readonly secret: string;
  private readonly issuedAt: number;
  private readonly byName = new Map([...KEYS, LOCKED_KEY].map((key) => [key.name, key]));
  private readonly known = new Map<string, { key: Key; expiresAt: number }>();

  /** `now` in epoch ms; `instance`: what the signing secret is drawn from. */
  constructor(now: number, instance: string) {
    this.secret = digest(`tokens of ${instance}`);
    this.issuedAt = Math.floor(now / 1000);
  }

  /** A token of the key; valid for a day, or expired an hour ago. */
  mint(key: Key, expired = false): string {
    const exp = expired ? this.issuedAt - 3600 : this.issuedAt + LIFETIME_SECONDS;
    const claims = {
      sub: `user_${key.account}`,
      key: key.name,
      plan: key.plan,
      iat: Math.min(this.issuedAt, exp - 60),
      exp,
    };
    const signed = `${HEADER}.${base64url(JSON.stringify(claims))}`;
    return `${signed}.${this.signature(signed)}`;
  }

  /** Whom the Authorization header's token belongs to; null for none, a foreign or altered, or an expired one. */
  keyOf(authorization: string | undefined, nowMs: number): Key | null {
    const token = /^bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return null;
    const claims = this.known.get(token) ?? this.verified(token);
    return claims !== null && claims.expiresAt > nowMs ? claims.key : null;
  }

  private verified(token: string): { key: Key; expiresAt: number } | null {
    const parts = token.split('.');
    const [header, payload, signature] = parts;
    if (parts.length !== 3 || header !== HEADER || payload === undefined || signature === undefined) return null;
    const expected = Buffer.from(this.signature(`${header}.${payload}`));
    const given = Buffer.from(signature);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const key = isObject(claims) ? this.byName.get(String(claims.key)) : undefined;
    if (key === undefined || !isObject(claims) || typeof claims.exp !== 'number') return null;
    const found = { key, expiresAt: claims.exp * 1000 };
    if (this.known.size < MAX_KNOWN) this.known.set(token, found);
    return found;
  }

  private signature(signed: string): string {
    return createHmac('sha256', this.secret).update(signed).digest('base64url');
  }
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
