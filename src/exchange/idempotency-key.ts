// The header that carries a request's idempotency key, whatever a service calls it.
import { USUAL_KEY_HEADER } from '../contract/customs.ts';
import type { Exchange, HeaderList } from './exchange.ts';

const USUAL = new RegExp(`^${USUAL_KEY_HEADER}$`, 'i');
const OTHER = /(^|[-_])idempoten(cy|ce|t)[-_]?(key|token|id)$/i;

/**
 * Tells whether keys are known to be carried by headers of such names: `Idempotency-Key`, the same behind a prefix
 * (`X-Idempotency-Key`), and other spellings (`Idempotence-Key`, `idempotencyToken`).
 */
export function isKeyHeader(name: string): boolean {
  return OTHER.test(name);
}

/** Tells whether a header of this name may carry keys where one does: `PayPal-Request-Id`, `Repeatability-Request-ID`. */
export function isRequestIdHeader(name: string): boolean {
  return /(^|-)(request|transaction)-?(id|token)$/i.test(name);
}

/** The key of a request: in the header of that name where one is known, else in the usual one; null for none. */
export function keyIn(headers: HeaderList, known?: string): string | null {
  const carried =
    known === undefined
      ? (headers.find(([name]) => USUAL.test(name)) ?? headers.find(([name]) => OTHER.test(name)))
      : headers.find(([name]) => name.toLowerCase() === known.toLowerCase());
  return carried?.[1] ?? null;
}

/** The key that the request carries, as it was planned or as it was sent; null for none. */
export function keyOf(
  { plan, request }: Pick<Exchange, 'plan'> & Partial<Pick<Exchange, 'request'>>,
  known?: string,
): string | null {
  return keyIn([...plan.headers, ...(request?.headers ?? [])], known);
}

/** Tells whether both requests carry one key. */
export function haveOneKey(first: Exchange, second: Exchange): boolean {
  const key = keyOf(first);
  return key !== null && keyOf(second) === key;
}
