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
const MOST = 240;
const LEAST = 24;
const TOTAL = 3000;

/** Of fewer items every limit shows the same. */
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
}

/** By each limit the second page, any offset, the last page, then those in between; the same for the same seed. */
export function sweepPlaces({ pattern, extent, accepted }: Swept, seed: number, name: string): readonly Place[] {
  if (extent < FEW) return [];
  const limits = draw(shuffled(limitsFor(extent, accepted)), seed, `${name} limits`);
  if (pattern === 'limit') return limits.map((limit) => ({ limit, at: 0 }));
  const second = limits.map((limit) => ({ limit, at: limit < extent ? limit : 0 }));
  const long = limits.filter((limit) => 2 * limit < extent);
  const last = long.map((limit) => ({ limit, at: Math.floor((extent - 1) / limit) * limit }));
  // Large limits have few pages: they are walked whole first.
  const between = long.toSorted((one, other) => other - one).flatMap((limit) => inner(limit, extent));
  if (pattern === 'page') return [...second, ...last, ...between];
  const anywhere = limits.map((limit) => ({ limit, at: draw(fc.nat(extent - 1), seed, `${name} ${limit}`) }));
  return [...second, ...anywhere, ...last, ...between];
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
