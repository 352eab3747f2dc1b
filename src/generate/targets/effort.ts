// Bounds synchronous work over a description by counted steps, never by time: the same seed then sends the same requests on a
// slow machine as on a fast one.
import { oncePer } from '../../exchange/once-per.ts';
import { isContainer, isObject } from '../../openapi/json.ts';

/** Steps for one request: a try at a small body is one step, and takes some hundredth of a millisecond to a tenth. */
const MAX_STEPS = 1_500;
/** A body of so many members and items is looked at in one step. */
const MEMBERS_PER_STEP = 60;

/** Steps that one piece of work may still spend. */
export class Effort {
  #left: number;

  constructor(steps = MAX_STEPS) {
    this.#left = steps;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Tells whether a look at the value is still within the effort; large values cost more. */
  spend(value: unknown): boolean {
    if (this.isSpent) return false;
    this.#left -= isContainer(value) ? this.#stepsFor(value) : 1;
    return true;
  }

  readonly #stepsFor = oncePer(
    (value: object) => 1 + Math.floor(membersIn(value, MEMBERS_PER_STEP * this.#left) / MEMBERS_PER_STEP),
  );
}

/** Members and items of a value, all levels together; counted up to about `most`. */
function membersIn(value: unknown, most: number): number {
  let count = 0;
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isObject(next) && !Array.isArray(next)) continue;
    const inner = Object.values(next);
    count += inner.length;
    if (count > most) return count;
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one);
  }
  return count;
}
