// A page or more by every limit: a limit that alone is wrong is found by no walk with a few of them. Limits come in a drawn
// order: where the allowance is short, each list tries others. What is left of it goes to whole walks.
import * as fc from 'fast-check';
import { draw } from '../../generate/sampling.ts';
import type { Pattern } from './list-operation.ts';
import type { Place } from './plans.ts';

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

/** Requests that each of so many lists may take. */
export function sweepShare(lists: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.floor(TOTAL / Math.max(1, lists))));
}

export interface Swept {
  readonly pattern: Pattern;
  /** Number of items that may be asked for. */
  readonly extent: number;
  /** The largest limit that is applied. */
  readonly accepted: number;
  /** The limit where none is given; null: it is not known. */
  readonly usual: number | null;
}

/** Limits that clients ask by: of a long list all pages are read by these, as far as so many pages go. */
const WALKED: readonly number[] = [50, 25, 10];
const [MOST_WALKED, MOST_WALKED_USUALLY] = [40, 60];
const USUAL = 20;

/** The second page by each limit, by those of clients all pages, then any offset, the last page, then those in between; the same for the same seed. */
export function sweepPlaces({ pattern, extent, accepted, usual }: Swept, seed: number, name: string): readonly Place[] {
  if (extent < FEW) return [];
  const limits = draw(shuffled(limitsFor(extent, accepted)), seed, `${name} limits`);
  if (pattern === 'limit') return limits.map((limit) => ({ limit, at: 0 }));
  const second = limits.map((limit) => ({ limit, at: limit < extent ? limit : 0 }));
  const walked = [
    ...pagesBy(usual ?? USUAL, extent, MOST_WALKED_USUALLY),
    ...WALKED.flatMap((limit) => pagesBy(limit, extent, MOST_WALKED)),
  ].filter(({ limit }) => limit <= accepted);
  const long = limits.filter((limit) => 2 * limit < extent);
  const last = long.map((limit) => ({ limit, at: Math.floor((extent - 1) / limit) * limit }));
  // Large limits have few pages: they are walked whole first.
  const between = long.toSorted((one, other) => other - one).flatMap((limit) => inner(limit, extent));
  if (pattern === 'page') return [...second, ...walked, ...last, ...between];
  const anywhere = limits.map((limit) => ({ limit, at: draw(fc.nat(extent - 1), seed, `${name} ${limit}`) }));
  return [...second, ...walked, ...anywhere, ...last, ...between];
}

/** Pages of a long list that are read beyond those that its first walk has seen: in one run of large pages, and as drawn small ones. */
const FAR_PAGES = 40;
/** The same where no page tells how long the list is: those past its end show nothing. */
const FAR_BLIND = 20;
const FAR_SMALL = 12;
/** A page of this size or less is read whole by every list. */
const LARGE = 1000;
const SMALL: readonly number[] = [7, 10, 20, 50];

/**
 * The places beyond the first walk of a long list: large pages one after another, all of them where that is not too
 * many, then small ones at drawn places, each of which must show what the large ones did. `size`: null where no page
 * told it.
 */
export function farPlaces(
  { extent, accepted }: Swept,
  told: number | null,
  seed: number,
  name: string,
): readonly Place[] {
  const large = Math.min(accepted, LARGE);
  const size = told ?? extent + FAR_BLIND * large;
  const from = Math.floor(extent / large);
  const pages = Array.from({ length: Math.max(0, Math.ceil(size / large) - from) }, (_, at) => (from + at) * large);
  const read = pages.length <= FAR_PAGES ? pages : draw(shuffled(pages), seed, `${name} far`).slice(0, FAR_PAGES);
  const small = draw(
    fc.array(fc.record({ limit: fc.constantFrom(...SMALL), page: fc.nat(read.length - 1), into: fc.nat(large - 1) }), {
      minLength: FAR_SMALL,
      maxLength: FAR_SMALL,
    }),
    seed,
    `${name} far and small`,
  );
  const inside = small.map(({ limit, page, into }) => ({ limit, at: (read[page] ?? 0) + into }));
  return [...read.map((at) => ({ limit: large, at })), ...inside].filter(
    ({ limit, at }) => limit <= accepted && at < size,
  );
}

/** The pages by the limit, from the first on. */
function pagesBy(limit: number, extent: number, most: number): readonly Place[] {
  const pages = Math.min(most, Math.ceil(extent / limit));
  return Array.from({ length: pages }, (_, page) => ({ limit, at: page * limit }));
}

function limitsFor(extent: number, accepted: number): readonly number[] {
  const each = Array.from({ length: EACH }, (_, index) => index + 1);
  const large = [...ROUND, extent - 1, extent, extent + 1, accepted - 1, accepted];
  return [...new Set([...each, ...large])].filter((limit) => limit >= 1 && limit <= accepted);
}

/** The pages between the second and the last one. */
function inner(limit: number, extent: number): readonly Place[] {
  const pages = Math.ceil(extent / limit);
  return Array.from({ length: Math.max(0, pages - 3) }, (_, index) => ({ limit, at: (index + 2) * limit }));
}

function shuffled<T>(values: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...values], { minLength: values.length });
}
