// Plans which pages are read, best first: limits chosen deliberately, then drawn. A page is named by its limit and by one index
// that it must hold.
import * as fc from 'fast-check';

export interface Place {
  readonly limit: number;
  /** Index from 0; the page that holds it is read. */
  readonly at: number;
}

/** The list that a plan is made for. */
export interface Planned {
  /** Number of items that may be asked for. */
  readonly extent: number;
  /** The largest limit that is applied. */
  readonly accepted: number;
  /** True where pages are asked for by number. */
  readonly numbered: boolean;
}

type Plan = (list: Planned & { readonly last: number }) => readonly Place[];

const page = (limit: number, at: number): Place => ({ limit, at });
/** The page by the limit that holds the last item. */
const lastBy = (limit: number, last: number): Place => page(limit, Math.floor(last / limit) * limit);

const PLANS = {
  /** Shows most: two whole walks, then an odd limit at the end, single items, and pages as large as the list. */
  first: (list) => [page(100, 0), ...walk(10, list.extent, 6), ...walk(20, list.extent, 3), ...oddPages(list)],
  /** A list whose every page is numbered: two walks show most of what three do. */
  'brief-counted': (list) => [page(100, 0), ...walk(10, list.extent, 6), ...oddPages({ ...list, numbered: true })],
  /** Shows most on a list whose order was seen: a page between two others, the third, the last, a single item. */
  brief: ({ last, numbered }) => [
    ...[page(100, 0), page(10, 10), page(20, 40), lastBy(7, last)],
    // A page of six is asked for without an offset.
    ...(numbered ? [] : [page(3, 1), page(6, 0)]),
    ...[page(10, Math.min(last, 51)), page(1, last)],
  ],
  /** A further list that pages like one that was looked at so: its second, its third and its last page. */
  further: ({ last }) => [page(10, 10), page(20, 40), lastBy(7, last)],
  /** The remaining pages of walks by small, odd and large limits, and by limits around the length of the list. */
  deep: ({ extent, accepted, last }) => [
    ...[...walk(7, extent, 9), ...walk(50, extent, 3), ...walk(99, extent, 2), ...walk(25, extent, 3)],
    ...[extent, extent + 1, extent - 1, Math.ceil(extent / 2)].flatMap((limit) => walk(limit, extent, 2)),
    ...[...walk(accepted, extent, 3), ...walk(20, extent, 8), ...walk(10, extent, 15), ...walk(30, extent, 2)],
    ...[3, 2, 5].flatMap((limit) => walk(limit, extent, 3)),
    ...[page(1, 0), page(1, Math.floor(last / 2))],
  ],
  /** Pages before the last one, by a few limits: each of them shows what an envelope says of itself. */
  middle: () => [20, 10, 7, 1].map((limit) => page(limit, limit)),
  /** The end of a list that is too long to be walked whole. */
  last: ({ last }) => [100, 10, 7].map((limit) => page(limit, last)),
} satisfies Record<string, Plan>;

function oddPages({ last, numbered }: Planned & { readonly last: number }): readonly Place[] {
  const beforeLast = page(7, Math.max(0, Math.floor(last / 7) * 7 - 7));
  const odd = numbered ? [page(3, 3)] : [page(3, 1), page(10, Math.min(last, 51))];
  return [lastBy(7, last), beforeLast, page(50, Math.min(last, 50)), ...odd, page(1, last)];
}

/** The pages of the plan that the list has, each once. */
export function placesOf(name: keyof typeof PLANS, list: Planned): readonly Place[] {
  const { extent, accepted } = list;
  const plan: Plan = PLANS[name];
  const fits = plan({ ...list, last: Math.max(0, extent - 1) }).filter(
    ({ limit, at }) => limit <= accepted && at < Math.max(1, extent),
  );
  return [...new Map(fits.map((place) => [`${place.limit} ${place.at}`, place])).values()];
}

/** Limits of a list that has a limit alone, of which so many items were seen. */
const LIMITS = {
  first: (count: number) => [1, 10, count - 1, 7, 2, 50, count],
  brief: (count: number) => [1, 10, count - 1, 7],
  further: () => [1, 10],
  deep: (count: number) => [3, 20, 5, 99, count + 1, 25, 30, Math.ceil(count / 2), 11, 13],
} as const;

export function limitsOf(
  name: keyof typeof LIMITS,
  { extent, accepted }: Pick<Planned, 'extent' | 'accepted'>,
): readonly Place[] {
  const fits = LIMITS[name](extent).filter((limit) => limit >= 1 && limit <= accepted);
  return [...new Set(fits)].map((limit) => page(limit, 0));
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
