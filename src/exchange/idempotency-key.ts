// The header that carries a request's idempotency key, whatever a service calls it.
import type { HeaderList } from './exchange.ts';

const USUAL = /^idempotency-key$/i;
const PREFIXED = /^.+-idempotency-key$/i;

/** Whether keys are known to be carried by headers of such names: `Idempotency-Key`, and the same behind a prefix (`X-Idempotency-Key`). */
export function isKeyHeader(name: string): boolean {
  return USUAL.test(name) || PREFIXED.test(name);
}

/** The key of a request; that of the usual header where there are several, null for none. */
export function keyIn(headers: HeaderList): string | null {
  const carried = headers.find(([name]) => USUAL.test(name)) ?? headers.find(([name]) => PREFIXED.test(name));
  return carried?.[1] ?? null;
}
