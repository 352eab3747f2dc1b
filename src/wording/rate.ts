// Names what is wrong where a RATE clause is breached, the limits of keys; the judges give the values.
import { withValues } from '../contract/code.ts';
import type { Breach, Weight } from '../contract/judgement.ts';

const CAUSES = {
  'rate-01.absent': 'the rate-limit headers are absent',
  'rate-02.above-limit': 'Remaining is above Limit',
  'rate-02.limit-changes': 'Limit differs within a window',
  'rate-02.negative': 'Remaining is negative',
  'rate-03.back-early': 'all comes back long before the stated Reset',
  'rate-03.does-not-fall': 'Remaining does not fall with the calls of its window',
  'rate-03.no-return': 'Remaining does not come back after Reset',
  'rate-03.other-unit': 'refusals tell Reset in another unit than other answers',
  'rate-03.other-unit-on-operation': 'an operation tells Reset in another unit than others do',
  'rate-03.reset-passes': 'nothing comes back at the stated Reset',
  'rate-03.rises': 'Remaining rises within a window',
  'rate-03.uncounted': 'a successful call does not lower Remaining',
  'rate-03.uncounted-in-row': 'a call in a row of equal calls does not lower Remaining',
  'rate-04.calls-left': "the key's limiter refuses while calls are left",
  'rate-04.none-left': 'an operation succeeds while the key has no calls left',
  'rate-04.too-many': 'more calls succeed in a window than Limit allows',
  'rate-05.absent': 'a 429 has no Retry-After',
  'rate-05.milliseconds': 'Retry-After is in milliseconds',
  'rate-05.moment': 'Retry-After is a moment in seconds since 1970',
  'rate-05.past': 'Retry-After lies in the past',
  'rate-05.unreadable': 'Retry-After is neither whole seconds nor an HTTP date',
  'rate-06.too-short': 'a call is refused after waiting as Retry-After says',
  'rate-07.shared': 'one key spends the limit of another',
  'rate-08.all-equal': 'all plans have the same ceiling',
  'rate-08.falls': 'a ceiling falls from one plan to the next',
  'rate-10.other-ceiling': 'the measured ceiling is not the stated Limit',
  'rate-10.other-rate': 'the sustained rate is not the stated Limit',
  'rate-12.above-quota': 'more calls are left than the policy has',
  'rate-12.beyond-window': 'the reset lies beyond the window of the policy',
  'rate-12.unstated-policy': 'RateLimit names a policy that RateLimit-Policy does not state',
} as const;

interface Values {
  readonly actual: string;
  readonly expected: string;
  /** The subject and what it was found to be; absent: the cause, and what was found. */
  readonly told?: string;
  readonly weight?: Weight;
}

/** The breach of this kind: "key std-1 is answered 429 after 3 s; expected …". */
export function rate(code: keyof typeof CAUSES, values: Values): Breach {
  return rateBreach(code, CAUSES[code], values);
}

/** The same of a kind whose cause names a part of it, which follows the kind in the code. */
export function rateBreach(code: string, cause: string, values: Values, ...parts: readonly string[]): Breach {
  const { actual, expected, told = `${cause}: ${actual}`, weight = 'breach' } = values;
  return {
    weight,
    code: withValues(code, ...parts),
    cause,
    message: `${told}; expected ${expected}`,
    expected,
    actual,
  };
}
