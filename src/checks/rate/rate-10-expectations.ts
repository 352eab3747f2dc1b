// RATE-10, its last half: what the configuration expects of a plan, against what its key states and what was measured of it. Pure.
//
// RATE-10 (must): The measured ceiling per plan equals the limit that answers state. Tolerance: Within 1 %; for a
//   bucket the sustained rate times the window counts, its burst is observed. Configured expectations per plan, if
//   any, are judged too.
import { type Breach, breached, type Judgement } from '../../contract/judgement.ts';
import { type MeasuredLimit, slackOf, TOLERANCE, WINDOW_TOLERANCE } from '../../limiters/drained-window.ts';
import { type Expectation, expectationOf, type PlanExpectations } from '../../limiters/limit-book.ts';
import type { WindowFacts } from '../../limiters/windows.ts';
import { rateBreach } from '../../wording/rate.ts';

/** The limit that the key of a plan states. */
interface Stated {
  readonly plan: string;
  readonly key: string;
  readonly limit: number;
  readonly window: WindowFacts;
}

/** A sustained rate is known as exactly as a limit and a window are. */
const RATE_TOLERANCE = 2 * TOLERANCE;

/** Holds what each key states against what is expected of its plan; nothing for plans of which nothing is expected or known. */
export function judgeStatedLimits(facts: readonly Stated[], expected: PlanExpectations): readonly Judgement[] {
  return facts.flatMap(({ plan, key, limit, window }) => {
    const wanted = expectationOf(expected, plan);
    if (wanted === undefined) return [];
    const breaches: Breach[] = [];
    const tell = (of: Subject, goal: number, actual: number, unit: string): void => {
      breaches.push(unexpected(of, { plan, key, wanted }, `${goal}${unit}`, `${actual}${unit}`));
    };
    if (wanted.limit !== undefined && wanted.limit !== limit) tell('stated-limit', wanted.limit, limit, '');
    const { bounds, windowSeconds } = window;
    const goal = bounds === null || windowSeconds === null ? undefined : wanted.windowSeconds;
    if (goal !== undefined && bounds !== null && windowSeconds !== null) {
      const slack = WINDOW_TOLERANCE * goal;
      if (bounds.least > goal + slack || bounds.most < goal - slack) tell('window', goal, windowSeconds, ' s');
    }
    const isKnown = breaches.length > 0 || (goal !== undefined && Number.isFinite(bounds?.most));
    const assertions = Number(wanted.limit !== undefined) + Number(isKnown);
    return assertions === 0 ? [] : breached(breaches, assertions);
  });
}

/** Holds what was measured of a plan's key against what is expected of the plan; null where nothing is expected or known. */
export function judgeExpected(
  plan: string,
  { key, limit, windowMs, isBucket, cost }: Pick<MeasuredLimit, 'key' | 'limit' | 'windowMs' | 'isBucket' | 'cost'>,
  expected: PlanExpectations,
): Judgement | null {
  const wanted = expectationOf(expected, plan);
  if (wanted === undefined || limit === null) return null;
  const breaches: Breach[] = [];
  let assertions = 0;
  const compare = (of: Subject, actual: number, goal: number, slack: number, unit: string): void => {
    assertions += 1;
    if (Math.abs(actual - goal) <= slack) return;
    const atLeast = Number.isFinite(limit.most) ? '' : 'at least ';
    const shown = `${atLeast}${Number(actual.toPrecision(4))}${unit}`;
    breaches.push(unexpected(of, { plan, key, wanted }, `${goal}${unit}`, shown));
  };
  const { limit: calls, windowSeconds } = wanted;
  const seconds = windowMs === null ? null : windowMs.best / 1000;
  if (isBucket && calls !== undefined && windowSeconds !== undefined && seconds !== null) {
    const goal = calls / windowSeconds;
    compare('sustained-rate', limit.best / seconds, goal, RATE_TOLERANCE * goal, ' a second');
  }
  if (!isBucket && calls !== undefined) compare('measured-ceiling', limit.best, calls, slackOf(calls, cost), '');
  if (!isBucket && windowSeconds !== undefined && seconds !== null)
    compare('measured-window', seconds, windowSeconds, WINDOW_TOLERANCE * windowSeconds, ' s');
  return assertions === 0 ? null : breached(breaches, assertions);
}

const SUBJECTS = {
  'stated-limit': 'the stated Limit',
  window: 'the window',
  'sustained-rate': 'the sustained rate',
  'measured-ceiling': 'the measured ceiling',
  'measured-window': 'the measured window',
} as const;

type Subject = keyof typeof SUBJECTS;

function unexpected(
  of: Subject,
  { plan, key, wanted }: { readonly plan: string; readonly key: string; readonly wanted: Expectation },
  expected: string,
  actual: string,
): Breach {
  const what = `${SUBJECTS[of]} of plan ${plan}`;
  const { statedBy = 'expect.plans' } = wanted;
  const values = { told: `${what} (key ${key}) is ${actual}`, actual, expected: `${expected} (${statedBy}.${plan})` };
  const whose = wanted.statedBy === undefined ? 'configured' : "contract's";
  return rateBreach(`rate-10.${of}`, `${what} is not the ${whose} one`, values, plan);
}
