// Where the items of a list stand in its answers: the body itself, or an array in an envelope of any name.

import type { Confidence } from '../contract/report.ts';
import { appended, isObject, membersOf, normal, valueAt } from '../openapi/json.ts';
import { shortened } from './answered.ts';

const USUAL_NAMES = ['data', 'items', 'results', 'records', 'rows', 'entries', 'list'];
/** Members of envelopes beside their items. */
const COMPANION =
  /^(errors?|warnings|messages|facets?|filters?|aggregations|buckets|included|links|breadcrumbs|sort.*)$/i;
const MAX_DEPTH = 3;
/** Members of an answer that are looked at: an object of more is a map, and no envelope of a list. */
const MAX_MEMBERS = 1000;

/** The place, how sure it is, and by what it was told. */
export interface Placed {
  /** JSON pointer; "" for a bare array. */
  readonly pointer: string;
  /** cannot-tell: other arrays have as much to be said for them. */
  readonly confidence: Confidence;
  readonly basis: string;
}

interface Candidate {
  readonly pointer: string;
  readonly name: string;
  readonly items: readonly unknown[];
}

/**
 * The item array that the bodies (answers of one list, asked for pages of several sizes) have in common; null where there
 * is none. Of several arrays the one wins whose length follows the size asked for, then the one whose name is usual or
 * that of the list (`noun`: "products"), then one of objects.
 */
export function placeOf(bodies: readonly unknown[], noun: string): Placed | null {
  const [first] = bodies;
  if (Array.isArray(first)) return { pointer: '', confidence: 'sure', basis: 'the body is an array' };
  const candidates = candidatesIn(first);
  const follows = ({ pointer }: Candidate): boolean =>
    new Set(bodies.map((body) => itemsAt(body, pointer)?.length).filter((length) => length !== undefined)).size > 1;
  const weighed = candidates
    .map((candidate) => ({ candidate, follows: follows(candidate), weight: weightOf(candidate, noun) }))
    .toSorted((left, right) => Number(right.follows) - Number(left.follows) || right.weight - left.weight);
  const [best, second] = weighed;
  if (best === undefined) return null;
  const { pointer } = best.candidate;
  if (second === undefined) return { pointer, confidence: 'sure', basis: 'the only array of the answer' };
  const many = `of ${candidates.length} arrays`;
  if (best.follows && !second.follows)
    return { pointer, confidence: 'sure', basis: `${many} the one that follows the limit` };
  if (best.weight > second.weight)
    return { pointer, confidence: 'likely', basis: `${many} the one with the likeliest name` };
  return { pointer, confidence: 'cannot-tell', basis: `${many} none is told apart from the others` };
}

/** The array at the pointer; null where none stands there. */
export function itemsAt(body: unknown, pointer: string): readonly unknown[] | null {
  const value = valueAt(body, pointer);
  return Array.isArray(value) ? value : null;
}

/** The place in words: "a bare array", "an array at /data". */
export function placeInWords(place: string | null): string {
  if (place === null) return 'no array of items';
  return place === '' ? 'a bare array' : `an array at ${shortened(place)}`;
}

function weightOf({ name, items }: Candidate, noun: string): number {
  const named = noun !== '' && normal(name) === normal(noun);
  const byName = USUAL_NAMES.includes(name.toLowerCase()) || named ? 2 : COMPANION.test(name) ? -2 : 0;
  return byName + (items.some(isObject) ? 1 : 0);
}

/** The arrays in objects of at most this depth, those that stand higher first. */
function candidatesIn(root: unknown): readonly Candidate[] {
  const found: Candidate[] = [];
  let level: readonly { readonly value: unknown; readonly pointer: string }[] = [{ value: root, pointer: '' }];
  let left = MAX_MEMBERS;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const below: { readonly value: unknown; readonly pointer: string }[] = [];
    for (const { value, pointer } of level) {
      if (!isObject(value)) continue;
      for (const [name, member] of membersOf(value).slice(0, left)) {
        const at = appended(pointer, name);
        if (Array.isArray(member)) found.push({ pointer: at, name, items: member });
        else below.push({ value: member, pointer: at });
        left -= 1;
      }
    }
    level = below;
  }
  return found;
}
