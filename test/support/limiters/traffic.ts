// For tests: traffic of one or more keys against a simulated limiter, in simulated time. Each call is counted somewhere
// between being sent and being answered; exchanges come in the order answered, as in a run.
import type { Exchange, HeaderList } from '../../../src/exchange/exchange.ts';
import { exchangeWith } from '../checks/exchanges.ts';
import { type HeaderStyle, headersOf, type Limiter, PLAIN_STYLE } from './limiters.ts';

export interface SimulatedCall {
  readonly sentAt: number;
  /** From sent to counted, from counted to answered. ms. */
  readonly before: number;
  readonly after: number;
  readonly operation: string;
  readonly key?: string;
}

export const START = Date.UTC(2026, 0, 1);

export interface TrafficOptions {
  readonly style?: HeaderStyle;
  /** Cost of an operation. */
  readonly cost?: (operation: string) => number;
  /** Changes the headers of the n-th answer, in the order counted. */
  readonly change?: (headers: HeaderList, call: SimulatedCall, index: number) => HeaderList;
  /** Calls that something else than the limiter refuses. */
  readonly refuses?: (call: SimulatedCall, index: number) => boolean;
}

/** The exchanges of the calls, in the order answered. */
export function traffic(
  limiter: Limiter,
  calls: readonly SimulatedCall[],
  options: TrafficOptions = {},
): readonly Exchange[] {
  const { style = PLAIN_STYLE, cost = () => 1, change, refuses = () => false } = options;
  const counted = calls.toSorted((left, right) => left.sentAt + left.before - (right.sentAt + right.before));
  return counted
    .map((call, index) => {
      const at = START + call.sentAt + call.before;
      const grant = limiter(at, cost(call.operation));
      const headers = headersOf(grant, at, style);
      const isGranted = grant.granted && !refuses(call, index);
      return answered(call, isGranted ? 200 : 429, change?.(headers, call, index) ?? headers, index);
    })
    .toSorted((left, right) => left.sentAt + left.durationMs - (right.sentAt + right.durationMs));
}

function answered(call: SimulatedCall, status: number, headers: HeaderList, index: number): Exchange {
  const [method = 'GET', path = '/'] = call.operation.split(' ');
  const credential = { kind: 'key', name: call.key ?? 'std-1' } as const;
  const plan = { method, path, operation: call.operation, credential };
  const exchange = exchangeWith({ id: `ex-${index}`, plan, status, headers });
  return { ...exchange, sentAt: START + call.sentAt, durationMs: call.before + call.after };
}

/** Calls one after the other, `gapMs` apart. */
export function steady(
  count: number,
  gapMs: number,
  operations: readonly string[],
  fromMs = 0,
): readonly SimulatedCall[] {
  return Array.from({ length: count }, (_, index) => ({
    sentAt: fromMs + index * gapMs,
    before: 1,
    after: 1,
    operation: operations[index % operations.length] ?? 'GET /a',
  }));
}

/** The header with another value; removed for null. */
export function withHeader(headers: HeaderList, name: string, value: string | null): HeaderList {
  const others = headers.filter(([candidate]) => candidate !== name);
  return value === null ? others : [...others, [name, value]];
}
