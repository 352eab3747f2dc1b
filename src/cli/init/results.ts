// A line of `assay doctor`, and the lines that follow from what was read alone. Pure.

import type { Handshake } from '../../client/handshake.ts';
import { plural } from '../../contract/numbers.ts';
import { terminalText } from '../../reporters/text.ts';

type Certificate = Handshake['certificate'];

export interface Result {
  readonly subject: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** The advice to the user; empty when all is well. */
  readonly advice: string;
  /** Set where what failed lies between this machine and the target. */
  readonly isOnTheWay?: true;
}

/** A line where all is well. */
export function ok(subject: string, found: string): Result {
  return { subject, state: 'ok', found, advice: '' };
}

export function warn(subject: string, found: string, advice: string): Result {
  return { subject, state: 'warn', found, advice };
}

export function fail(subject: string, found: string, advice: string): Result {
  return { subject, state: 'fail', found, advice };
}

const DAY_MS = 86_400_000;
/** Certificates are renewed a month before they end; what has less left was forgotten. */
const SOON_DAYS = 14;
const LONGEST_CHAIN = 8;
/** The Date header has whole seconds. */
const DATE_STEP_MS = 1000;
/** Beyond this, stated times of windows and Retry-After are read wrongly by clients that use their own clock. */
const MAX_SKEW_MS = 2000;

/** Who signed the certificate of a host, and until when it holds. Its chain is verified already. */
export function certificateResult(subject: string, certificate: Certificate, protocol: string, nowMs: number): Result {
  const chain = chainOf(certificate);
  const names = chain.map(({ subject: one }) => nameOf(one));
  const ends = chain.map(({ valid_to, subject: one }) => ({ name: nameOf(one), atMs: Date.parse(valid_to) }));
  const [first] = ends.toSorted((one, other) => one.atMs - other.atMs);
  if (first === undefined || Number.isNaN(first.atMs)) return ok(subject, `${protocol}, verified`);
  const days = Math.floor((first.atMs - nowMs) / DAY_MS);
  const until = new Date(first.atMs).toISOString().slice(0, 10);
  const found = `${protocol}, verified: ${names.join(', signed by ')}; valid until ${until} (${plural(days, 'day')})`;
  if (days >= SOON_DAYS) return ok(subject, found);
  return warn(subject, found, `renew the certificate of ${first.name} on the server`);
}

/** How far the target's clock is from this machine's, as far as its Date header tells; null where it states none. */
export function clockResult(date: string | undefined, sentMs: number, receivedMs: number): Result | null {
  const stated = Date.parse(date ?? '');
  if (Number.isNaN(stated)) return null;
  // The answer was dated at some time while it was awaited, and its date was cut to the second.
  const leastMs = stated - receivedMs;
  const mostMs = stated + DATE_STEP_MS - sentMs;
  const subject = 'clock';
  if (leastMs <= 0 && mostMs >= 0) return ok(subject, 'that of the target agrees with this machine');
  const [aheadMs, way] = leastMs > 0 ? [leastMs, 'ahead of'] : [-mostMs, 'behind'];
  const found = `that of the target is at least ${(aheadMs / 1000).toFixed(1)} s ${way} this machine`;
  if (aheadMs <= MAX_SKEW_MS) return ok(subject, found);
  const advice = 'set both by NTP; Assay judges stated times by the target’s own Date, but your clients may not';
  return warn(subject, found, advice);
}

/** From the host's certificate to its authority, each once. */
function chainOf(certificate: Certificate): readonly Certificate[] {
  const chain: Certificate[] = [];
  let at: Certificate | undefined = certificate;
  while (at?.subject !== undefined && !chain.includes(at) && chain.length < LONGEST_CHAIN) {
    chain.push(at);
    at = at.issuerCertificate;
  }
  return chain;
}

function nameOf(subject: Certificate['subject'] | undefined): string {
  const told = subject?.CN ?? subject?.O ?? 'an unnamed certificate';
  return terminalText(Array.isArray(told) ? told.join(', ') : told);
}
