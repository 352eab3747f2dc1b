// Plans which pages are read, best first: limits chosen deliberately, each limit in a drawn order, or any page. A page is named by its limit and by
// one index that it must hold.
import * as fc from 'fast-check';
import { draw } from '../../generate/sampling.ts';
import type { Survey } from './survey.ts';

export interface Place {
  readonly limit: number;
  /** Index from 0; the page that holds it is read. */
  readonly at: number;
}

/** The list that a plan is made for. */
export type Planned = Pick<Survey, 'accepted' | 'usual'> & {
  readonly rules: Pick<Survey['rules'], 'turner'>;
  readonly sequence: Pick<Survey['sequence'], 'size' | 'known' | 'length'>;
};

/** Number of items that may be asked for: all, or as many as were seen. */
export function extentOf({ length, known }: Planned['sequence']): number {
  return Math.min(length, Math.max(known, 1));
}

const page = (limit: number, at: number): Place => ({ limit, at });
/** The page by the limit that holds the last item. */
const lastBy = (limit: number, last: number): Place => page(limit, Math.floor(last / limit) * limit);
/** Pages by the limit, from one page number to before another. */
const pages = (limit: number, from: number, to: number): readonly Place[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => page(limit, (from + index) * limit));

/** Places of a list whose pages are turned. A look takes as many of them as it affords: each shows most of what those before it leave open. */
function turnedPlaces({ rules, sequence, accepted }: Planned): readonly Place[] {
  const extent = extentOf(sequence);
  const last = Math.max(0, extent - 1);
  return [
    // A page between two others, the third and the last; then, by an offset, one that no walk reads, and one that is asked for without it.
    ...[page(10, 10), page(20, 40), lastBy(7, last)],
    ...(rules.turner === 'page' ? [page(3, 3)] : [page(3, 1), page(6, 0)]),
    ...[page(10, Math.min(last, 51)), page(1, last), page(7, Math.max(0, Math.floor(last / 7) * 7 - 7))],
    ...[page(50, Math.min(last, 50)), ...walk(10, extent, 6), ...walk(20, extent, 3)],
    // Walks by small, odd and large limits, and by limits around the length of the list.
    ...[...walk(7, extent, 9), ...walk(50, extent, 3), ...walk(99, extent, 2), ...walk(25, extent, 3)],
    ...[extent, extent + 1, extent - 1, Math.ceil(extent / 2)].flatMap((limit) => walk(limit, extent, 2)),
    ...[...walk(accepted, extent, 3), ...walk(20, extent, 8), ...walk(10, extent, 15), ...walk(30, extent, 2)],
    ...[3, 2, 5].flatMap((limit) => walk(limit, extent, 3)),
    ...[page(1, 0), page(1, Math.floor(last / 2))],
  ];
}

/** Limits of a list that has a limit alone, of which so many items were seen; in the same order. */
function limitsOf(count: number): readonly number[] {
  return [1, 10, count - 1, 7, 2, 50, count, 3, 20, 5, 99, count + 1, 25, 30, Math.ceil(count / 2), 11, 13];
}

/** The first pages of the plan that the list has, each once, behind the end of one that is too long to be walked whole. */
export function placesOf(list: Planned, most: { readonly pages: number; readonly limits: number }): readonly Place[] {
  const { rules, accepted, sequence } = list;
  const { size } = sequence;
  const extent = extentOf(sequence);
  const limits = limitsOf(extent).map((limit) => page(limit, 0));
  if (rules.turner === null) return fitting(limits, accepted, extent).slice(0, most.limits);
  const end = size === null || size <= extent ? [] : [100, 10, 7].map((limit) => page(limit, size - 1));
  const places = fitting(turnedPlaces(list), accepted, extent).slice(0, most.pages);
  return [...fitting(end, accepted, size ?? extent), ...places];
}

/** Pages before the last one, by a few limits: each of them shows what an envelope says of itself. */
export function middlePlaces({ accepted, sequence }: Planned): readonly Place[] {
  const places = [20, 10, 7, 1].map((limit) => page(limit, limit));
  return fitting(places, accepted, extentOf(sequence));
}

function fitting(places: readonly Place[], accepted: number, extent: number): readonly Place[] {
  const fits = places.filter(({ limit, at }) => limit >= 1 && limit <= accepted && at < Math.max(1, extent));
  return [...new Map(fits.map((place) => [`${place.limit} ${place.at}`, place])).values()];
}

/** At most `most` pages of the walk: the first ones, and the last two. */
function walk(limit: number, extent: number, most: number): readonly Place[] {
  if (limit < 1) return [];
  const count = Math.max(1, Math.ceil(extent / limit));
  return count <= most
    ? pages(limit, 0, count)
    : [...pages(limit, 0, Math.max(0, most - 2)), ...pages(limit, count - 2, count)];
}

/** Small limits have the most borders: larger ones are drawn once in so many times. */
const LARGEST_DRAWN = 100;
const SMALL_FOR_ONE_LARGE = 20;

/** Any page of the list: a given plan is one of these, too, and shrinks like them. */
export function anyPlaces(extent: number, accepted: number, most: number): fc.Arbitrary<Place[]> {
  const place = fc.record({ limit: anyLimit(accepted), at: fc.integer({ min: 0, max: Math.max(0, extent - 1) }) });
  return fc.array(fc.noBias(place), { maxLength: most, size: 'max' });
}

function anyLimit(accepted: number): fc.Arbitrary<number> {
  const small = fc.integer({ min: 1, max: Math.min(LARGEST_DRAWN, accepted) });
  if (accepted <= LARGEST_DRAWN) return small;
  const large = fc.integer({ min: LARGEST_DRAWN + 1, max: accepted });
  return fc.oneof({ arbitrary: small, weight: SMALL_FOR_ONE_LARGE }, { arbitrary: large, weight: 1 });
}

// A page or more by every limit: a limit that alone is wrong is found by no walk with a few of them. Limits come in a drawn
// order: where the allowance is short, each list tries others. What is left of it goes to whole walks.

/** Up to this limit each one is tried. */
const EACH = 100;
/** Above it: round ones, and (below) those around the length of the list and around the largest that is accepted. */
const ROUND = [101, 128, 150, 200, 250, 256, 300, 400, 500, 512, 750, 999, 1000];
/** Requests for one list, and for all lists of a run. */
const MOST = 300;
const LEAST = 24;
const TOTAL = 3000;
/** A list of fewer items shows the same by every limit. */
const FEW = 3;
/** Limits that clients ask by: of a long list all pages are read by these, as far as so many pages go. */
const WALKED: readonly number[] = [50, 25, 10];
const [MOST_WALKED, MOST_WALKED_USUALLY] = [40, 60];
const USUAL = 20;

/** Requests that each of so many lists may take. */
export function shareOfEachLimit(lists: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.floor(TOTAL / Math.max(1, lists))));
}

/** Pages beyond the first walk of a long list, then pages by each limit; the same for the same seed. */
export function placesByEachLimit(list: Planned, seed: number, name: string): readonly Place[] {
  const { rules, sequence, accepted, usual } = list;
  const { size } = sequence;
  const by = rules.turner;
  const extent = extentOf(sequence);
  const isLong = by !== null && (size === null || size > extent);
  const far = isLong ? farPlaces(list, seed, name) : [];
  if (extent < FEW) return far;
  const limits = draw(shuffled(limitsFor(extent, accepted)), seed, `${name} limits`);
  if (by === null) return limits.map((limit) => page(limit, 0));
  const count = (limit: number): number => Math.ceil(extent / limit);
  const second = limits.map((limit) => page(limit, limit < extent ? limit : 0));
  const often = usual ?? USUAL;
  const walked = [
    ...pages(often, 0, Math.min(MOST_WALKED_USUALLY, count(often))),
    ...WALKED.flatMap((limit) => pages(limit, 0, Math.min(MOST_WALKED, count(limit)))),
  ].filter(({ limit }) => limit <= accepted);
  const long = limits.filter((limit) => 2 * limit < extent);
  const last = long.map((limit) => lastBy(limit, extent - 1));
  // Large limits have few pages: they are walked whole first.
  const between = long.toSorted((one, other) => other - one).flatMap((limit) => pages(limit, 2, count(limit) - 1));
  const offset = (limit: number): number => draw(fc.nat(extent - 1), seed, `${name} ${limit}`);
  const anywhere = by === 'page' ? [] : limits.map((limit) => page(limit, offset(limit)));
  return [...far, ...second, ...walked, ...anywhere, ...last, ...between];
}

/** Pages of a long list that are read beyond those that its first walk has seen: in one run of large pages, and as drawn small ones. */
const FAR_PAGES = 40;
/** The same where no page tells how long the list is: those past its end show nothing. */
const FAR_BLIND = 20;
const FAR_SMALL = 12;
/** A page of this size or less is read whole by every list. */
const LARGE = 1000;
const SMALL: readonly number[] = [7, 10, 20, 50];

/** Large pages one after another, all of them where that is not too many, then small ones at drawn places, each of which must show what these did. */
function farPlaces({ accepted, sequence }: Planned, seed: number, name: string): readonly Place[] {
  const extent = extentOf(sequence);
  const large = Math.min(accepted, LARGE);
  const size = sequence.size ?? extent + FAR_BLIND * large;
  const all = pages(large, Math.floor(extent / large), Math.ceil(size / large));
  const read = all.length <= FAR_PAGES ? all : draw(shuffled(all), seed, `${name} far`).slice(0, FAR_PAGES);
  const small = draw(
    fc.array(fc.record({ limit: fc.constantFrom(...SMALL), page: fc.nat(read.length - 1), into: fc.nat(large - 1) }), {
      minLength: FAR_SMALL,
      maxLength: FAR_SMALL,
    }),
    seed,
    `${name} far and small`,
  );
  const inside = small.map(({ limit, page: index, into }) => page(limit, (read[index]?.at ?? 0) + into));
  return [...read, ...inside].filter(({ limit, at }) => limit <= accepted && at < size);
}

function limitsFor(extent: number, accepted: number): readonly number[] {
  const each = Array.from({ length: EACH }, (_, index) => index + 1);
  const large = [...ROUND, extent - 1, extent, extent + 1, accepted - 1, accepted];
  return [...new Set([...each, ...large])].filter((limit) => limit >= 1 && limit <= accepted);
}

function shuffled<T>(values: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...values], { minLength: values.length });
}
