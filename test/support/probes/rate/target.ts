// For tests: a target of limiters alone, on a clock that is handed in. Every call of a key meets that key's limiter.
import { RateBook } from '../../../../src/checks/rate/rate-history.ts';
import type { Timing } from '../../../../src/clock/clock.ts';
import type { HeaderList, RequestPlan } from '../../../../src/exchange/exchange.ts';
import type { PlanExpectations } from '../../../../src/limiters/limit-book.ts';
import type { Description } from '../../../../src/openapi/model/operation.ts';
import type { Send } from '../../../../src/probes/probe.ts';
import type { Reached, World } from '../../../../src/probes/world.ts';
import { exchangeWith } from '../../checks/exchanges.ts';
import { type HeaderStyle, headersOf, type Limiter, PLAIN_STYLE } from '../../limiters/limiters.ts';
import { loadShop, reachedWith } from '../world.ts';

const list = { responses: { 200: { description: 'As told' } } };
const PATHS: Record<string, Record<string, unknown>> = {
  '/api/v1/a': { get: list },
  '/api/v1/a/{aId}': { get: list },
  '/api/v1/b': { get: list },
  '/api/v1/c': { get: list, post: { requestBody: { content: { 'application/json': { schema: {} } } }, ...list } },
  '/api/v1/auth/activity/export': {
    post: { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } }, ...list },
  },
};

export function loadLimited(): Promise<Description> {
  return loadShop(PATHS);
}

/** Operations of the description, called with success; the first in the least time. `only`: their keys. Absent: all that take no id. */
export function allReached(world: World, description: Description, only?: readonly string[]): readonly Reached[] {
  const keys = description.operations.map(({ key }) => key).filter((key) => only?.includes(key) ?? !key.includes('{'));
  return keys.map((key, index) => {
    const reached = reachedWith(world, description, key);
    return { ...reached, proof: { ...exchangeWith(), durationMs: index + 1 } };
  });
}

export interface SimulatedTarget {
  readonly send: Send;
  readonly book: RateBook;
  /** Everything that was sent. */
  readonly plans: readonly RequestPlan[];
}

export interface TargetOptions {
  readonly clock: Timing;
  readonly limiterOf: (key: string) => Limiter;
  readonly style?: HeaderStyle;
  /** From sent to counted, and the same again to answered. ms. */
  readonly latencyMs?: (call: number) => number;
  readonly cost?: (plan: RequestPlan) => number;
  /** A 429 for this call, beside the limiter: Retry-After in seconds. null: none. */
  readonly throttle?: (plan: RequestPlan, nowMs: number) => number | null;
  /** Expectations of the configuration, by plan. */
  readonly expected?: PlanExpectations;
  /** Absent: 429. */
  readonly refusedStatus?: number;
  readonly change?: (headers: HeaderList, plan: RequestPlan, granted: boolean) => HeaderList;
}

/** The target, and the book that has seen what it answered. */
export function simulatedTarget(world: World, options: TargetOptions): SimulatedTarget {
  const { clock, limiterOf, style = PLAIN_STYLE, latencyMs = () => 2, cost = () => 1, throttle, change } = options;
  const limiters = new Map<string, Limiter>();
  const book = new RateBook(world.keys, world.limited, options.expected);
  const plans: RequestPlan[] = [];
  const send: Send = async (plan) => {
    const key = plan.credential.kind === 'key' ? plan.credential.name : '';
    const limiter = limiters.get(key) ?? limiterOf(key);
    limiters.set(key, limiter);
    plans.push(plan);
    const id = `ex-${plans.length}`;
    const latency = latencyMs(plans.length);
    const sentAt = clock.now();
    await clock.sleep(latency);
    const at = clock.now();
    const grant = limiter(at, cost(plan));
    const again = grant.granted ? (throttle?.(plan, at) ?? null) : null;
    const written = headersOf(grant, at, style);
    const headers = again === null ? written : [...written, ['retry-after', String(again)] as const];
    const granted = grant.granted && again === null;
    await clock.sleep(latency);
    const base = exchangeWith({
      id,
      plan,
      status: granted ? 200 : (options.refusedStatus ?? 429),
      headers: change?.(headers, plan, granted) ?? headers,
    });
    const last = { ...base, sentAt, durationMs: clock.now() - sentAt };
    book.observe(last);
    return { attempts: [last], last };
  };
  return { send, book, plans };
}
