// What is known of one list while it is examined: its survey and the pages read since, until the list changes.
import type { Suspicion } from '../../checks/pag/pag-04-to-09-page.ts';
import { pageOf } from '../../checks/pag/page.ts';
import type { Ask, PageRead } from '../../checks/pag/sequence.ts';
import type { Grounds } from '../../contract/measures.ts';
import type { World } from '../world.ts';
import { askFor, type ListOperation, pairsOf } from './list-operation.ts';
import { knownBetter } from './numbering.ts';
import type { PageReader } from './page-reader.ts';
import { readOf, type Survey, surveyList } from './survey.ts';

export class Study {
  readonly world: World;
  #list: ListOperation;
  #survey: Survey | string | null = null;
  #accepted: number | null = null;
  readonly #reads = new Map<string, PageRead>();
  readonly #confirmed = new Map<string, Confirmation>();

  constructor(world: World, list: ListOperation) {
    this.world = world;
    this.#list = list;
  }

  /** As far as it is known by now how it pages. */
  get list(): ListOperation {
    return this.#list;
  }

  /** The survey, made on first use; in words why there is none. */
  async survey(reader: PageReader): Promise<Survey | string> {
    if (this.#survey !== null) return this.#survey;
    this.#list = await knownBetter(this.#list, reader);
    const surveyed = await surveyList(this.#list, reader);
    const survey = typeof surveyed === 'string' ? surveyed : this.#asKnown(surveyed);
    this.#survey = survey;
    if (typeof survey === 'string') return survey;
    for (const read of [survey.bare, ...survey.walk]) this.#reads.set(read.query, read);
    return survey;
  }

  /** Notes the largest limit that the list accepts, which its survey left open: from now on it is walked by all up to that. */
  accept(largest: number): void {
    this.#accepted = largest;
    if (this.#survey !== null && typeof this.#survey !== 'string') this.#survey = this.#asKnown(this.#survey);
  }

  #asKnown(survey: Survey): Survey {
    const isOpen = this.#accepted !== null && survey.maximum === null;
    return isOpen ? { ...survey, accepted: Math.max(survey.accepted, this.#accepted ?? 0) } : survey;
  }

  /** The pages that were read since the list last changed, those of the survey first. */
  get pages(): readonly PageRead[] {
    return [...this.#reads.values()];
  }

  /** How large the list is, and how many pages it has at the smallest limit that was applied to it. */
  grounds(): Grounds {
    if (this.#survey === null || typeof this.#survey === 'string') return {};
    const { sequence } = this.#survey;
    const items = sequence.size ?? sequence.known;
    const shown = [...this.#reads.values()].filter(({ keys, applied }) => keys.length > 0 && keys.length <= applied);
    const smallest = Math.min(items, ...shown.map(({ applied }) => applied));
    return { items, pages: Math.ceil(items / Math.max(1, smallest)) };
  }

  /** Forgets everything: the list has changed. */
  forget(): void {
    this.#survey = null;
    this.#reads.clear();
    this.#confirmed.clear();
  }

  /** The page, from memory where it was read before; null when it could not be read. */
  async read(reader: PageReader, survey: Survey, ask: Ask): Promise<PageRead | null> {
    const pairs = pairsOf(this.list, ask);
    const known = this.#reads.get(readKey(pairs));
    if (known !== undefined) return known;
    const exchange = await reader.ask(pairs, 'walk');
    const page = exchange === null ? null : pageOf(exchange, survey.rules.place, this.list.reading);
    if (page === null) return null;
    const read = readOf(this.list, survey, ask, page);
    this.#reads.set(readKey(pairs), read);
    return read;
  }

  /** The page anew, past any memory; null when it could not be read. */
  async readAgain(reader: PageReader, survey: Survey, { ask }: Pick<PageRead, 'ask'>): Promise<PageRead | null> {
    const exchange = await reader.lookAgain(pairsOf(this.list, ask), 'look-again');
    const page = exchange === null ? null : pageOf(exchange, survey.rules.place, this.list.reading);
    return page === null ? null : readOf(this.list, survey, ask, page);
  }

  /** Whether the suspicion shows again on a list at rest; asked once for each pair of pages. */
  async confirm(
    reader: PageReader,
    survey: Survey,
    suspicion: Suspicion,
    later: PageRead,
    compare: Compare,
  ): Promise<Confirmation> {
    const key = `${suspicion.breach.kind}\n${suspicion.earlier?.query ?? ''}\n${later.query}`;
    const known = this.#confirmed.get(key);
    if (known !== undefined) return known;
    const confirmation = await confirm(suspicion, later, (read) => this.readAgain(reader, survey, read), compare);
    if (confirmation.kind !== 'confirmed') {
      this.#reads.delete(later.query);
      return confirmation;
    }
    if (await this.#hasGrownPastEnd(reader, survey)) return { kind: 'changed' };
    this.#confirmed.set(key, confirmation);
    return confirmation;
  }

  /**
   * A list that grows beyond its maximum goes on showing a first page that seems to hold all. One whose first page is not full and ends
   * before that place has not: there the target shows what it has shown before.
   */
  async #hasGrownPastEnd(reader: PageReader, survey: Survey): Promise<boolean> {
    const { past } = survey;
    if (past === null || past.keys.length > 0 || past.page.status >= 300) return false;
    const now = await this.readAgain(reader, survey, past);
    if (now === null || now.keys.length === 0) return false;
    const first = await this.readAgain(reader, survey, { ask: askFor(this.list, past.limit, past.applied, 0) });
    return first === null || first.keys.length >= first.applied || first.keys.length > past.offset;
  }
}

function readKey(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join('&') || 'no parameter';
}

// Whether what seems a breach shows again on a list at rest. At each look the earlier page is read before and after the
// later one: only where it is still what it was does a difference count, for others may write all the while.

/** confirmed: a breach. changed: the list does not keep still. vanished: it did not show again. silent: it could not be looked at. */
type Confirmation =
  | { readonly kind: 'confirmed'; readonly suspicion: Suspicion; readonly later: PageRead }
  | { readonly kind: 'changed' | 'vanished' | 'silent' };

/** Reads a page anew, past any memory; null when it could not be read. */
type ReadAgain = (read: PageRead) => Promise<PageRead | null>;

/** What is wrong with the later page beside the earlier one. */
type Compare = (earlier: PageRead | null, later: PageRead) => Suspicion | null;

/** One call in seven may be wrong. */
const LOOKS = 10;
/** The first one counts. Lists that others change to and fro show the same by chance; a constant total rules that out. */
const SIGHTINGS = { settled: 2, unsure: 3 } as const;
/** Looks that may be spoiled by a change of the earlier page. */
const SPOILED = 2;

/** Looks, each of them at most four requests, until the suspicion was sighted often enough, or it is plain that it will not be. */
async function confirm(
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
  return earlier.page.paged?.total != null && earlier.page.paged.total === later.page.paged?.total;
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
