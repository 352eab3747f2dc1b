// RATE-11 (discover): Window length, algorithm (fixed, sliding, bucket), burst, cost per endpoint, for each plan.

import { codeOf } from '../../contract/code.ts';
import { breached, type Judgement, noting, type Observed } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { Confidence } from '../../contract/report.ts';
import { algorithmIn } from '../../limiters/models.ts';
import { formInWords } from '../../limiters/reset-forms.ts';
import type { WindowFacts } from '../../limiters/windows.ts';
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
  const { key, plan, drain, window } = facts;
  const rows = [limit(facts), length(window), reset(window), algorithm(facts), burst(facts), ...tightness(facts)];
  const drained = drain?.calls ?? 0;
  return rows.map(([subject, value, confidence, basis]) => {
    const calls = subject === 'algorithm' || subject === 'burst' ? drained : window.readings;
    return { subject, value, confidence, calls, basis, of: { key, plan } };
  });
}

type Row = readonly [subject: string, value: string, confidence: Confidence, basis: string];

function unknown(subject: string, why: string): Row {
  return [subject, 'unknown', 'cannot-tell', why];
}

/** Seconds are whole: a wait that is longer by so little is as tight as it can be told. ms. */
const MAX_TIGHT_MS = 2000;
const MAX_TIGHT_SHARE_OF_WAIT = 0.2;

function tightness({ tightness: known }: PlanFacts): readonly Row[] {
  const { early = null, closestMs = null } = known ?? {};
  const subject = 'tightness of Retry-After';
  if (early !== null && early.byMs > Math.max(MAX_TIGHT_MS, MAX_TIGHT_SHARE_OF_WAIT * early.toldMs)) {
    const value = `a call is accepted ${inSeconds(early.byMs)} before the wait is over`;
    return [[subject, value, 'likely', `a 429 that asks for ${inSeconds(early.toldMs)}`]];
  }
  if (closestMs === null || closestMs > MAX_TIGHT_MS) return [];
  return [[subject, 'tight', 'likely', `calls are refused until ${inSeconds(closestMs)} before the wait is over`]];
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function limit({ limit: stated, statedBy, window: { readings } }: PlanFacts): Row {
  return ['limit', plural(stated, 'call'), readings > 1 ? 'sure' : 'likely', statedBy];
}

function length({ windowSeconds, confidence }: WindowFacts): Row {
  if (windowSeconds === null) return unknown('window', 'no Reset tells when a window ends');
  return confidence === 'at least'
    ? ['window', `at least ${windowSeconds} s`, 'cannot-tell', 'the longest time to a reset that was stated']
    : ['window', `${windowSeconds} s`, confidence, 'from one stated reset to the next'];
}

function reset({ form, formReadings, readings }: WindowFacts): Row {
  if (form === null) return unknown('meaning of Reset', 'no Reset could be read');
  const isSure = formReadings === readings && readings > 1;
  const basis = `${formReadings} of ${plural(readings, 'answer')}`;
  return ['meaning of Reset', formInWords(form), isSure ? 'sure' : 'likely', basis];
}

function algorithm({ drain, window }: PlanFacts): Row {
  if (drain === null) return unknown('algorithm', 'no window of this key was drained');
  const algorithm = algorithmIn(drain.kinds);
  const open = drain.kinds.length === 0 ? 'no limiter' : `${drain.kinds.join(', ')} alike`;
  if (algorithm === 'unknown') return unknown('algorithm', `how calls came back fits ${open}`);
  // Resets that jump by one window agree with a drain after which all calls come back at once.
  const isSure = algorithm === 'fixed-window' && window.confidence === 'sure';
  const basis = 'how calls came back after one window was drained';
  return ['algorithm', algorithm, isSure ? 'sure' : 'likely', basis];
}

function burst({ drain, limit: stated }: PlanFacts): Row {
  if (drain === null) return unknown('burst', 'no window of this key was drained');
  if (drain.burst === null) return unknown('burst', 'the drained window could not be exhausted');
  const confidence = drain.burst === stated ? 'sure' : 'likely';
  return ['burst', plural(drain.burst, 'call'), confidence, 'admitted at once from a fresh window until a 429'];
}
