// Runs of secrets found in a few texts, where a table would be dear: k6 would hold one for each VU. The engine's own search
// does the work. Pure ECMAScript.
import { folded, merged, type RunFinder, SHORTEST_RUN, type Stretch } from './runs.ts';

const GROUP = 4;
const STEP = SHORTEST_RUN - GROUP + 1;

export class RunSearch implements RunFinder {
  readonly #forms = new Set<string>();
  /** Of all forms, every group of four that begins at a multiple of five: eight characters in a row hold one. */
  readonly #groups = new Set<string>();
  #all = '';

  add(form: string): void {
    const text = folded(form);
    if (this.#forms.has(text)) return;
    this.#forms.add(text);
    this.#all = [...this.#forms].join('\n');
    for (let at = 0; at + GROUP <= text.length; at += STEP) this.#groups.add(text.slice(at, at + GROUP));
  }

  holds(text: string): boolean {
    return this.runsIn(text).length > 0;
  }

  runsIn(text: string): readonly Stretch[] {
    if (text.length < SHORTEST_RUN) return [];
    const plain = folded(text);
    const runs: Stretch[] = [];
    for (const group of this.#groups) {
      for (let at = plain.indexOf(group); at !== -1; at = plain.indexOf(group, at + 1)) {
        for (let start = Math.max(0, at - STEP + 1); start <= at; start += 1) {
          if (this.#isRun(plain, start)) runs.push([start, start + SHORTEST_RUN]);
        }
      }
    }
    return merged(runs);
  }

  #isRun(plain: string, start: number): boolean {
    const run = plain.slice(start, start + SHORTEST_RUN);
    return run.length === SHORTEST_RUN && !run.includes('\n') && this.#all.includes(run);
  }
}
