// The trace that a request belongs to, as its traceparent header says it: by it a finding leads to what the server noted.
// Source: W3C Trace Context, level 1, 3.2.
//
//   traceparent = 00-<trace id: 32 hex digits>-<id of the sender's span: 16>-<flags: 2>     lower case, no id all zeros
import { hash } from 'node:crypto';
import type { HeaderList } from './exchange.ts';

export const TRACEPARENT = 'traceparent';

/** Trace of a request, and the span of whoever sent it. Hex, in lower case. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** Names the n-th request that is sent. */
export type TraceSource = (serial: number) => TraceContext;

const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/;
/** The sender records the trace: whoever samples by it keeps the trace, too. */
const SAMPLED = '01';

/** A trace of its own for every request. The same name gives the same ones: it has to differ from run to run. */
export function tracesOf(name: string): TraceSource {
  return (serial) => {
    const digest = hash('sha256', `${name} ${serial}`);
    return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
  };
}

/** The header's value for it. */
export function traceparentOf({ traceId, spanId }: TraceContext): string {
  return `00-${traceId}-${spanId}-${SAMPLED}`;
}

/** Trace in the headers of a request; null where they name none, or not as they should. */
export function traceIn(headers: HeaderList): TraceContext | null {
  const value = headers.find(([name]) => name.toLowerCase() === TRACEPARENT)?.[1];
  const [, traceId, spanId] = FORM.exec(value?.trim() ?? '') ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
