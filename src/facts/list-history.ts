// The history of a list, read of its pages: what stands at which index, where the list ends, and which page showed it, whoever asked.
import { plural } from '../contract/numbers.ts';
import type { Page } from './page.ts';

/** Parameters that ask for a page; null leaves the parameter out. `turn` is the page number or the offset. */
export interface Ask {
  readonly limit: number | null;
  readonly turn: number | null;
}

/** One page together with what was asked for. */
export interface PageRead {
  readonly ask: Ask;
  /** As sent: "limit=10&page=4". */
  readonly query: string;
  /** As asked for. */
  readonly limit: number;
  /** The limit that counts: the one asked for, or the list's maximum. */
  readonly applied: number;
  /** Index of the page's first item in the whole list. */
  readonly offset: number;
  readonly page: Page;
  /** The key of each item, in the order of the page. */
  readonly keys: readonly string[];
}

/** Two readings of a list that cannot both be true of a list at rest. */
export interface Conflict {
  readonly earlier: PageRead;
  readonly expected: string;
  readonly actual: string;
}

interface Seen {
  readonly key: string;
  readonly read: PageRead;
}

interface End {
  /** Number of items, as a page or its `total` tells. */
  readonly size: number;
  readonly read: PageRead;
}

export class Sequence {
  readonly #at: Map<number, Seen>;
  readonly #indexes: Map<string, { readonly index: number; readonly read: PageRead }>;
  #end: End | null;
  /** True where each key may stand once only. */
  readonly #distinct: boolean;
  /** The pages that were learnt, in order. */
  readonly reads: PageRead[] = [];

  /** `distinct`: the keys are ids, so that none may show at two indexes. */
  constructor(distinct: boolean, reads: readonly PageRead[] = []) {
    this.#at = new Map();
    this.#indexes = new Map();
    this.#end = null;
    this.#distinct = distinct;
    for (const read of reads) this.learn(read);
  }

  /** Notes what the page shows beside what was known; what was known stays. */
  learn(read: PageRead): void {
    this.reads.push(read);
    for (const [position, key] of read.keys.entries()) {
      const index = read.offset + position;
      if (!this.#at.has(index)) this.#at.set(index, { key, read });
      if (!this.#indexes.has(key)) this.#indexes.set(key, { index, read });
    }
    const size = sizeToldBy(read);
    const follows = read.keys.length > 0 || read.offset === 0 || this.#at.has(read.offset - 1);
    if (this.#end === null && size !== null && follows) this.#end = { size, read };
  }

  /** Number of items; null while no page told. */
  get size(): number | null {
    return this.#end?.size ?? null;
  }

  /** The page that told where the list ends. */
  get endRead(): PageRead | null {
    return this.#end?.read ?? null;
  }

  /** One more than the highest index seen. */
  get known(): number {
    let highest = -1;
    for (const index of this.#at.keys()) highest = Math.max(highest, index);
    return highest + 1;
  }

  /** Number of items where that is told; else of those that were seen, as far as the last one. */
  get length(): number {
    return this.size ?? this.known;
  }

  /** The first way in which the page contradicts what was seen; null when it agrees. */
  conflict(read: PageRead): Conflict | null {
    return this.#misplaced(read) ?? this.#otherEnd(read);
  }

  #misplaced(read: PageRead): Conflict | null {
    const own = new Map<string, number>();
    for (const [position, key] of read.keys.entries()) {
      const index = read.offset + position;
      const known = this.#at.get(index);
      if (known !== undefined && known.key !== key) {
        const expected = `the item that ${known.read.query} shows at index ${index}: ${named(known.key)}`;
        return { earlier: known.read, expected, actual: `${named(key)} at index ${index}` };
      }
      const twice = own.get(key);
      own.set(key, index);
      if (this.#distinct && twice !== undefined) {
        const actual = `${named(key)} at the indexes ${twice} and ${index}`;
        return { earlier: read, expected: 'each item exactly once', actual };
      }
      const elsewhere = this.#distinct ? this.#indexes.get(key) : undefined;
      if (elsewhere !== undefined && elsewhere.index !== index) {
        const actual = `${named(key)} at index ${index}, and by ${elsewhere.read.query} at index ${elsewhere.index}`;
        return { earlier: elsewhere.read, expected: 'each item exactly once', actual };
      }
    }
    return null;
  }

  #otherEnd(read: PageRead): Conflict | null {
    const beyond = read.offset + read.keys.length;
    const size = sizeToldBy(read);
    const end = this.#end;
    if (end !== null && read.keys.length > 0 && beyond > end.size) {
      const expected = `no item beyond index ${end.size - 1}: ${end.read.query} tells of ${plural(end.size, 'item')}`;
      return { earlier: end.read, expected, actual: `an item at index ${beyond - 1}` };
    }
    if (end !== null && size !== null && size !== end.size && !(read.keys.length === 0 && size > end.size)) {
      const expected = `${plural(end.size, 'item')} in all, as ${end.read.query} tells`;
      return { earlier: end.read, expected, actual: `${plural(size, 'item')} in all` };
    }
    // A page that is not full ends the list, whatever total its envelope tells.
    const shown = read.keys.length < read.applied ? beyond : size;
    const next = shown === null ? undefined : this.#firstFrom(shown, read);
    if (next === undefined) return null;
    const expected = `further items: ${next.read.query} shows some from index ${shown}`;
    return { earlier: next.read, expected, actual: `the list ends before index ${shown}` };
  }

  #firstFrom(index: number, read: PageRead): Seen | undefined {
    const known = this.#at.get(index);
    return known === undefined || known.read === read ? undefined : known;
  }
}

/** How many items the list has, as this page tells by `total` or by holding fewer than its limit; null when it does not tell. */
export function sizeToldBy(read: PageRead): number | null {
  const { page, keys, offset, applied } = read;
  if (page.paged?.total != null) return page.paged.total;
  return keys.length < applied ? offset + keys.length : null;
}

const NAME_LIMIT = 60;

/** Items without an id are not shown: they may hold personal data. */
function named(key: string): string {
  return /^\w+ \S/.test(key) && !key.startsWith('"') && key.length <= NAME_LIMIT ? key : 'another item';
}
