// Ways through expressions that a text so far has left open, and what they are for.

/** One way through an expression. It stands at a `read` or at `match`. */
export interface Thread {
  readonly at: number;
  /** What lookaheads before this place still demand or forbid. */
  readonly needs: readonly Need[];
  /** `$` was passed: nothing may follow. */
  readonly ended: boolean;
}

/** An expression that must, or must not, match: anywhere in the text (`start` is where to begin anew) or from one place on. */
export interface Need {
  readonly start: number | null;
  readonly negate: boolean;
  readonly threads: readonly Thread[];
}

/** Matched, whatever follows. */
export function isCertain({ at, needs, ended }: Thread): boolean {
  return at === 0 && needs.length === 0 && !ended;
}

export function endsWell({ negate, threads }: Need): boolean {
  return threads.some(({ at, needs }) => at === 0 && needs.every(endsWell)) !== negate;
}

export function keyOf({ negate, threads }: Need): string {
  const parts = threads.map(
    ({ at, needs, ended }) => `${at}${ended ? '$' : ''}${needs.map((one) => `(${keyOf(one)})`).join('')}`,
  );
  return `${negate ? '!' : ''}${parts.join(',')}`;
}

export function distinct(threads: readonly Thread[]): Thread[] {
  if (threads.length < 2) return [...threads];
  const byKey = new Map(threads.map((one) => [keyOf({ start: null, negate: false, threads: [one] }), one]));
  return [...byKey.values()];
}
