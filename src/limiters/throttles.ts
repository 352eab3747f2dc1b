// Throttles of single operations, beside the limits of keys, as the contract states them.
import { operationMatcher } from '../contract/operation-glob.ts';
import type { RateTerms, Terms } from '../contract/terms.ts';
import { refusedStatus } from './reading.ts';

export interface Throttle {
  /** The operation's key. */
  readonly operation: string;
  /** Calls of one user that are not all accepted within so many seconds. */
  readonly calls: number;
  readonly seconds: number;
  /** The status of those that are not. */
  readonly refused: number;
}

/** The throttle that the contract states of the operation; null for none. */
export function throttleOf({ rateLimits }: Terms, operation: string): Throttle | null {
  const stated = rateLimits?.throttles.find(({ operation: glob }) => operationMatcher([glob])(operation));
  return stated === undefined ? null : { ...stated, operation, refused: refusedStatus(rateLimits) };
}

/** "no description has POST /exports": why nothing can be flooded. */
export function lacksThrottled(terms: RateTerms | null): string {
  const names = (terms?.throttles ?? []).map(({ operation }) => operation);
  return names.length === 0
    ? 'the contract states no throttle of an operation'
    : `no description has ${names.join(' or ')}`;
}
