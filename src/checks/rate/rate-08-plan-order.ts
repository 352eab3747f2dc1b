// Laws over the limits of all keys: RATE-08 (plans in order), the configured half of RATE-10, and what is known of each in words.
//
// RATE-08 (must): Ceilings do not fall from Standard to Growth to Enterprise, and plans are not all the same.
//   Tolerance: Needs keys of two plans or more; "all the same" is an advisory.
// RATE-10 (must): The measured ceiling per plan equals what X-RateLimit-Limit states. Tolerance: Within 1 %; for a
//   bucket the sustained rate times the window counts, its burst is observed. Configured expectations per plan, if any,
//   are judged too.
// RATE-11 (discover): Window length, algorithm (fixed, sliding, bucket), burst, cost per endpoint, for each plan.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { DrainFacts } from './drained-window.ts';
import type { Tightness } from './rate-06-retry-wait.ts';
import { resetInWords, type WindowFacts } from './windows.ts';

export interface PlanKey {
  readonly name: string;
  readonly plan: string;
}

/** By plan: what the configuration expects. */
export type PlanExpectations = Readonly<Record<string, { readonly limit?: number; readonly windowSeconds?: number }>>;

export interface PlanFacts {
  readonly plan: string;
  readonly key: string;
  /** As X-RateLimit-Limit states, or as it was measured. */
  readonly limit: number;
  /** What a measured limit lies between; absent: it is stated. */
  readonly bounds?: { readonly least: number; readonly most: number };
  readonly window: WindowFacts;
  /** null when the key was not drained. */
  readonly drain: DrainFacts | null;
  /** Operation → calls that one call costs, where it was measured. */
  readonly costs: Readonly<Record<string, number>>;
  readonly evidence: Exchange | null;
  /** Absent or null where no call was sent before a told wait was over. */
  readonly tightness?: Tightness | null;
}

const ORDER: readonly string[] = ['standard', 'growth', 'enterprise'];
const WINDOW_TOLERANCE = 0.05;
const MOST_COSTS_SHOWN = 12;

/** RATE-08, by stated Limits; per second where windows are known and differ. */
export function judgePlanOrder(facts: readonly PlanFacts[]): Judgement {
  const tiers = ORDER.flatMap((plan) => facts.find((one) => one.plan.toLowerCase() === plan) ?? []);
  if (tiers.length < 2) return cannotTell('no-credential', 'needs keys of two plans or more that state a limit');
  const actual = tiers.map(({ plan, limit, window }) => `${plan} ${limit}${inWindow(window)}`).join(', ');
  const falls = tiers.slice(1).some((upper, index) => isBelow(upper, tiers[index] as PlanFacts));
  const expected = 'ceilings that do not fall from Standard to Growth to Enterprise';
  if (falls) {
    const [code, cause] = ['rate-08.falls', 'a ceiling falls from one plan to the next'];
    return breached([
      { weight: 'breach', code, cause, message: `${cause}: ${actual}; expected ${expected}`, expected, actual },
    ]);
  }
  const [first] = tiers;
  if (first === undefined || tiers.some((one) => one.limit !== first.limit || differs(one.window, first.window)))
    return holds(tiers.length - 1);
  const [code, cause] = ['rate-08.all-equal', 'all plans have the same ceiling'];
  return breached([
    { weight: 'advisory', code, cause, message: `${cause}: ${actual}; expected plans that differ`, expected, actual },
  ]);
}

function isBelow(upper: PlanFacts, lower: PlanFacts): boolean {
  const [above, below] = [upper.window.windowSeconds, lower.window.windowSeconds];
  const [most, least] = [upper.bounds?.most ?? upper.limit, lower.bounds?.least ?? lower.limit];
  if (above === null || below === null || !differs(upper.window, lower.window)) return most < least;
  return most < least && most / above < least / below;
}

function differs(left: WindowFacts, right: WindowFacts): boolean {
  const [one, other] = [left.windowSeconds, right.windowSeconds];
  if (one === null || other === null) return false;
  return Math.abs(one - other) > Math.max(2, 0.2 * Math.max(one, other));
}

/** What is configured for the plan, its name compared without regard to case. */
export function expectationOf(expected: PlanExpectations, plan: string): PlanExpectations[string] | undefined {
  return Object.entries(expected).find(([name]) => name.toLowerCase() === plan.toLowerCase())?.[1];
}

/** RATE-10: what the configuration expects of each plan, against what its keys state. */
export function judgeStatedLimits(facts: readonly PlanFacts[], expected: PlanExpectations): readonly Judgement[] {
  return facts.flatMap((one) => {
    const plan = expectationOf(expected, one.plan);
    if (plan === undefined) return [];
    const breaches: Breach[] = [];
    if (plan.limit !== undefined && plan.limit !== one.limit)
      breaches.push(unexpected('stated-limit', 'the stated Limit', one, String(plan.limit), String(one.limit)));
    const { windowSeconds, confidence } = one.window;
    const judgesWindow = plan.windowSeconds !== undefined && windowSeconds !== null && confidence === 'sure';
    if (judgesWindow && !isNear(windowSeconds, plan.windowSeconds ?? 0))
      breaches.push(unexpected('window', 'the window', one, `${plan.windowSeconds} s`, `${windowSeconds} s`));
    const assertions = (plan.limit === undefined ? 0 : 1) + (judgesWindow ? 1 : 0);
    return assertions === 0 ? [] : breached(breaches, assertions);
  });
}

function isNear(seconds: number, expected: number): boolean {
  return Math.abs(seconds - expected) <= Math.max(1, WINDOW_TOLERANCE * expected);
}

function unexpected(kind: string, what: string, { plan, key }: PlanFacts, expected: string, actual: string): Breach {
  return {
    weight: 'breach',
    code: codeOf('RATE-10', kind, plan),
    cause: `${what} of plan ${plan} is not the configured one`,
    message: `${what} of plan ${plan} (key ${key}) is ${actual}, expected ${expected} (expect.plans.${plan})`,
    expected,
    actual,
  };
}

/** What is known of the key's limit, in one line. */
export function inOneLine({ limit, window, drain, costs }: PlanFacts): string {
  const priced = Object.entries(costs);
  const dear = priced.filter(([, cost]) => cost !== 1);
  const shown = dear.slice(0, MOST_COSTS_SHOWN).map(([operation, cost]) => `${operation} ${cost}`);
  const prices =
    priced.length === 0
      ? 'cost not measured'
      : dear.length === 0
        ? `cost 1 on all ${priced.length} operations measured`
        : `cost 1 on ${priced.length - dear.length} operations, ${shown.join(', ')}`;
  const model = drain === null ? 'algorithm unknown (not drained)' : `${drain.algorithm} (drained)`;
  const burst = drain?.burst == null ? '' : `; burst ${drain.burst}`;
  return `limit ${limit}; window${inWindow(window) || ' unknown'}; Reset is ${resetInWords(window)}; ${model}${burst}; ${prices}`;
}

function inWindow({ windowSeconds, confidence }: WindowFacts): string {
  return windowSeconds === null ? '' : ` in ${windowSeconds} s (${confidence})`;
}
