// A value with its long lists cut short: an example of a value that is too large to be explained.
import { appended, isObject } from '../json.ts';

/** Items that are kept of each list. */
const MOST_ITEMS = 50;

export class CutLists {
  /** Pointers of the lists that are shorter now. */
  readonly places = new Set<string>();

  /** The value that stands at the pointer, cut. */
  cut(value: unknown, pointer: string): unknown {
    if (Array.isArray(value)) {
      if (value.length > MOST_ITEMS) this.places.add(pointer);
      return value.slice(0, MOST_ITEMS).map((item, index) => this.cut(item, appended(pointer, index)));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.cut(member, appended(pointer, name))]),
    );
  }
}
