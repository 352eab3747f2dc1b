// Which pages are read, best first: limits chosen deliberately, then drawn. A page is named by its limit and by one index
// that it must hold.
import * as fc from 'fast-check';

export interface Place {
  readonly limit: number;
  /** Index from 0; the page that holds it is read. */
  readonly at: number;
}

/** What decides most: two whole walks, then an odd limit at the end, single items, and pages as large as the list. */
export function firstPlaces(
  extent: number,
  accepted: number,
  { numbered }: { readonly numbered: boolean },
): readonly Place[] {
  const last = Math.max(0, extent - 1);
  return within(extent, accepted, [
    { limit: 100, at: 0 },
    ...walk(10, extent, 6),
    ...walk(20, extent, 3),
    { limit: 7, at: Math.floor(last / 7) * 7 },
    { limit: 7, at: Math.max(0, Math.floor(last / 7) * 7 - 7) },
    { limit: 50, at: Math.min(last, 50) },
    ...(numbered
      ? [{ limit: 3, at: 3 }]
      : [
          { limit: 3, at: 1 },
          { limit: 10, at: Math.min(last, 51) },
        ]),
    { limit: 1, at: last },
  ]);
}

/** Of those the pages that show most on a list whose order was seen: one between two others, the third, the last, a single item. */
export function briefPlaces(
  extent: number,
  accepted: number,
  { numbered }: { readonly numbered: boolean },
): readonly Place[] {
  const last = Math.max(0, extent - 1);
  return within(extent, accepted, [
    { limit: 100, at: 0 },
    { limit: 10, at: 10 },
    { limit: 20, at: 40 },
    { limit: 7, at: Math.floor(last / 7) * 7 },
    ...(numbered
      ? [{ limit: 10, at: Math.min(last, 51) }]
      : [
          { limit: 3, at: 1 },
          // Asked for without an offset.
          { limit: 6, at: 0 },
          { limit: 10, at: Math.min(last, 51) },
        ]),
    { limit: 1, at: last },
  ]);
}

/** Of a further list that pages like one that was looked at so: its second, its third and its last page. */
export function furtherPlaces(extent: number, accepted: number): readonly Place[] {
  const last = Math.max(0, extent - 1);
  return within(extent, accepted, [
    { limit: 10, at: 10 },
    { limit: 20, at: 40 },
    { limit: 7, at: Math.floor(last / 7) * 7 },
  ]);
}

/** The remaining pages of walks by small, odd and large limits, and by limits around the length of the list. */
export function deepPlaces(extent: number, accepted: number): readonly Place[] {
  const last = Math.max(0, extent - 1);
  return within(extent, accepted, [
    ...walk(7, extent, 9),
    ...walk(50, extent, 3),
    ...walk(99, extent, 2),
    ...walk(25, extent, 3),
    ...[extent, extent + 1, extent - 1, Math.ceil(extent / 2)].flatMap((limit) => walk(limit, extent, 2)),
    ...walk(accepted, extent, 3),
    ...walk(20, extent, 8),
    ...walk(10, extent, 15),
    ...walk(30, extent, 2),
    ...walk(3, extent, 3),
    ...walk(2, extent, 3),
    ...walk(5, extent, 3),
    { limit: 1, at: 0 },
    { limit: 1, at: Math.floor(last / 2) },
  ]);
}

/** Pages before the last one, by a few limits: what an envelope says of itself shows on each of them. */
export function middlePlaces(extent: number, accepted: number): readonly Place[] {
  return within(
    extent,
    accepted,
    [20, 10, 7, 1].map((limit) => ({ limit, at: limit })),
  );
}

/** The end of a list that is too long to be walked whole. */
export function lastPlaces(size: number, accepted: number): readonly Place[] {
  return within(
    size,
    accepted,
    [100, 10, 7].map((limit) => ({ limit, at: size - 1 })),
  );
}

/** A list whose every page is numbered: two walks show most of what three do. */
export function briefCountedPlaces(extent: number, accepted: number): readonly Place[] {
  const walked = walk(20, extent, 3).map(({ at }) => at);
  return firstPlaces(extent, accepted, { numbered: true }).filter(
    ({ limit, at }) => limit !== 20 || !walked.includes(at),
  );
}

/** Limits of a list that has a limit alone; `count` items were seen. */
export function firstLimits(count: number, accepted: number): readonly Place[] {
  return limits([1, 10, count - 1, 7, 2, 50, count], accepted);
}

/** Of those the ones that show most. */
export function briefLimits(count: number, accepted: number): readonly Place[] {
  return limits([1, 10, count - 1, 7], accepted);
}

/** The same of a further list. */
export function furtherLimits(accepted: number): readonly Place[] {
  return limits([1, 10], accepted);
}

export function deepLimits(count: number, accepted: number): readonly Place[] {
  return limits([3, 20, 5, 99, count + 1, 25, 30, Math.ceil(count / 2), 11, 13], accepted);
}

function limits(wanted: readonly number[], accepted: number): readonly Place[] {
  const fits = wanted.filter((limit) => limit >= 1 && limit <= accepted);
  return [...new Set(fits)].map((limit) => ({ limit, at: 0 }));
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

/** At most `most` pages of the walk: the first ones, and the last two. */
function walk(limit: number, extent: number, most: number): readonly Place[] {
  if (limit < 1) return [];
  const pages = Math.max(1, Math.ceil(extent / limit));
  const places = Array.from({ length: pages }, (_, page) => ({ limit, at: page * limit }));
  return pages <= most ? places : [...places.slice(0, Math.max(0, most - 2)), ...places.slice(-2)];
}

function within(extent: number, accepted: number, places: readonly Place[]): readonly Place[] {
  const fits = places.filter(({ limit, at }) => limit <= accepted && at < Math.max(1, extent));
  return [...new Map(fits.map((place) => [`${place.limit} ${place.at}`, place])).values()];
}
