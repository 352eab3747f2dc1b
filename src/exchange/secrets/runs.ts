// Where a text holds eight characters or more of a secret, in any of its forms.

/** Fewer characters of a secret give nothing away. */
export const SHORTEST_RUN = 8;

/** A stretch of a text; `end` is exclusive. */
export type Stretch = readonly [start: number, end: number];

/** Finds what texts hold of the forms that it was given, whatever the case of ASCII letters. */
export interface RunFinder {
  add(form: string): void;
  /** Whether the text holds a run. */
  holds(text: string): boolean;
  /** Every run, as long as it goes, in order and without overlaps. */
  runsIn(text: string): readonly Stretch[];
}

/** The text as texts are compared: without the case of ASCII letters. As long as it was. */
export function folded(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The stretches in order, those that overlap as one. */
export function merged(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: [number, number][] = [];
  for (const [start, end] of [...stretches].sort(([one], [other]) => one - other)) {
    const last = all[all.length - 1];
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}
