// Keeps what is known of one list while it is examined: its survey and the pages read since, until the list changes.
import type { Compare, Suspicion } from '../../checks/pag/pag-04-to-09-page.ts';
import type { Grounds } from '../../contract/measures.ts';
import type { PageRead } from '../../facts/list-history.ts';
import type { WalkedList } from '../../facts/walked-list.ts';
import type { World } from '../world.ts';
import type { Asking, ListOperation } from './list-operation.ts';
import { knownBetter } from './numbering.ts';
import { type Survey, surveyList } from './survey.ts';

export class ListMemory {
  readonly world: World;
  /** As far as it is known by now how it pages. */
  list: ListOperation;
  #survey: Survey | string | null = null;
  #accepted = 0;
  #followed = { items: 0, pages: 0 };
  /** Pages that were read since the list last changed, by what asks for them; those of the survey first. */
  readonly reads = new Map<string, PageRead>();
  readonly confirmed = new Map<string, Confirmed>();

  constructor(world: World, list: ListOperation) {
    this.world = world;
    this.list = list;
  }

  /** The survey, made on first use; in words why there is none. */
  async survey(lab: Asking): Promise<Survey | string> {
    if (this.#survey !== null) return this.#survey;
    this.list = await knownBetter(this.list, lab);
    const survey = await surveyList(this.list, lab);
    this.#note(survey);
    if (typeof survey !== 'string') for (const read of [survey.bare, ...survey.walk]) this.reads.set(read.query, read);
    return this.#survey ?? survey;
  }

  /** Notes the largest limit that the list accepts, which its survey left open: from now on it is walked by all up to that. */
  accept(largest: number): void {
    this.#accepted = largest;
    this.#note(this.#survey);
  }

  #note(survey: Survey | string | null): void {
    const isOpen = survey !== null && typeof survey !== 'string' && survey.maximum === null;
    this.#survey = isOpen ? { ...survey, accepted: Math.max(survey.accepted, this.#accepted) } : survey;
  }

  /** Notes pages that followed one another. */
  noteChain(chain: WalkedList): void {
    const { items, pages } = this.#followed;
    this.#followed = { items: Math.max(items, chain.keys.length), pages: Math.max(pages, chain.links.length) };
  }

  /** How large the list is, and how many pages it has at the smallest limit that was applied to it, or was followed by. */
  grounds(): Grounds {
    if (this.#followed.pages > 0) return this.#followed;
    if (this.#survey === null || typeof this.#survey === 'string') return {};
    const items = this.#survey.sequence.length;
    const shown = [...this.reads.values()].filter(({ keys, applied }) => keys.length > 0 && keys.length <= applied);
    const smallest = Math.min(items, ...shown.map(({ applied }) => applied));
    return { items, pages: Math.ceil(items / Math.max(1, smallest)) };
  }

  /** Forgets everything: the list has changed. */
  forget(): void {
    this.#survey = null;
    this.reads.clear();
    this.confirmed.clear();
  }
}

// Looks whether what seems a breach shows again on a list at rest. At each look the earlier page is read before and after the
// later one: only where it is still what it was does a difference count, for others may write all the while.

/** A breach that showed again, and the later page as it was then. */
export interface Confirmed {
  readonly suspicion: Suspicion;
  readonly later: PageRead;
}

/** changed: the list does not keep still. unseen: it did not show again, or could not be looked at. */
export type Confirmation = Confirmed | 'changed' | 'unseen';

/** Reads a page anew, past any memory; null when it could not be read. */
type ReadAgain = (read: PageRead) => Promise<PageRead | null>;

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
  if (earlier !== null && earlier.query === later.query) return 'changed';
  let [sightings, spoiled] = [1, 0];
  for (let look = 0; look < LOOKS; look += 1) {
    const read = await lookAgain(earlier, later, again);
    if (read === null) return 'unseen';
    spoiled += Number(read === 'changed');
    if (spoiled > SPOILED) return 'changed';
    const found = read === 'changed' ? null : compare(earlier, read);
    if (read === 'changed' || found?.breach.kind !== suspicion.breach.kind) continue;
    sightings += 1;
    if (sightings >= sightingsFor(earlier, read)) return { suspicion: found, later: read };
  }
  return spoiled > 0 ? 'changed' : 'unseen';
}

/** The later page anew; changed where the earlier one is not what it was all the while, null where one of them could not be read. */
async function lookAgain(
  earlier: PageRead | null,
  later: PageRead,
  again: ReadAgain,
): Promise<PageRead | 'changed' | null> {
  const before = earlier === null ? [] : [await again(earlier)];
  const read = await again(later);
  // Twice, lest a list that changes to and fro with the calls is met in one state only.
  const after = earlier === null ? [] : [await again(earlier), await again(earlier)];
  const beside = [...before, ...after];
  if (beside.includes(null)) return null;
  return beside.every((now) => isStill(earlier, now)) ? read : read && 'changed';
}

/** How often it must be seen. Nothing to compare with is as good as the same total. */
function sightingsFor(earlier: PageRead | null, { page }: PageRead): number {
  const total = earlier?.page.paged?.total ?? null;
  const isSettled = earlier === null || (total !== null && total === page.paged?.total);
  return isSettled ? SIGHTINGS.settled : SIGHTINGS.unsure;
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
