// Bounds the cost of one look at a value. Judges that try alternatives, or follow references, ask here each time: a few
// schemas with a value that fits come to more alternatives than anybody can wait for.
import { TooCostly } from '../patterns/too-costly.ts';

/** About a second. */
const MAX_TRIES = 10_000_000;
let left = MAX_TRIES;

let looks = 0;

/** Begins a look at a value: what is spent from here on counts for it. */
export function beginLook(): void {
  left = MAX_TRIES;
  looks += 1;
}

/** true. Throws TooCostly where the look has taken too much already. */
export function spend(): boolean {
  left -= 1;
  if (left < 0) throw new TooCostly('its schema has too many alternatives for such a value');
  return true;
}

/** Cost in tries of a breach that is found, or handed on. */
const TRIES_OF_BREACH = 150;

/** As `spend`, for breaches: a value that breaks every alternative of unions within unions has more of them than are read. */
export function spendOnBreaches(count: number): void {
  left -= count * TRIES_OF_BREACH - 1;
  spend();
}

/** A look that has taken fewer tries than these needs no memory: most values are small. */
const MIN_TRIES_REMEMBERED = 5_000;
/** No more is remembered of one look: a list may hold millions of items. */
const MAX_REMEMBERED = 200_000;

/**
 * Judgements of references on parts of a value, in one look. Where unions refer to one another, each alternative asks
 * of a member what the one before it asked, and so on each level below: asked once, that is a product and not a power.
 */
export class Remembered<T> {
  private look = 0;
  private count = 0;
  private readonly found = new Map<string, Map<object, T>>();

  /** The known judgement, or that which `find` makes now; nothing may change the value during a look. */
  of(reference: string, value: unknown, find: () => T): T {
    if (left > MAX_TRIES - MIN_TRIES_REMEMBERED || typeof value !== 'object' || value === null) return find();
    if (this.look !== looks) this.forget();
    const known = this.found.get(reference)?.get(value);
    if (known !== undefined) return known;
    const found = find();
    if (this.count >= MAX_REMEMBERED || this.look !== looks) return found;
    this.count += 1;
    const ofReference = this.found.get(reference) ?? new Map<object, T>();
    this.found.set(reference, ofReference.set(value, found));
    return found;
  }

  private forget(): void {
    this.look = looks;
    this.count = 0;
    this.found.clear();
  }
}
