// Keys of one plan beside each other: the source says that limits are tiered by plan, and nothing of keys of one that differ.
// So a difference is observed. Pure.
import { observation } from '../../checks/observation.ts';
import { codeOf } from '../../contract/code.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { algorithmOf, type Ceiling, sizeOf } from './ceiling-verdicts.ts';

const LIMIT_TOLERANCE = 0.01;
const WINDOW_TOLERANCE = 0.05;

/** One observation for each plan of which several keys were measured. */
export function comparedWithinPlans(ceilings: readonly Ceiling[]): readonly Judgement[] {
  const known = ceilings.filter(({ found }) => sizeOf(found).limit !== null);
  return [...Map.groupBy(known, ({ plan }) => plan)].flatMap(([plan, keys]) => {
    const [first, ...others] = keys;
    if (first === undefined || others.length === 0) return [];
    const calls = keys.reduce((sum, { found }) => sum + found.calls, 0);
    const isAlike = others.every((other) => isLike(first, other));
    const actual = keys.map(inWords).join(', ');
    const code = codeOf('RATE-11', isAlike ? 'keys-alike' : 'keys-differ', plan);
    const cause = isAlike
      ? `keys of plan ${plan} have the same ceiling`
      : `keys of plan ${plan} have different ceilings`;
    const of = { key: first.name, plan };
    const value = isAlike ? 'the same' : actual;
    const row = { subject: 'ceilings of its keys', value, confidence: 'sure', calls, basis: actual, of } as const;
    return [observation(code, cause, actual, row)];
  });
}

function isLike(one: Ceiling, other: Ceiling): boolean {
  const [left, right] = [sizeOf(one.found), sizeOf(other.found)];
  return (
    algorithmOf(one.found) === algorithmOf(other.found) &&
    isNear(left.limit?.best, right.limit?.best, LIMIT_TOLERANCE) &&
    isNear(left.windowMs?.best, right.windowMs?.best, WINDOW_TOLERANCE)
  );
}

/** What is not known of either does not differ. */
function isNear(one: number | undefined, other: number | undefined, tolerance: number): boolean {
  return one === undefined || other === undefined || Math.abs(one - other) <= tolerance * Math.max(one, other);
}

function inWords({ name, found }: Ceiling): string {
  const { limit, windowMs } = sizeOf(found);
  const window = windowMs === null ? '' : ` in ${Number((windowMs.best / 1000).toPrecision(3))} s`;
  return `${name} ${Number((limit?.best ?? 0).toPrecision(6))}${window}`;
}
