// Holds what a walk over a list has seen, and tells how one more page stands to it: as slices of one sequence, or as subsets.

import type { PageRead, Sequence } from '../../facts/list-history.ts';
import { type ListRules, type Suspicion, suspicionAlone, suspicionOf } from './pag-04-to-09-page.ts';
import { subsetSuspicion } from './pag-09.ts';

/** The model that a walk is compared with. */
export interface Seen {
  /** Suspects the page, by itself or beside what was seen; null for a sound one. */
  suspicion(read: PageRead): Suspicion | null;
  learn(read: PageRead): void;
}

/** PAG-06 to PAG-08: every page is a slice of one sequence. `distinct`: items have ids, so that each stands once. */
export class Slices implements Seen {
  readonly sequence: Sequence;
  readonly #rules: ListRules;

  constructor(rules: ListRules, sequence: Sequence) {
    this.#rules = rules;
    this.sequence = sequence;
  }

  suspicion(read: PageRead): Suspicion | null {
    return suspicionOf(read, this.sequence, this.#rules);
  }

  learn(read: PageRead): void {
    this.sequence.learn(read);
  }
}

/** PAG-09: of any two pages the one with the smaller limit is a subset of the other. */
export class Subsets implements Seen {
  readonly #rules: ListRules;
  readonly #reads: PageRead[];

  constructor(rules: ListRules, reads: readonly PageRead[] = []) {
    this.#rules = rules;
    this.#reads = [...reads];
  }

  suspicion(read: PageRead): Suspicion | null {
    const wrong = suspicionAlone(read, this.#rules);
    if (wrong !== null) return wrong;
    for (const other of this.#reads) {
      const found =
        other.keys.length >= read.keys.length
          ? subsetSuspicion(read, other)
          : swapped(subsetSuspicion(other, read), other);
      if (found !== null) return found;
    }
    return null;
  }

  learn(read: PageRead): void {
    this.#reads.push(read);
  }
}

/** The page at hand is the larger one: the other is what it is compared with. */
function swapped(suspicion: Suspicion | null, other: PageRead): Suspicion | null {
  return suspicion === null ? null : { ...suspicion, earlier: other };
}
