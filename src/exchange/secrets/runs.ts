// Where a text holds eight characters or more of a secret, in any of its forms. Pure ECMAScript.
/** Fewer characters of a secret give nothing away. */
export const MIN_RUN_CHARS = 8;

/** A stretch of a text; `end` is exclusive. */
export type Stretch = readonly [start: number, end: number];

/** Finds what texts hold of the forms that it was given, whatever the case of ASCII letters. */
export interface RunFinder {
  add(form: string): void;
  /** Tells whether the text holds a run. */
  holds(text: string): boolean;
  /** Every run, as long as it goes, in order and without overlaps. */
  runsIn(text: string): readonly Stretch[];
}

/** Letters beyond ASCII keep their case, which may change how long they are. */
const BEYOND_ASCII = /[^\0-\x7f]/;

/** The text as texts are compared: without the case of ASCII letters. As long as it was. */
export function folded(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
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

const GROUP = 4;
const STEP = MIN_RUN_CHARS - GROUP + 1;

/** All forms in one text, as a search takes them. */
export function searchable(forms: readonly string[]): string {
  return [...new Set(forms.map(folded))].join('\n');
}

/**
 * Finds runs in a few texts, where a table would be dear: k6 would hold one for each VU. The engine's own search does the
 * work, in one text that holds all forms and that VUs share.
 */
export class RunSearch implements RunFinder {
  #all: string;

  /** `all`: the forms to begin with, made `searchable`. */
  constructor(all = '') {
    this.#all = all;
  }

  add(form: string): void {
    this.#all += `\n${folded(form)}`;
  }

  holds(text: string): boolean {
    return this.#first(folded(text), 0) !== -1;
  }

  runsIn(text: string): readonly Stretch[] {
    const plain = folded(text);
    const runs: Stretch[] = [];
    for (let start = this.#first(plain, 0); start !== -1; start = this.#first(plain, start + 1)) {
      runs.push([start, start + MIN_RUN_CHARS]);
    }
    return merged(runs);
  }

  /** Where the first run begins, at `from` or behind it; -1: there is none. Eight in a row hold a group at a multiple of five. */
  #first(plain: string, from: number): number {
    for (let at = from - (from % STEP); at + GROUP <= plain.length; at += STEP) {
      if (!this.#all.includes(plain.slice(at, at + GROUP))) continue;
      for (let start = Math.max(from, at - STEP + 1); start <= at; start += 1)
        if (this.#isRun(plain, start)) return start;
    }
    return -1;
  }

  #isRun(plain: string, start: number): boolean {
    const run = plain.slice(start, start + MIN_RUN_CHARS);
    return run.length === MIN_RUN_CHARS && !run.includes('\n') && this.#all.includes(run);
  }
}
