// Tells by its method what a request may do, before it is sent.

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);

/**
 * Tells whether requests of the method ask for no change. Source: RFC 9110, 9.2.1; for QUERY, OpenAPI 3.2 refers to
 * draft-ietf-httpbis-safe-method-w-body.
 */
export function isSafe(method: string): boolean {
  return SAFE.has(method);
}
