// Virtual time: it stands still while anything is under way, then jumps to what is due next. Tests wait in no time on it, and
// whole runs take place in it (src/simulation/).
import type { Clock, Timer } from './clock.ts';

export interface SimulatedClock extends Clock {
  /** Every sleep asked for so far, in order. ms. */
  readonly sleeps: readonly number[];
  /**
   * Lets time pass until the work is done; settles as it does. All promise jobs, and one turn of the event loop for real
   * input and output, come between two jumps.
   */
  drive<T>(work: Promise<T>): Promise<T>;
}

export function simulatedClock(startMs = Date.UTC(2026, 0, 1)): SimulatedClock {
  let nowMs = startMs;
  const agenda = new Agenda();
  const sleeps: number[] = [];
  let computing = 0;
  const after = (delayMs: number, act: () => void): Timer => agenda.add(nowMs + Math.max(0, delayMs), act);
  return {
    sleeps,
    now: () => nowMs,
    monotonic: () => nowMs - startMs,
    sleep(delayMs, signal) {
      sleeps.push(delayMs);
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          timer.cancel();
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const timer = after(delayMs, done);
        signal?.addEventListener('abort', done, { once: true });
      });
    },
    async turn() {
      computing += 1;
      await new Promise((resolve) => setImmediate(resolve));
      computing -= 1;
    },
    after,
    async drive(work) {
      let done = false;
      const settled = () => {
        done = true;
      };
      work.then(settled, settled);
      while (!done) {
        await new Promise((resolve) => setImmediate(resolve));
        const next = done || computing > 0 ? null : agenda.take();
        if (next === null) continue;
        nowMs = Math.max(nowMs, next.atMs);
        next.act();
      }
      return work;
    },
  };
}

/** The same time as another party reads it: its calendar is ahead by so many ms, its seconds are as long. */
export function skewed(clock: Clock, aheadMs: number): Clock {
  return { ...clock, now: () => clock.now() + aheadMs };
}

interface Entry {
  readonly atMs: number;
  /** Entries of one time come in the order in which they were added. */
  readonly turn: number;
  readonly act: () => void;
  cancelled: boolean;
}

/** Timers by when they are due, the earliest first: a binary heap. */
class Agenda {
  readonly #heap: Entry[] = [];
  #turns = 0;

  add(atMs: number, act: () => void): Timer {
    this.#turns += 1;
    const entry: Entry = { atMs, turn: this.#turns, act, cancelled: false };
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1);
    return {
      cancel: () => {
        entry.cancelled = true;
      },
    };
  }

  /** Removes and returns what is due first; null where nothing is. */
  take(): Entry | null {
    for (;;) {
      const first = this.#heap[0];
      const last = this.#heap.pop();
      if (first === undefined || last === undefined) return null;
      if (first !== last) {
        this.#heap[0] = last;
        this.#sink();
      }
      if (!first.cancelled) return first;
    }
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!this.#swapped(above, at)) return;
      at = above;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const right = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#swapped(at, right)) return;
      at = right;
    }
  }

  /** Swaps the two where the lower one comes first; whether it did. */
  #swapped(above: number, below: number): boolean {
    if (!this.#isBefore(below, above)) return false;
    const [one, other] = [this.#heap[above], this.#heap[below]];
    if (one === undefined || other === undefined) return false;
    this.#heap[above] = other;
    this.#heap[below] = one;
    return true;
  }

  #isBefore(left: number, right: number): boolean {
    const [one, other] = [this.#heap[left], this.#heap[right]];
    if (one === undefined || other === undefined) return false;
    return one.atMs < other.atMs || (one.atMs === other.atMs && one.turn < other.turn);
  }
}
