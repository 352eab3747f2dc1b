// Names the trace of each request that k6 sends, as the run's own client does for its own (src/exchange/trace-context.ts).
// Drawn by chance: load is never the same twice. k6 runs it: it imports nothing.

/** Tells whether the headers name a trace already, which they keep then. */
export function isTraced(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent');
}

/** The value of a traceparent header for one request. */
export function newTraceparent(): string {
  return `00-${digits()}${digits()}${digits()}${digits()}-${digits()}${digits()}-01`;
}

/** Eight hex digits, not all of them zero. */
function digits(): string {
  return (1 + Math.floor(Math.random() * 0xffffffff)).toString(16).padStart(8, '0');
}
