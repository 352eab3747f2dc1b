// The book of limits: the history of each key, and what experiments found out of it, for whoever judges it or is to send next.
import type { RateTerms } from '../contract/terms.ts';
import type { DrainFacts } from './drained-window.ts';
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
  protected readonly costs = new Map<string, Map<string, number>>();
  protected readonly drains = new Map<string, DrainFacts>();
  protected readonly keys: readonly PlanKey[];
  protected readonly expected: PlanExpectations;
  readonly #policies = new Map<string, string>();
  readonly #uncounted = new Set<string>();
  readonly #shared = new Set<string>();
  readonly #taken = new Set<string>();

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

  /** Notes how far one call of the operation lowered the key's Remaining. */
  noteCost(key: string, operation: string, cost: number): void {
    const costs = this.costs.get(key) ?? new Map<string, number>();
    this.costs.set(key, costs.set(operation, cost));
  }

  /** That calls of the operation were shown not to count: what it is granted beyond a limit follows from that. */
  noteUncounted(operation: string): void {
    this.#uncounted.add(operation);
  }

  /** Tells whether calls of any operation were shown not to count. */
  get knowsUncounted(): boolean {
    return this.#uncounted.size > 0;
  }

  isUncounted(operation: string): boolean {
    return this.#uncounted.has(operation);
  }

  /** That another client uses the key: its Remaining fell while this run sent nothing. */
  noteOthers(key: string): void {
    this.#shared.add(key);
  }

  /** That another client may have taken what came back of the key: more is missing than own calls explain. */
  noteTaken(key: string): void {
    this.#taken.add(key);
  }

  isTakenByOthers(key: string): boolean {
    return this.#taken.has(key) || this.#shared.has(key);
  }

  /** The key where others were seen to use it; absent: any key that they were. null: none. */
  sharedKey(key: string | undefined = [...this.#shared][0]): string | null {
    return key !== undefined && this.#shared.has(key) ? key : null;
  }

  /** That of the limit that was drained first. */
  noteDrain(key: string, facts: DrainFacts): void {
    if (!this.drains.has(key)) this.drains.set(key, facts);
  }

  /** The expectation of the plan; undefined: none. */
  expectedOf(plan: string): Expectation | undefined {
    return expectationOf(this.expected, plan);
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
