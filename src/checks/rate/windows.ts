// What a key's headers tell of its window: the form of Reset, and how long a window is. In fixed windows the stated reset
// stays and then jumps by a multiple of the window; the time to it is never longer than the window.

import { WINDOW_TOLERANCE } from './drained-window.ts';
import type { RateReading } from './reading.ts';
import type { TargetClock } from './reset-clock.ts';
import { formInWords, type ResetForm } from './reset-forms.ts';

const MOST_RESETS = 64;
/** Resets nearer to each other are one, rounded otherwise. ms. */
const SAME_RESET_MS = 1500;
/** Of a shorter window nothing is sure. ms. */
const SHORTEST_SURE_MS = 1000;

export interface WindowFacts {
  readonly form: ResetForm | null;
  /** How many readings had this form, and how many had a Reset at all. */
  readonly formReadings: number;
  readonly readings: number;
  readonly windowSeconds: number | null;
  readonly confidence: 'sure' | 'likely' | 'at least';
}

export class Windows {
  readonly #clock: TargetClock;
  readonly #forms = new Map<ResetForm, number>();
  readonly #resets: number[] = [];
  #longestMs = 0;

  constructor(clock: TargetClock) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    const { reset } = reading;
    if (reset === null || reading.status === 429) return;
    this.#forms.set(reset.form, (this.#forms.get(reset.form) ?? 0) + 1);
    const moment = this.#clock.resetOf(reading);
    if (moment !== null)
      this.#longestMs = Math.max(this.#longestMs, (moment.earliest + moment.latest) / 2 - reading.answeredAt);
    if (reset.form === 'delta-seconds') return;
    const last = this.#resets.at(-1);
    if (last === undefined || reset.ms > last) {
      this.#resets.push(reset.ms);
      if (this.#resets.length > MOST_RESETS) this.#resets.shift();
    }
  }

  /** `moving`: resets move on with every call, so that their distance is no window. */
  facts(moving: boolean): WindowFacts {
    const [top] = [...this.#forms.entries()].toSorted(([, left], [, right]) => right - left);
    const readings = [...this.#forms.values()].reduce((sum, one) => sum + one, 0);
    const base = { form: top?.[0] ?? null, formReadings: top?.[1] ?? 0, readings };
    const longest = this.#longestMs > 0 ? Math.max(1, Math.round(this.#longestMs / 1000)) : null;
    if (moving || longest === null) return { ...base, windowSeconds: longest, confidence: 'at least' };
    const steps = this.#resets.slice(1).map((ms, index) => ms - (this.#resets[index] ?? 0));
    const step = Math.min(
      ...steps.filter((ms) => ms > SAME_RESET_MS || base.form === 'epoch-milliseconds' || ms === 1000),
    );
    if (Number.isFinite(step) && Math.abs(step / 1000 - longest) <= Math.max(1.5, WINDOW_TOLERANCE * longest))
      return {
        ...base,
        windowSeconds: Math.round(step / 100) / 10,
        // A reset so near may as well be when a bucket grants the next call.
        confidence: steps.length > 1 && step > SHORTEST_SURE_MS ? 'sure' : 'likely',
      };
    return { ...base, windowSeconds: longest, confidence: 'at least' };
  }
}

/** "epoch seconds (412 of 412 answers)". */
export function resetInWords({ form, formReadings, readings }: WindowFacts): string {
  return form === null ? 'not readable' : `${formInWords(form)} (${formReadings} of ${readings} answers)`;
}
