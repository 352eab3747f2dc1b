// A spoiler: a body with one value changed at one place, made when it is asked for.
import { appended, changedBelow } from '../openapi/json.ts';

export type SpoilerKind = 'missing' | 'wrong-type' | 'wrong-scalar' | 'null-optional' | 'constraint';

export interface Spoiler {
  readonly kind: SpoilerKind;
  /** Unescaped tokens of the spoiled place. */
  readonly path: readonly string[];
  /** JSON pointer of the spoiled place; empty: the body. */
  readonly pointer: string;
  /** Top-level field that an answer must name (ERR-10); empty where there is no such one: the body is an array, or spoiled as a whole. */
  readonly field: string;
  /** The change in words: "email left out", "price is an object instead of a number". */
  readonly what: string;
  /** Made when it is asked for: spoilers are many, and few are sent at once. */
  readonly body: unknown;
}

interface Change {
  readonly body: unknown;
  readonly value: unknown;
  /** True where it is a matter of several members of the body, so that an answer may name any of them. */
  readonly isShared?: boolean;
}

export class SpoiledPlace implements Spoiler {
  readonly kind: SpoilerKind;
  readonly what: string;
  readonly path: readonly string[];
  /** `value` takes the place of what is there; undefined: that is left out. */
  readonly #from: Change;

  constructor(kind: SpoilerKind, what: string, path: readonly string[], from: Change) {
    this.kind = kind;
    this.what = what;
    this.path = path;
    this.#from = from;
  }

  get pointer(): string {
    return appended('', ...this.path);
  }

  get field(): string {
    const [first] = this.path;
    return isIndex(first) || this.#from.isShared === true ? '' : (first ?? '');
  }

  get body(): unknown {
    return changedBelow(this.#from.body, this.path, () => this.#from.value);
  }
}

export function isIndex(segment: string | undefined): boolean {
  return segment !== undefined && /^\d+$/.test(segment);
}
