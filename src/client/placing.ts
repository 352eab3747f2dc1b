// Where the credentials of a plan go, with their values or with what is shown in their stead. Pure.
import { uriEncoded } from '../exchange/decoded.ts';
import type { Credential, Placement, RequestPlan } from '../exchange/exchange.ts';
import type { Placed } from './wire.ts';

/** The tokens that a plan sends. */
export interface Secrets {
  /** Secret of its credential; null where that needs none. */
  readonly own: string | null;
  /** Secrets of its further keys, in their order. */
  readonly further: readonly string[];
}

const PREFIXES: Readonly<Record<Placement['form'], string>> = { bearer: 'Bearer ', basic: 'Basic ', plain: '' };
const BEARER: Placement = { in: 'header', name: 'Authorization', form: 'bearer', key: '' };

/** Keys whose tokens the plan needs beside its own credential's. */
export function furtherKeys({ credential, placements = [] }: RequestPlan): readonly string[] {
  return credential.kind === 'none' ? [] : placements.slice(1).map(({ key }) => key);
}

/**
 * The credentials as they go out: the plan's own token first, then those of its further keys. Headers hold bytes, each a
 * character: those of UTF-8.
 */
export function placedWith(plan: RequestPlan, secrets: Secrets): readonly Placed[] {
  return placedBy(plan, secrets, secretIn).map((one) => ({
    ...one,
    value: one.in === 'query' ? uriEncoded(one.value) : Buffer.from(one.value).toString('latin1'),
  }));
}

/** The same with a marker in place of every secret; a refused credential is none. */
export function placedAsShown(plan: RequestPlan, marker: (name: string) => string): readonly Placed[] {
  const further = furtherKeys(plan).map((key) => marker(`key ${key}`));
  const secrets = { own: marker(secretNameOf(plan.credential)), further };
  return placedBy(plan, secrets, (_form, secret) => secret);
}

/** Name of the secret in reports: "key std-1", "locked token". */
export function secretNameOf(credential: Credential): string {
  return credential.kind === 'key' ? `key ${credential.name}` : `${credential.kind} token`;
}

/** A secret as the form carries it: user:password in base64 for `basic`. */
export function secretIn(form: Placement['form'], secret: string): string {
  return form === 'basic' ? Buffer.from(secret).toString('base64') : secret;
}

function placedBy(
  { credential, placements = [] }: RequestPlan,
  { own, further }: Secrets,
  written: (form: Placement['form'], secret: string) => string,
): readonly Placed[] {
  if (credential.kind === 'none') return [];
  const [first = BEARER, ...others] = placements;
  const value =
    credential.kind === 'invalid'
      ? credential.authorization
      : `${PREFIXES[first.form]}${written(first.form, own ?? '')}`;
  return [
    { in: first.in, name: first.name, value },
    ...others.map(({ in: place, name, form }, index) => ({
      in: place,
      name,
      value: `${PREFIXES[form]}${written(form, further[index] ?? '')}`,
    })),
  ];
}
