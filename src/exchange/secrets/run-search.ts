// Runs of secrets found in a few texts, where a table would be dear: k6 would hold one for each VU. The engine's own search
// does the work, in one text that holds all forms and that VUs share. Pure ECMAScript.
import { folded, merged, type RunFinder, SHORTEST_RUN, type Stretch } from './runs.ts';

const GROUP = 4;
const STEP = SHORTEST_RUN - GROUP + 1;

/** All forms in one text, as a search takes them. */
export function searchable(forms: readonly string[]): string {
  return [...new Set(forms.map(folded))].join('\n');
}

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
      runs.push([start, start + SHORTEST_RUN]);
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
    const run = plain.slice(start, start + SHORTEST_RUN);
    return run.length === SHORTEST_RUN && !run.includes('\n') && this.#all.includes(run);
  }
}
