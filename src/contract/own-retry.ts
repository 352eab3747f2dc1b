// How long this program's own client waits, and how often it tries again: as the contract lets clients, else as is usual.
import type { ClientTerms, Terms } from './terms.ts';

/** Used where a contract says nothing of clients. */
const USUAL_WAITS: ClientTerms = {
  maxRetries: 4,
  base429Ms: 1000,
  capMs: 30_000,
  jitterMs: 250,
  base5xxMs: 250,
  tasks: {},
};

/** How clients wait under the terms. */
export function waitsOf({ clients }: Pick<Terms, 'clients'>): ClientTerms {
  return clients ?? USUAL_WAITS;
}
