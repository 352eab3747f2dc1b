// Whether what seems a breach shows again on a list at rest. At each look the earlier page is read before and after the
// later one: only where it is still what it was does a difference count, for others may write all the while.

import type { Suspicion } from '../../checks/pag/pag-04-to-09-page.ts';
import type { PageRead } from '../../checks/pag/sequence.ts';

/** confirmed: a breach. changed: the list does not keep still. vanished: it did not show again. silent: it could not be looked at. */
export type Confirmation =
  | { readonly kind: 'confirmed'; readonly suspicion: Suspicion; readonly later: PageRead }
  | { readonly kind: 'changed' | 'vanished' | 'silent' };

/** Reads a page anew, past any memory; null when it could not be read. */
export type ReadAgain = (read: PageRead) => Promise<PageRead | null>;

/** What is wrong with the later page beside the earlier one. */
export type Compare = (earlier: PageRead | null, later: PageRead) => Suspicion | null;

/** One call in seven may be wrong. */
const LOOKS = 10;
/** The first one counts. Lists that others change to and fro show the same by chance; a constant total rules that out. */
const SIGHTINGS = { settled: 2, unsure: 3 } as const;
/** Looks that may be spoiled by a change of the earlier page. */
const SPOILED = 2;

/** Looks, each of them at most four requests, until the suspicion was sighted often enough, or it is plain that it will not be. */
export async function confirm(
  suspicion: Suspicion,
  later: PageRead,
  again: ReadAgain,
  compare: Compare,
): Promise<Confirmation> {
  const { earlier } = suspicion;
  if (earlier !== null && earlier.query === later.query) return { kind: 'changed' };
  let sightings = 1;
  let spoiled = 0;
  for (let look = 0; look < LOOKS; look += 1) {
    const before = earlier === null ? [] : [await again(earlier)];
    const read = await again(later);
    // Twice, lest a list that changes to and fro with the calls is met in one state only.
    const after = earlier === null ? [] : [await again(earlier), await again(earlier)];
    if (read === null || before.includes(null) || after.includes(null)) return { kind: 'silent' };
    if (![...before, ...after].every((now) => isStill(earlier, now))) {
      spoiled += 1;
      const explained = look === 0 && compare(after[0] ?? null, read) === null;
      if (explained || spoiled > SPOILED) return { kind: 'changed' };
      continue;
    }
    const found = compare(earlier, read);
    if (found?.breach.kind !== suspicion.breach.kind) continue;
    sightings += 1;
    if (sightings >= (isSameTotal(earlier, read) ? SIGHTINGS.settled : SIGHTINGS.unsure))
      return { kind: 'confirmed', suspicion: found, later: read };
  }
  return { kind: spoiled > 0 ? 'changed' : 'vanished' };
}

/** Nothing to compare with is as good as the same. */
function isSameTotal(earlier: PageRead | null, later: PageRead): boolean {
  if (earlier === null) return true;
  return earlier.page.paged !== null && earlier.page.paged.total === later.page.paged?.total;
}

function isStill(earlier: PageRead | null, now: PageRead | null): boolean {
  if (earlier === null || now === null) return true;
  return (
    earlier.page.status === now.page.status &&
    earlier.page.place === now.page.place &&
    earlier.page.paged?.total === now.page.paged?.total &&
    earlier.keys.length === now.keys.length &&
    earlier.keys.every((key, index) => key === now.keys[index])
  );
}
