// Laws over the limits of all keys: RATE-08 (plans in order).
//
// RATE-08 (must): Ceilings do not fall from plan to plan in the order that the contract states, and plans are not all
//   the same. Tolerance: Needs keys of two plans or more; "all the same" is an advisory.
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { DrainFacts } from '../../limiters/drained-window.ts';
import type { WindowFacts } from '../../limiters/windows.ts';
import { rate } from '../../wording/rate.ts';
import type { Tightness } from './rate-06-retry-wait.ts';

export interface PlanFacts {
  readonly plan: string;
  readonly key: string;
  /** As headers state, by what they call it, or as it was measured. */
  readonly limit: number;
  readonly statedBy: string;
  /** Bounds of a measured limit; absent: it is stated. */
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

/** The facts of a plan that are compared. */
type Tier = Pick<PlanFacts, 'plan' | 'limit' | 'bounds'> & { readonly window: WindowLength };
type WindowLength = Pick<WindowFacts, 'windowSeconds' | 'confidence'>;

/** RATE-08, by Limits as stated or measured; per second where windows are known and differ. `rising`: the plans in the contract's order. */
export function judgePlanOrder(facts: readonly Tier[], rising: readonly string[]): Judgement {
  const tiers = rising.flatMap((plan) => facts.find((one) => one.plan.toLowerCase() === plan.toLowerCase()) ?? []);
  if (tiers.length < 2) return cannotTell('no-credential', 'needs keys of two plans or more that state a limit');
  const actual = tiers.map(({ plan, limit, window }) => `${plan} ${limit}${inWindow(window)}`).join(', ');
  const falls = tiers.slice(1).some((upper, index) => isBelow(upper, tiers[index] as Tier));
  const expected = `ceilings that do not fall from ${rising.map(capitalized).join(' to ')}`;
  if (falls) return breached([rate('rate-08.falls', { actual, expected })]);
  const [first] = tiers;
  if (first === undefined || tiers.some((one) => one.limit !== first.limit || differs(one.window, first.window)))
    return holds(tiers.length - 1);
  return breached([rate('rate-08.all-equal', { actual, expected: 'plans that differ', weight: 'advisory' })]);
}

function capitalized(plan: string): string {
  return plan.slice(0, 1).toUpperCase() + plan.slice(1);
}

function isBelow(upper: Tier, lower: Tier): boolean {
  const [above, below] = [upper.window.windowSeconds, lower.window.windowSeconds];
  const [most, least] = [upper.bounds?.most ?? upper.limit, lower.bounds?.least ?? lower.limit];
  if (above === null || below === null || !differs(upper.window, lower.window)) return most < least;
  return most < least && most / above < least / below;
}

function differs(left: WindowLength, right: WindowLength): boolean {
  const [one, other] = [left.windowSeconds, right.windowSeconds];
  if (one === null || other === null) return false;
  return Math.abs(one - other) > Math.max(2, 0.2 * Math.max(one, other));
}

function inWindow({ windowSeconds, confidence }: WindowLength): string {
  return windowSeconds === null ? '' : ` in ${windowSeconds} s (${confidence})`;
}
