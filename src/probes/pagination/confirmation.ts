// Whether what seems a breach shows again on a list at rest. Both pages are read anew, the earlier one before and after
// the later one: only where it stayed what it was does the difference count. Others may write all the while.
import type { PageRead } from '../../checks/pag/sequence.ts';
import type { Suspicion } from '../../checks/pag/suspicion.ts';

/** confirmed: a breach. changed: the list does not keep still. vanished: it did not show again. silent: it could not be looked at. */
export type Confirmation =
  | { readonly kind: 'confirmed'; readonly suspicion: Suspicion; readonly later: PageRead }
  | { readonly kind: 'changed' | 'vanished' | 'silent' };

/** Reads a page anew, past any memory; null when it could not be read. */
export type ReadAgain = (read: PageRead) => Promise<PageRead | null>;

/** What is wrong with the later page beside the earlier one. */
export type Compare = (earlier: PageRead | null, later: PageRead) => Suspicion | null;

/** One call in seven may be wrong. */
const LOOKS = 8;
const SIGHTINGS = 2;
const MOVES = 3;

export async function confirm(
  suspicion: Suspicion,
  later: PageRead,
  again: ReadAgain,
  compare: Compare,
): Promise<Confirmation> {
  const witness = new Witness(suspicion.earlier, again);
  const start = await witness.look();
  if (start === 'silent') return { kind: 'silent' };
  let sightings = start === 'same' ? 1 : 0;
  for (let look = 0; look < LOOKS; look += 1) {
    const read = await again(later);
    const before = witness.last;
    const state = await witness.look();
    if (read === null || state === 'silent') return { kind: 'silent' };
    if (state === 'moved') {
      if (witness.moves >= MOVES) return { kind: 'changed' };
      sightings = 0;
      continue;
    }
    const found = compare(before, read);
    if (found?.breach.cause === suspicion.breach.cause) {
      sightings += 1;
      if (sightings >= SIGHTINGS) return { kind: 'confirmed', suspicion: found, later: read };
    } else if (witness.moves > 0) return { kind: 'changed' };
  }
  return { kind: witness.moves > 0 ? 'changed' : 'vanished' };
}

/** The earlier page, read again and again. */
class Witness {
  last: PageRead | null;
  moves = 0;
  readonly #again: ReadAgain;

  constructor(earlier: PageRead | null, again: ReadAgain) {
    this.last = earlier;
    this.#again = again;
  }

  /** Whether it is what it was at the last look; without an earlier page there is nothing that could move. */
  async look(): Promise<'same' | 'moved' | 'silent'> {
    if (this.last === null) return 'same';
    const read = await this.#again(this.last);
    if (read === null) return 'silent';
    const same = isSamePage(this.last, read);
    this.last = read;
    if (!same) this.moves += 1;
    return same ? 'same' : 'moved';
  }
}

function isSamePage(left: PageRead, right: PageRead): boolean {
  return (
    left.page.status === right.page.status &&
    left.page.place === right.page.place &&
    left.page.paged?.total === right.page.paged?.total &&
    left.keys.length === right.keys.length &&
    left.keys.every((key, index) => key === right.keys[index])
  );
}
