// RATE-11 (discover): Window length, algorithm (fixed, sliding, bucket), burst, cost per endpoint, for each plan.
import { codeOf } from '../../contract/code.ts';
import { breached, type Judgement, noting, type Observed } from '../../contract/judgement.ts';
import { formInWords } from '../../limiters/reset-forms.ts';
import type { PlanFacts } from './rate-08-plan-order.ts';

/** One observation a key, with its rows. */
export function tableOf(facts: readonly PlanFacts[]): readonly Judgement[] {
  return facts.map((one) => {
    const rows = rowsOf(one);
    const actual = rows.map(({ subject, value, confidence }) => `${subject} ${value} (${confidence})`).join('; ');
    const told = breached([
      {
        weight: 'observation',
        code: codeOf('RATE-11', 'limit', one.plan, one.key),
        cause: `the limit of plan ${one.plan}, key ${one.key}`,
        message: `plan ${one.plan}, key ${one.key}: ${actual}`,
        expected: 'not stated',
        actual,
      },
    ]);
    return noting(told, rows);
  });
}

/** Limit, window, meaning of Reset, algorithm and burst of the key. Costs are measured call by call, and told there. */
export function rowsOf(facts: PlanFacts): readonly Observed[] {
  const of = { key: facts.key, plan: facts.plan };
  const rows = [limit(facts), window(facts), reset(facts), algorithm(facts), burst(facts), ...tightness(facts)];
  return rows.map((row) => ({ ...row, of }));
}

/** Seconds are whole: a wait that is longer by so little is as tight as it can be told. ms. */
const WHOLE_MS = 2000;
const SHARE = 0.2;

function tightness({ tightness: known, window: { readings } }: PlanFacts): readonly Observed[] {
  if (known == null) return [];
  const { early, closestMs } = known;
  const base = { subject: 'tightness of Retry-After', confidence: 'likely', calls: readings } as const;
  if (early !== null && early.byMs > Math.max(WHOLE_MS, SHARE * early.toldMs)) {
    const value = `a call is accepted ${inSeconds(early.byMs)} before the wait is over`;
    return [{ ...base, value, basis: `a 429 that asks for ${inSeconds(early.toldMs)}` }];
  }
  const until = closestMs === null ? '' : `calls are refused until ${inSeconds(closestMs)} before the wait is over`;
  return closestMs !== null && closestMs <= WHOLE_MS ? [{ ...base, value: 'tight', basis: until }] : [];
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function limit({ limit: stated, statedBy, window: { readings } }: PlanFacts): Observed {
  const confidence = readings > 1 ? 'sure' : 'likely';
  return { subject: 'limit', value: `${stated} calls`, confidence, calls: readings, basis: statedBy };
}

function window({ window: { windowSeconds, confidence, readings } }: PlanFacts): Observed {
  const base = { subject: 'window', calls: readings };
  if (windowSeconds === null)
    return { ...base, value: 'unknown', confidence: 'cannot-tell', basis: 'no Reset tells when a window ends' };
  if (confidence === 'at least') {
    const basis = 'the longest time to a reset that was stated';
    return { ...base, value: `at least ${windowSeconds} s`, confidence: 'cannot-tell', basis };
  }
  return { ...base, value: `${windowSeconds} s`, confidence, basis: 'from one stated reset to the next' };
}

function reset({ window: { form, formReadings, readings } }: PlanFacts): Observed {
  const base = { subject: 'meaning of Reset', calls: readings };
  if (form === null) return { ...base, value: 'unknown', confidence: 'cannot-tell', basis: 'no Reset could be read' };
  const isSure = formReadings === readings && readings > 1;
  const basis = `${formReadings} of ${readings} answers`;
  return { ...base, value: formInWords(form), confidence: isSure ? 'sure' : 'likely', basis };
}

function algorithm({ drain, window }: PlanFacts): Observed {
  const subject = 'algorithm';
  const unknown = { subject, value: 'unknown', confidence: 'cannot-tell', calls: drain?.calls ?? 0 } as const;
  if (drain === null) return { ...unknown, basis: 'no window of this key was drained' };
  if (drain.algorithm === 'unknown') return { ...unknown, basis: 'how calls came back fits no one limiter' };
  // Resets that jump by one window agree with a drain after which all calls come back at once.
  const isSure = drain.algorithm === 'fixed-window' && window.confidence === 'sure';
  const basis = 'how calls came back after one window was drained';
  return { subject, value: drain.algorithm, confidence: isSure ? 'sure' : 'likely', calls: drain.calls, basis };
}

function burst({ drain, limit: stated }: PlanFacts): Observed {
  const calls = drain?.calls ?? 0;
  if (drain?.burst == null) {
    const basis = drain === null ? 'no window of this key was drained' : 'the drained window could not be exhausted';
    return { subject: 'burst', value: 'unknown', confidence: 'cannot-tell', calls, basis };
  }
  const confidence = drain.burst === stated ? 'sure' : 'likely';
  const basis = 'admitted at once from a fresh window until a 429';
  return { subject: 'burst', value: `${drain.burst} calls`, confidence, calls, basis };
}
