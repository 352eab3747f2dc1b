// How much of long bodies a run holds in memory. Answers are kept for as long as a probe compares them; a target that answers
// megabytes to every request must not fill the memory by that. A body is judged whole or not at all, so one for which there
// is no room is cut.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Shorter bodies are not counted. Bytes. */
const MIN_LARGE_BYTES = 128 * 1024;
/** All that is held, as it lies in memory. Bytes. */
const MAX_HELD_BYTES = 192 * 2 ** 20;
/** One JSON value (an empty list) takes so much beside its text. Bytes. */
const BYTES_PER_VALUE = 48;
/** A body of more values than these is not judged: that takes longer than any list of items is worth. */
const MAX_VALUES = 300_000;
/** Bodies that are cut before memory is looked through for room. */
const MAX_CUT_BODIES = 16;

interface Held {
  readonly holder: WeakRef<object>;
  readonly weight: number;
}

export class LargeBodies {
  readonly #held = new Set<Held>();
  readonly #freed = new FinalizationRegistry<Held>((held) => this.#held.delete(held));
  readonly #collect: () => void;
  readonly #mostHeld: number;
  #refused = 0;

  /** `collect` frees what nobody refers to any more. */
  constructor(collect: () => void = collectGarbage, mostHeld = MAX_HELD_BYTES) {
    this.#collect = collect;
    this.#mostHeld = mostHeld;
  }

  /** Weight of the body in memory; 0 for one that is not counted, Infinity for one that is not judged. */
  weightOf(bytes: Buffer): number {
    return bytes.length < MIN_LARGE_BYTES ? 0 : 2 * bytes.length + BYTES_PER_VALUE * valuesIn(bytes);
  }

  /** Tells whether a body of this weight may be kept whole. */
  hasRoom(weight: number): boolean {
    if (weight === 0 || this.#fits(weight)) return true;
    if (weight > this.#mostHeld) return false;
    this.#refused += 1;
    if (this.#refused % MAX_CUT_BODIES !== 1) return false;
    this.#collect();
    // To be asked for after the collection alone: whoever is asked for lives until the present work is done.
    for (const held of this.#held) if (held.holder.deref() === undefined) this.#held.delete(held);
    if (!this.#fits(weight)) return false;
    this.#refused = 0;
    return true;
  }

  /** Counts the weight for as long as the holder of the body lives. */
  hold(holder: object, weight: number): void {
    if (weight === 0) return;
    const held = { holder: new WeakRef(holder), weight };
    this.#held.add(held);
    this.#freed.register(holder, held);
  }

  #fits(weight: number): boolean {
    return this.#held.values().reduce((sum, held) => sum + held.weight, weight) <= this.#mostHeld;
  }
}

const COMMA = 0x2c;
const ARRAY = 0x5b;
const OBJECT = 0x7b;

/** About how many JSON values the text holds, more where its strings hold commas and brackets; Infinity for too many. */
function valuesIn(bytes: Buffer): number {
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === COMMA || byte === ARRAY || byte === OBJECT) values += 1;
  }
  return values > MAX_VALUES ? Number.POSITIVE_INFINITY : values;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction | undefined = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect?.();
}
