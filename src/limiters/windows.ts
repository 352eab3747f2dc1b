// Reads a key's window from its headers: the form of Reset, and how long a window is. In fixed windows the stated reset
// stays and then jumps by a multiple of the window, where windows are the clock's, or by a window and the time in which
// no call came, where a call opens them: it bounds the window from above. The time to the reset bounds it from below.

import { WINDOW_TOLERANCE } from './drained-window.ts';
import type { KeyHistory } from './key-history.ts';
import { algorithmIn } from './models.ts';
import { SAME_RESET_MS, staleMs } from './reset-clock.ts';
import type { ResetForm } from './reset-forms.ts';

/** Resets told in whole seconds are so much nearer to each other, or farther, than they are. */
const ROUNDING_SECONDS = 1;
/** Shortest window of which anything is sure. ms. */
const MIN_SURE_WINDOW_MS = 1000;
/** After fewer answers resets may move on as those of a bucket, which may take longer to be full than its window. */
const MIN_STANDING_READINGS = 10;

export interface WindowFacts {
  readonly form: ResetForm | null;
  /** How many readings had this form, and how many had a Reset at all. */
  readonly formReadings: number;
  readonly readings: number;
  readonly windowSeconds: number | null;
  readonly confidence: 'sure' | 'likely' | 'at least';
  /** Between these the window surely is, where resets stand still or follow one another as those of windows do; null where they do not. Seconds. */
  readonly bounds: { readonly least: number; readonly most: number } | null;
}

/** The window of the key, as far as its resets tell. */
export function windowOf({ clock, told, movesEarly, drain }: KeyHistory): WindowFacts {
  const base = usualForm(told.forms);
  const stated = told.windowSeconds;
  if (stated !== null)
    return { ...base, windowSeconds: stated, confidence: 'likely', bounds: { least: stated, most: stated } };
  const { least: leastMs, best: likelyMs } = clock.longest;
  const longest = likelyMs > 0 ? Math.max(1, Math.round(likelyMs / 1000)) : null;
  const least = (leastMs - staleMs(base.form)) / 1000;
  // Resets that move on with every call are at no distance of a window.
  const isMoving = movesEarly || algorithmIn(drain?.kinds ?? []) === 'token-bucket';
  const standing = isMoving || base.readings < MIN_STANDING_READINGS ? null : { least, most: Infinity };
  const atLeast = { ...base, windowSeconds: longest, confidence: 'at least', bounds: standing } as const;
  if (isMoving || longest === null) return atLeast;
  const step = stepIn(told.moments, base.form);
  if (!Number.isFinite(step) || Math.abs(step / 1000 - longest) > Math.max(1.5, WINDOW_TOLERANCE * longest))
    return atLeast;
  const rounding = base.form === 'epoch-milliseconds' ? 0 : ROUNDING_SECONDS;
  const bounds = { least, most: step / 1000 + rounding };
  const isNarrow = bounds.most - bounds.least <= (2 * WINDOW_TOLERANCE * step) / 1000;
  // A reset so near may as well be when a bucket grants the next call.
  const isRepeated = told.moments.length > 2 && step > MIN_SURE_WINDOW_MS;
  return {
    ...base,
    windowSeconds: Math.round(step / 100) / 10,
    confidence: isRepeated && isNarrow ? 'sure' : 'likely',
    bounds: isRepeated ? bounds : standing,
  };
}

function usualForm(forms: ReadonlyMap<ResetForm, number>): Pick<WindowFacts, 'form' | 'formReadings' | 'readings'> {
  const [[form, formReadings] = [null, 0]] = [...forms].toSorted(([, left], [, right]) => right - left);
  return { form, formReadings, readings: [...forms.values()].reduce((sum, one) => sum + one, 0) };
}

/** The shortest time from one reset to the next that is no matter of rounding; infinite where there is none. ms. */
function stepIn(moments: readonly number[], form: ResetForm | null): number {
  const steps = moments.slice(1).map((ms, index) => ms - (moments[index] ?? 0));
  return Math.min(...steps.filter((ms) => ms >= SAME_RESET_MS || form === 'epoch-milliseconds' || ms === 1000));
}

/** The window as it is stated elsewhere, where resets leave room for it: rounded, and with idle time between, they tell no better. */
export function agreeing(facts: WindowFacts, stated: number | null): WindowFacts {
  const { bounds, windowSeconds, confidence } = facts;
  if (stated === null || bounds === null || windowSeconds === null || confidence === 'sure') return facts;
  const most = Math.min(bounds.most, windowSeconds + ROUNDING_SECONDS);
  return stated >= bounds.least && stated <= most ? { ...facts, windowSeconds: stated } : facts;
}
