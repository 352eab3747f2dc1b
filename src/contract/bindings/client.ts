// How a contract's terms bind the CLIENT clauses on waiting.
import { plural } from '../numbers.ts';
import type { Binding, Bindings, ClientTerms, Terms } from '../terms.ts';

export const CLIENT_BINDINGS: Bindings = {
  'CLIENT-03': onFigures(
    ({ maxRetries }) =>
      `429 and 503 are retried, at most ${plural(maxRetries, 'retry', 'retries')}, after Retry-After (seconds or HTTP date).`,
  ),
  'CLIENT-04': onFigures(
    ({ base429Ms, capMs, jitterMs }) =>
      `Without Retry-After: ${base429Ms} ms doubling per attempt, capped at ${capMs} ms, plus 0–${jitterMs} ms jitter.`,
  ),
  'CLIENT-05': onFigures(
    ({ base5xxMs, maxRetries }) =>
      `Other 5xx: exponential backoff from ${base5xxMs} ms, at most ${plural(maxRetries, 'attempt')}.`,
  ),
};

function onFigures(text: (figures: ClientTerms) => string): Binding {
  return {
    isBound: ({ clients }: Terms) => clients !== null,
    by: 'clients',
    text: ({ clients }: Terms) => (clients === null ? '' : text(clients)),
  };
}
