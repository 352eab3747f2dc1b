// The book of limits: the history of each key, and what experiments found out of it, for whoever judges it or is to send next.
import type { RateTerms } from '../contract/terms.ts';
import { KeyHistory } from './key-history.ts';
import type { RateReading } from './reading.ts';

export interface PlanKey {
  readonly name: string;
  readonly plan: string;
}

/** Expectations of the configuration, by plan. */
export type PlanExpectations = Readonly<Record<string, Expectation>>;

export interface Expectation {
  readonly limit?: number;
  readonly windowSeconds?: number;
  /** Where it is stated; absent: in the configuration. */
  readonly statedBy?: string;
}

/** Expectations that the contract states of plans, and the configuration's in their place. */
export function expectationsOf(terms: RateTerms | null, configured: PlanExpectations): PlanExpectations {
  const stated = Object.entries(terms?.plans ?? {}).map(
    ([plan, one]) => [plan, { ...one, statedBy: 'rateLimits.plans' }] as const,
  );
  return { ...Object.fromEntries(stated), ...configured };
}

/** Expectation for the plan, its name compared without regard to case. */
export function expectationOf(expected: PlanExpectations, plan: string): PlanExpectations[string] | undefined {
  return Object.entries(expected).find(([name]) => name.toLowerCase() === plan.toLowerCase())?.[1];
}

export class LimitBook {
  protected readonly histories = new Map<string, KeyHistory>();
  protected readonly keys: readonly PlanKey[];
  readonly expected: PlanExpectations;
  readonly #policies = new Map<string, string>();
  /** Operations whose calls were shown not to count: what they are granted beyond a limit follows from that. */
  readonly uncounted = new Set<string>();

  constructor(keys: readonly PlanKey[], expected: PlanExpectations) {
    this.keys = keys;
    this.expected = expected;
  }

  /** The history that it was added to. */
  add(reading: RateReading): KeyHistory {
    const history = this.historyOf(reading.key, reading.policy);
    history.add(reading);
    return history;
  }

  /** The history of the key under the policy, begun when there is none; that of the first policy that was seen of it where none is named. */
  historyOf(key: string, policy: string | null = null): KeyHistory {
    if (policy !== null && !this.#policies.has(key)) this.#policies.set(key, policy);
    const series = policy === null || policy === this.#policies.get(key) ? key : `${key} ${policy}`;
    const history = this.histories.get(series) ?? new KeyHistory();
    this.histories.set(series, history);
    return history;
  }

  /** The window that is expected of the key's plan, or that its answers tell, in seconds; null where neither is. */
  expectedWindow(key: string): number | null {
    const plan = this.keys.find(({ name }) => name === key)?.plan ?? '';
    return expectationOf(this.expected, plan)?.windowSeconds ?? this.historyOf(key).latest?.windowSeconds ?? null;
  }

  /** The time within which all calls of a key are back where no reset tells it: its window, or the longest wait that a refusal asked for. Null: nothing tells. ms. */
  backWithinMs(key: string): number | null {
    const seconds = this.expectedWindow(key);
    return seconds === null ? this.historyOf(key).longestWaitMs : seconds * 1000;
  }

  /** That time where the answer states no reset; undefined where it does, or nothing tells. ms. */
  untoldWindowMs({ key, reset }: RateReading): number | undefined {
    return reset === null ? (this.backWithinMs(key) ?? undefined) : undefined;
  }
}
